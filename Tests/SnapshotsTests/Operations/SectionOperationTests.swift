import CanonicalJSON
import Snapshots
import Testing

/// The operations on sections: at the start, in the middle and at the end, and refused.
@Suite struct SectionOperationTests {
  typealias Case = ItemOperationTests.Case

  static let start = OperationFixture.snapshot("a: 1 2 | b: 3 | c:")

  private static func sections(_ text: String) -> [Section] {
    Array(OperationFixture.snapshot(text).sections)
  }

  private static func duplicates(
    sections: [Text] = [], rows: [Text] = []
  ) -> SnapshotOperationError {
    .invalid(SnapshotError(duplicateSectionIDs: sections, duplicateRowIDs: rows))
  }

  static let cases: [Case] = [
    Case("append", "a: 1 2 | b: 3 | c: | d: 4 | e:") {
      try $0.appendSections(sections("d: 4 | e:"))
    },
    Case(
      "append sections and rows that are there", refused: duplicates(sections: ["b"], rows: ["2"])
    ) { try $0.appendSections(sections("b: 7 | d: 2")) },
    Case("insert before the first", "d: 4 | e: | a: 1 2 | b: 3 | c:") {
      try $0.insertSections(sections("d: 4 | e:"), beforeSection: "a")
    },
    Case("insert before the last", "a: 1 2 | b: 3 | d: 4 | c:") {
      try $0.insertSections(sections("d: 4"), beforeSection: "c")
    },
    Case("insert after the first", "a: 1 2 | d: 4 | b: 3 | c:") {
      try $0.insertSections(sections("d: 4"), afterSection: "a")
    },
    Case("insert after the last", "a: 1 2 | b: 3 | c: | d: 4") {
      try $0.insertSections(sections("d: 4"), afterSection: "c")
    },
    Case("insert beside an unknown section", refused: .unknownSections(["z"])) {
      try $0.insertSections(sections("d: 4"), afterSection: "z")
    },
    Case("insert before an unknown section", refused: .unknownSections(["1"])) {
      try $0.insertSections(sections("d: 4"), beforeSection: "1")
    },
    Case("insert a section that is there", refused: duplicates(sections: ["c"])) {
      try $0.insertSections(sections("c:"), beforeSection: "a")
    },
    Case("delete the first and the last", "b: 3") {
      #expect($0.deleteSections(["c", "a"]) == 0)
    },
    Case("delete unknown sections, which are counted", "a: 1 2 | c:") {
      #expect($0.deleteSections(["b", "z", "b", "1"]) == 3)
    },
    Case("move the first before the last", "b: 3 | a: 1 2 | c:") {
      try $0.moveSection("a", beforeSection: "c")
    },
    Case("move the first after the last", "b: 3 | c: | a: 1 2") {
      try $0.moveSection("a", afterSection: "c")
    },
    Case("move the last before the first", "c: | a: 1 2 | b: 3") {
      try $0.moveSection("c", beforeSection: "a")
    },
    Case("move the last after the first", "a: 1 2 | c: | b: 3") {
      try $0.moveSection("c", afterSection: "a")
    },
    Case("move to where it is", "a: 1 2 | b: 3 | c:") {
      try $0.moveSection("b", beforeSection: "c")
      try $0.moveSection("b", afterSection: "a")
    },
    Case("move an unknown section to another", refused: .unknownSections(["y", "z"])) {
      try $0.moveSection("y", beforeSection: "z")
    },
    Case("move to itself", refused: .ownAnchor("a")) {
      try $0.moveSection("a", beforeSection: "a")
    },
    Case("reload", "a: 2 4 | b: | c: 5") { try $0.reloadSections(sections("c: 5 | a: 2 4 | b:")) },
    Case("reload an unknown section", refused: .unknownSections(["z"])) {
      try $0.reloadSections(sections("a: | z:"))
    },
    Case("reload with a row of another section", refused: duplicates(rows: ["3"])) {
      try $0.reloadSections(sections("a: 3"))
    },
    Case("reload a section twice", refused: duplicates(sections: ["a"])) {
      try $0.reloadSections([Section(id: "a", rows: []), Section(id: "a", rows: [])])
    },
  ]

  @Test(arguments: cases)
  func `an operation gives its result, or is refused and changes nothing`(_ operation: Case) throws
  {
    try OperationFixture.check(operation.edit, on: Self.start, leadTo: operation.expected)
  }

  @Test func `rows stay when sections move, and are found`() throws {
    var snapshot = Self.start
    try snapshot.moveSection("a", afterSection: "b")
    #expect(snapshot.path(ofRow: "2") == RowPath(section: 1, row: 1))
    #expect(snapshot.difference(from: Self.start).operationCount == 1)
  }

  @Test func `two revisions of a section can be two sections of one snapshot`() throws {
    let old = OperationFixture.snapshot("a: 1 2")
    var new = old
    new.deleteItems(["1", "2"])
    try new.appendItems([OperationFixture.row("3")])
    let both = try Snapshot(sections: [
      Section(id: "old", rows: old.sections[0].rows),
      Section(id: "new", rows: new.sections[0].rows),
    ])
    try SnapshotValidator.validate(both)
    var other = old
    try other.appendSections([Section(id: "new", rows: new.sections[0].rows)])
    try SnapshotValidator.validate(other)
    #expect(other.itemIdentifiers == ["1", "2", "3"])
    #expect(try old.applying(other.difference(from: old)) == other)
  }

  @Test func `a state changes without the rows`() {
    let snapshot = Self.start.with(states: ["posts": "loaded"])
    #expect(snapshot.states == ["posts": "loaded"])
    #expect(snapshot.difference(from: Self.start).states == ["posts": "loaded"])
    #expect(snapshot.with(states: [:]) == Self.start)
  }
}
