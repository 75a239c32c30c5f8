import CanonicalJSON
import Testing

@testable import Snapshots

/// The cost of changes as the number of nodes and rows visited, which does not depend on a clock.
@Suite struct SharingCostTests {
  static let small = list(1_000)
  static let large = list(100_000)

  private static func list(_ count: Int) -> Snapshot {
    do {
      return try Snapshot(sections: [Section(id: "s", rows: (0..<count).map { row($0) })])
    } catch {
      preconditionFailure("\(error)")
    }
  }

  private static func row(_ number: Int, version: Int = 0) -> Row {
    Row(id: "row/\(number)", type: "t", fields: ["version": .integer(version)])
  }

  /// Returns the number of nodes that only one of two revisions has, and of the rows in them.
  private static func cost(from old: Snapshot, to new: Snapshot) -> (nodes: Int, rows: Int) {
    let alignment = TreeAlignment(
      from: old.sections[0].rows.tree, to: new.sections[0].rows.tree)
    return (
      alignment.oldOnly.count + alignment.newOnly.count,
      alignment.runs.reduce(0) { $0 + ($1.isShared ? 0 : $1.old.count + $1.new.count) }
    )
  }

  @Test(arguments: [small, large])
  func `one edit costs the path to its leaf in either tree`(_ old: Snapshot) throws {
    let height = old.sections[0].rows.tree.root!.height
    for number in [0, old.rowCount / 2, old.rowCount - 1] {
      var new = old
      try new.reconfigureItems([Self.row(number, version: 1)])
      let cost = Self.cost(from: old, to: new)
      #expect(cost.nodes == 2 * (height + 1))
      #expect(cost.rows <= 2 * TreeNode<Row>.capacity)
      #expect(new.difference(from: old).operationCount == 1)
      #expect(new.index.sharesTables(with: old.index), "an update in place moves no entry")
    }
  }

  @Test func `ids inserted at the start shift all others at no cost`() throws {
    let old = Self.large
    var new = old
    try new.insertItems((1...10).map { Self.row(-$0) }, beforeItem: "row/0")
    new.deleteItems(["row/99999"])
    let height = old.sections[0].rows.tree.root!.height
    let cost = Self.cost(from: old, to: new)
    #expect(cost.nodes <= 4 * (height + 1) + 2)
    #expect(cost.rows <= 4 * TreeNode<Row>.capacity)
    #expect(new.difference(from: old).operationCount == 11)
    #expect(try old.applying(new.difference(from: old)) == new)
  }

  @Test func `a row from the start to the end is one move past the shared rows`() throws {
    var new = Self.large
    try new.moveItem("row/0", afterItem: "row/99999")
    let changeset = new.difference(from: Self.large)
    #expect(changeset.rows.moves.count == 1 && changeset.operationCount == 1)
    #expect(Self.cost(from: Self.large, to: new).nodes <= 16)
  }

  @Test func `128 revisions with one row changed each cost little more than one`() throws {
    var history = [Self.large]
    for version in 1..<128 {
      var next = history[version - 1]
      try next.reconfigureItems([Self.row(version * 700, version: version)])
      history.append(next)
    }
    let beside = zip(history, history.dropFirst()).reduce(0) {
      $0 + Snapshot.byteCount(between: $1.0, and: $1.1)
    }
    #expect(beside <= Self.large.byteCount / 10)
    #expect(history[127].difference(from: history[0]).operationCount == 127)
    // At most 127 paths, and no leaf without a change.
    let height = Self.large.sections[0].rows.tree.root!.height
    #expect(Self.cost(from: history[0], to: history[127]).nodes <= 2 * 127 * (height + 1))
  }

  @Test func `entries of the index change only if a leaf is split or merged`() throws {
    var snapshot = Self.small
    var moved = 0
    for number in 0..<2_000 {
      let old = snapshot
      try snapshot.insertItems([Self.row(10_000 + number)], beforeItem: "row/500")
      let changes = SnapshotChanges(from: old.sections.tree, to: snapshot.sections.tree)
      moved += changes.rows.reduce(0) { $0 + $1.movedElements().arrived.count }
    }
    // The inserted rows, and at most half a leaf more for each leaf that is split.
    #expect(moved <= 2_000 * 3)
    try SnapshotValidator.validate(snapshot)
  }
}

extension SnapshotIndex {
  /// Returns whether the tables are the same, whatever the sections they index.
  fileprivate func sharesTables(with other: SnapshotIndex) -> Bool {
    let (left, right) = (entries, other.entries)
    return left.rowLeaves == right.rowLeaves && left.parents == right.parents
      && left.sectionLeaves == right.sectionLeaves
  }
}
