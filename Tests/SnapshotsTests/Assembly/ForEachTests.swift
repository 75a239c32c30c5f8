import CanonicalJSON
import Synchronization
import TestSupport
import Testing

@testable import Snapshots

/// Sections with lists, made of the section before by what changed.
@Suite struct ForEachTests {
  private typealias Item = KeyedSequenceTests.Item

  /// What a screen declares: two lists with rows before, between and behind them.
  private struct Declaration {
    var lists: [KeyedSequence<Item>]
    var gaps: [[Text]]
    /// Counts the rows that are made.
    let maker: RowMaker

    @ListBuilder<RowPart> func parts() -> [RowPart] {
      for (index, gap) in gaps.enumerated() {
        gap.map { Row(id: $0, type: "gap") }
        if index < lists.count {
          ForEach(lists[index]) { maker.row(of: $0, in: index) }
        }
      }
    }

    /// The rows in order, without lists.
    var rows: [Row] {
      gaps.enumerated().flatMap { index, gap in
        gap.map { Row(id: $0, type: "gap") }
          + (index < lists.count ? lists[index].map { RowMaker.make($0, in: index) } : [])
      }
    }
  }

  /// Makes rows, and counts them.
  private final class RowMaker: Sendable {
    private let made = Mutex(0)
    var count: Int { made.withLock { $0 } }

    func row(of item: Item, in list: Int) -> Row {
      made.withLock { $0 += 1 }
      return Self.make(item, in: list)
    }

    static func make(_ item: Item, in list: Int) -> Row {
      Row(id: "\(list)/\(item.id)", type: "item", fields: ["version": .integer(item.version)])
    }
  }

  /// Whatever the screens declare one after another, each snapshot is the one made from nothing.
  @Test func `a section made of the one before is that of its declaration alone`() throws {
    try withSeeds(12) { random in
      var declaration = Declaration(
        lists: (0..<random.number(in: 0...3)).map { _ in
          KeyedSequence((0..<random.pick([0, 3, 40, 150])).map { Item(id: $0) })
        }, gaps: [["lead"], [], ["between"], []], maker: RowMaker())
      var cache = RowCache()
      for step in 0..<15 {
        Self.change(&declaration, step, &random)
        let old = cache.snapshot
        let snapshot = try cache.assemble(declaration.parts(), fields: ["title": "T"])
        let alone = try Snapshot(
          sections: [Section(id: "s", fields: ["title": "T"], rows: declaration.rows)])
        try require(
          snapshot == alone
            && snapshot.encoded(kind: .snapshot, screen: "s/1", revision: "r")
              == alone.encoded(kind: .snapshot, screen: "s/1", revision: "r"),
          "\(snapshot) instead of \(alone)")
        try SnapshotValidator.validate(snapshot)
        _ = try snapshot.provenDifference(from: old)
      }
    }
  }

  private static func change(
    _ declaration: inout Declaration, _ step: Int, _ random: inout SeededGenerator
  ) {
    switch random.number(in: 0...9) {
    case 0:
      let gap = random.number(in: 0...declaration.gaps.count - 1)
      declaration.gaps[gap] = (0..<random.number(in: 0...4)).map { "gap/\(gap)/\(step + $0)" }
    case 1 where random.chance(0.3):
      declaration.lists = declaration.lists.dropLast()
    case 2 where declaration.lists.count < 3 && random.chance(0.3):
      declaration.lists.append(KeyedSequence((0..<40).map { Item(id: $0) }))
    case 3 where random.chance(0.3) && !declaration.lists.isEmpty:
      // A list of the same elements that shares nothing.
      declaration.lists[0] = KeyedSequence(Array(declaration.lists[0]))
    default:
      for list in declaration.lists.indices {
        var array = Array(declaration.lists[list])
        for _ in 0..<random.number(in: 0...3) {
          KeyedSequenceTests.step(&declaration.lists[list], &array, &random)
        }
      }
    }
  }

  @Test(arguments: [20, 5_000])
  func `one change makes one row, in a list of any length`(count: Int) throws {
    let maker = RowMaker()
    var items = KeyedSequence((0..<count).map { Item(id: $0) })
    func declare() -> Declaration {
      Declaration(lists: [items], gaps: [["lead"], ["end"]], maker: maker)
    }
    var cache = RowCache()
    let old = try cache.assemble(declare().parts())
    try #require(maker.count == count)
    items[id: count / 2]?.version = 1
    items.append(Item(id: -1))
    items.move(id: 3, to: count - 2)
    items.remove(id: 5)
    let snapshot = try cache.assemble(declare().parts())
    // One is new and one has changed; the one that moved keeps its row.
    #expect(maker.count == count + 2)
    #expect(snapshot.difference(from: old).operationCount == 4)
    let alignment = TreeAlignment(
      from: old.sections[0].rows.tree, to: snapshot.sections[0].rows.tree)
    let unshared = alignment.runs.reduce(0) { $0 + ($1.isShared ? 0 : $1.new.count) }
    #expect(unshared <= 6 * TreeNode<Row>.capacity)
    #expect(Array(snapshot.sections[0].rows) == declare().rows)
  }

  @Test(arguments: [20, 5_000])
  func `rows of a changed copy of a sequence do not count as those that a state has for itself`(
    count: Int
  ) throws {
    var lists = [KeyedSequence((0..<count).map { Item(id: $0) }), [Item(id: 1)]]
    var cache = RowCache()
    func unsharedRowCount() throws -> Int {
      let declaration = Declaration(
        lists: lists, gaps: [["lead"], ["one", "two"], []], maker: RowMaker())
      _ = try cache.assemble(declaration.parts())
      return cache.unsharedRowCount
    }
    #expect(try unsharedRowCount() == count + 4, "nothing is known of what came before")
    #expect(try unsharedRowCount() == 3)
    lists[0][id: 7]?.version = 1
    lists[0].append(Item(id: -1))
    lists[1] = []
    #expect(try unsharedRowCount() == 3)
    // Equal elements, but others.
    lists[0] = KeyedSequence(Array(lists[0]))
    #expect(try unsharedRowCount() == count + 1 + 3)
    lists[0].remove(id: 7)
    #expect(try unsharedRowCount() == 3)
    lists.removeLast()
    lists[0].remove(id: 8)
    #expect(try unsharedRowCount() == 3)
  }

  @Test func `a declaration that is the same gives the section before itself`() throws {
    let items = KeyedSequence((0..<100).map { Item(id: $0) })
    let parts = Declaration(lists: [items], gaps: [["lead"], []], maker: RowMaker()).parts()
    var cache = RowCache()
    let old = try cache.assemble(parts)
    let new = try cache.assemble(parts)
    #expect(new.sections.tree.isIdentical(to: old.sections.tree))
  }

  @Test func `an id that two lists give is refused by name`() throws {
    let items: KeyedSequence = [Item(id: 1), Item(id: 2)]
    let error = #expect(throws: SnapshotError.self) {
      try Snapshot {
        Section(id: "s") {
          ForEach(items) { RowMaker.make($0, in: 0) }
          ForEach([Item(id: 2), Item(id: 3)]) { RowMaker.make($0, in: 0) }
        }
      }
    }
    #expect(error == SnapshotError(duplicateRowIDs: ["0/2"]))
  }
}

extension RowCache {
  /// Makes the next snapshot, of one section with these parts.
  fileprivate mutating func assemble(
    _ parts: [RowPart], fields: [Text: JSONValue] = [:]
  ) throws -> Snapshot {
    let section = self.section("s", fields: fields, parts)
    let new = try Snapshot(sections: [section], reusing: snapshot)
    endAssembly(of: new)
    return new
  }
}
