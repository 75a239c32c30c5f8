import CanonicalJSON
import TestSupport
import Testing

@testable import Snapshots

/// The numbers of sections at which the tree gains or loses a level.
@Suite struct NodeSizeTests {
  static let sizes = [33, 40, 64, 65, 70, 130, 1_023, 1_024, 1_025]

  /// A way to get a snapshot with other sections.
  enum Way: CaseIterable {
    case operationsAtHead
    case operationsAtTail
    case assembly
    case diff
  }

  @Test(arguments: sizes, Way.allCases)
  func `every id is found while all sections are removed and inserted again`(size: Int, way: Way)
    throws
  {
    // The last sections, or the first ones.
    let isAtHead = way == .operationsAtHead || way == .diff
    func numbers(_ count: Int) -> Range<Int> { isAtHead ? size - count..<size : 0..<count }

    var snapshot = try Self.snapshot(0..<size)
    var levels = Set<Int>()
    let step = size <= 40 ? 1 : size / 10
    let down = [size - 1, size - 2] + stride(from: size - 3, to: 0, by: -step) + [0]
    for count in down + down.reversed() + [size] {
      let height = snapshot.sections.tree.root?.height ?? 0
      snapshot = try Self.resized(snapshot, to: numbers(count), by: way)
      let newHeight = snapshot.sections.tree.root?.height ?? 0
      levels.insert(newHeight)
      if size <= 130 || height != newHeight || count == size {
        try Self.check(snapshot, has: numbers(count))
      }
    }
    #expect(levels == (size <= 130 ? [0, 1] : [0, 1, 2]))
  }

  @Test(arguments: [33, 65, 1_025])
  func `every operation works on a tree that just lost a level`(size: Int) throws {
    var lower = try Self.snapshot(0..<size)
    let height = try #require(lower.sections.tree.root).height
    var first = 0
    while lower.sections.tree.root?.height == height {
      lower.deleteSections(["section/\(first)"])
      first += 1
    }
    let (one, two, last) = ("\(first)", "\(first + 1)", "\(size - 1)")
    let new = [Row(id: "item/new", type: "t")]
    let other = [Row(id: "item/\(two)", type: "t", fields: ["other": true])]
    let operations: [(inout Snapshot) throws -> Void] = [
      { try $0.appendSections([Section(id: "new", rows: new)]) },
      { try $0.insertSections([Section(id: "new", rows: new)], beforeSection: "section/\(two)") },
      { try $0.insertSections([Section(id: "new", rows: new)], afterSection: "section/\(last)") },
      { $0.deleteSections(["section/\(one)", "section/\(last)"]) },
      { try $0.moveSection("section/\(one)", afterSection: "section/\(last)") },
      { try $0.moveSection("section/\(last)", beforeSection: "section/\(one)") },
      { try $0.reloadSections([Section(id: "section/\(one)", rows: new)]) },
      { try $0.appendItems(new) },
      { try $0.appendItems(new, toSection: "section/\(one)") },
      { try $0.insertItems(new, beforeItem: "item/\(last)") },
      { try $0.insertItems(new, afterItem: "item/\(one)") },
      { $0.deleteItems(["item/\(one)", "item/\(last)"]) },
      { $0.deleteAllItems() },
      { try $0.moveItem("item/\(one)", afterItem: "item/\(last)") },
      { try $0.moveItem("item/\(last)", beforeItem: "item/\(one)") },
      { try $0.reloadItems(other) },
      { try $0.reconfigureItems(other) },
      { $0 = $0.with(states: ["source": "loaded"]) },
    ]
    for operation in operations {
      var changed = lower
      try operation(&changed)
      #expect(changed != lower)
      try SnapshotValidator.validate(changed)
      #expect(try lower.applying(changed.difference(from: lower)) == changed)
    }
    try SnapshotValidator.validate(lower)
  }

  /// Returns sections with one item each.
  private static let sections = (0..<1_025).map {
    Section(id: "section/\($0)", rows: [Row(id: "item/\($0)", type: "t")])
  }

  private static func snapshot(_ numbers: Range<Int>) throws -> Snapshot {
    try Snapshot(sections: sections[numbers])
  }

  /// Returns the snapshot after adding or removing adjacent sections at one end.
  private static func resized(
    _ old: Snapshot, to numbers: Range<Int>, by way: Way
  ) throws -> Snapshot {
    var new = old
    switch way {
    case .assembly:
      return try Snapshot(sections: sections[numbers], reusing: old)
    case .diff:
      return try old.applying(try snapshot(numbers).difference(from: old))
    case .operationsAtHead, .operationsAtTail:
      let had = Set(old.sectionIdentifiers)
      let has = Set(sections[numbers].map(\.id))
      let coming = sections[numbers].filter { !had.contains($0.id) }
      if coming.isEmpty {
        new.deleteSections(Array(had.subtracting(has)))
      } else if let first = old.sections.first, way == .operationsAtHead {
        try new.insertSections(coming, beforeSection: first.id)
      } else {
        try new.appendSections(coming)
      }
    }
    return new
  }

  private static func check(_ snapshot: Snapshot, has numbers: Range<Int>) throws {
    try require(snapshot.sectionIdentifiers == numbers.map { "section/\($0)" }, "other sections")
    for (index, number) in numbers.enumerated() {
      let section = snapshot.index(ofSection: "section/\(number)")
      try require(section == index, "section/\(number) is at \(section as Int?) of \(numbers)")
      let item = snapshot.path(ofRow: "item/\(number)")
      try require(
        item == RowPath(section: index, row: 0), "item/\(number) is at \(item as RowPath?)")
    }
    for number in [numbers.lowerBound - 1, numbers.upperBound] {
      try require(snapshot.index(ofSection: "section/\(number)") == nil, "a section is left")
      try require(snapshot.path(ofRow: "item/\(number)") == nil, "an item is left")
    }
  }
}
