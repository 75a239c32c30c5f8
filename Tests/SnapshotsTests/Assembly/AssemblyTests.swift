import CanonicalJSON
import TestSupport
import Testing

@testable import Snapshots

/// Snapshots that are laid out anew share with the previous one what is the same.
@Suite struct AssemblyTests {
  @Test func `a declaration is sections of rows, with conditions, switches and loops`() throws {
    func assemble(names: [Text], isLoading: Bool, footer: Row?) throws -> Snapshot {
      try Snapshot(states: ["names": isLoading ? "isLoading" : "loaded"]) {
        Section(id: "head", fields: ["title": "T"]) {
          Row(id: "header", type: "header")
          if isLoading { Row(id: "loading", type: "loading") }
        }
        if names.isEmpty {
          Section(id: "empty") {}
        } else {
          Section(id: "names") {
            for name in names { Row(id: name, type: "name") }
            switch names.count {
            case 1: Row(id: "one", type: "count")
            default: ["many", "more"].map { Row(id: $0, type: "count") }
            }
            footer
          }
        }
      }
    }
    let full = try assemble(
      names: ["a", "b"], isLoading: true, footer: Row(id: "footer", type: "footer"))
    #expect(full.itemIdentifiers == ["header", "loading", "a", "b", "many", "more", "footer"])
    #expect(full.sectionIdentifiers == ["head", "names"] && full.states == ["names": "isLoading"])
    let bare = try assemble(names: [], isLoading: false, footer: nil)
    #expect(bare.sectionIdentifiers == ["head", "empty"] && bare.itemIdentifiers == ["header"])
    let one = try assemble(names: ["a"], isLoading: false, footer: nil)
    #expect(one.itemIdentifiers == ["header", "a", "one"])
  }

  @Test func `equal content gives the previous snapshot itself`() throws {
    let old = try list(0..<200)
    let new = try Snapshot(states: ["a": "b"], sections: Self.sections(0..<200), reusing: old)
    #expect(new.isIdentical(to: old))
  }

  @Test func `only the states change`() throws {
    let old = try list(0..<200)
    let new = try Snapshot(states: ["a": "c"], sections: Self.sections(0..<200), reusing: old)
    #expect(new.sections.tree.isIdentical(to: old.sections.tree))
    #expect(new.difference(from: old).states == ["a": "c"])
  }

  @Test func `runs between changes are shared, and equal rows are the old ones`() throws {
    let old = try list(0..<2_000)
    var numbers = Array(0..<2_000)
    numbers.remove(at: 1_500)
    numbers.insert(5_000, at: 100)
    let new = try Snapshot(sections: Self.sections(numbers), reusing: old)
    try SnapshotValidator.validate(new)
    let alignment = TreeAlignment(
      from: old.sections[0].rows.tree, to: new.sections[0].rows.tree)
    let unshared = alignment.runs.reduce(0) { $0 + ($1.isShared ? 0 : $1.new.count) }
    #expect(unshared <= 2 * TreeNode<Row>.capacity)
    let path = try #require(new.path(ofRow: "row/101"))
    #expect(new[path].isIdentical(to: old[try #require(old.path(ofRow: "row/101"))]))
  }

  @Test func `whatever changes, the result is that of a layout without a previous one`() throws {
    try withSeeds(300) { random in
      let old = try random.snapshot(maximumRows: 150, maximumSections: 4)
      let new =
        random.chance(0.3)
        ? try random.snapshot(maximumRows: 150, maximumSections: 4)
        : try random.mutation(of: old, edits: random.number(in: 0...12))
      let apart = new.sections.map { section in
        Section(
          id: section.id, fields: section.fields,
          rows: section.rows.map { Row(id: $0.id, type: $0.type, fields: $0.fields) })
      }
      let reused = try Snapshot(states: new.states, sections: apart, reusing: old)
      try require(reused == new && reused.digest == new.digest, "\(reused) instead of \(new)")
      try SnapshotValidator.validate(reused)
      _ = try reused.provenDifference(from: old)
      try require(reused.isIdentical(to: old) == (old == new), "equal content is not shared")
    }
  }

  @Test func `two revisions cost what changed between them beside one of them`() throws {
    let old = try list(0..<2_000)
    var new = old
    try new.reconfigureItems([Row(id: "row/7", type: "t", fields: ["n": -1])])
    #expect(Snapshot.byteCount(between: old, and: old) == 0)
    #expect((200...20_000).contains(Snapshot.byteCount(between: old, and: new)))
    #expect(Snapshot.byteCount(between: .empty, and: new) > old.byteCount / 2)
    new.deleteAllItems()
    #expect(Snapshot.byteCount(between: old, and: new) > old.byteCount / 2)
  }

  private static func row(_ number: Int) -> Row {
    Row(id: "row/\(number)", type: "t", fields: ["n": .integer(number)])
  }

  private static func sections(_ numbers: some Sequence<Int>) -> [Section] {
    [Section(id: "s", fields: ["title": "T"], rows: numbers.map { row($0) })]
  }

  private func list(_ numbers: Range<Int>) throws -> Snapshot {
    try Snapshot(states: ["a": "b"], sections: Self.sections(numbers))
  }
}
