import CanonicalJSON
import Snapshots
import TestSupport
import Testing
import ViewDeltaClient

/// The lists of an app that a replica changes with each document.
@Suite struct ReplicaListTests {
  /// The sections of a view model, each with a list of its rows.
  struct Screen: TransformableList {
    var sections = CheckedList<Section>()
    var rows: [CheckedList<Row>] = []

    var elements: [Section] { sections.elements }

    mutating func insert(_ new: Section, at index: Int) {
      sections.insert(new, at: index)
      rows.insert(CheckedList(), at: index)
      rows[index].transform(to: new.rows)
    }

    mutating func delete(_ old: Section, at index: Int) {
      sections.delete(old, at: index)
      rows.remove(at: index)
    }

    mutating func update(_ old: Section, at oldIndex: Int, to new: Section, at index: Int) {
      sections.update(old, at: oldIndex, to: new, at: index)
      rows[index].transform(to: new.rows)
    }

    mutating func move(_ element: Section, from oldIndex: Int, to index: Int) {
      sections.move(element, from: oldIndex, to: index)
      rows.insert(rows.remove(at: oldIndex), at: index)
    }

    func check(_ snapshot: Snapshot) throws {
      try sections.check(Array(snapshot.sections))
      for (list, section) in zip(rows, snapshot.sections) { try list.check(Array(section.rows)) }
    }
  }

  @Test func `lists follow any chain of documents, operation by operation`() throws {
    try withSeeds(120) { random in
      var snapshot = try random.snapshot()
      let first = snapshot.encoded(kind: .snapshot, screen: "s/1", revision: "0")
      var (replica, other) = (try Replica(document: first), try Replica(document: first))
      var screen = Screen()
      screen.transform(to: replica.snapshot.sections)
      let section = random.pick(["none"] + snapshot.sections.map(\.id))
      var rows = CheckedList<Row>()
      rows.transform(to: other.rows(ofSection: section))
      for step in 1...6 {
        let next =
          random.chance(0.8)
          ? try random.mutation(of: snapshot, edits: random.number(in: 0...8))
          : try random.snapshot()
        let difference = next.difference(from: snapshot)
        let document =
          random.chance(0.2)
          ? next.encoded(kind: .reset(reason: "r"), screen: "s/1", revision: "\(step)")
          : difference.encoded(screen: "s/1", from: "\(step - 1)", revision: "\(step)")
        screen.sections.resetCounts()
        try require(
          try replica.apply(document: document, to: &screen) == difference, "another changeset")
        try screen.check(next)
        try require(
          screen.sections.counts["move"] ?? 0 == difference.sections.moves.count, "other moves")

        rows.resetCounts()
        try other.apply(document: document, to: &rows, section: section)
        try rows.check(Array(other.rows(ofSection: section)))
        try require(
          rows.elements == next.sections.first { $0.id == section }.map { Array($0.rows) } ?? [],
          "other rows")
        snapshot = next
      }
    }
  }

  @Test func `a change of one row in a long list is one operation`() throws {
    let rows = (0..<2_000).map { Row(id: "row/\($0)", type: "t", fields: ["n": .integer($0)]) }
    let old = try Snapshot(sections: [Section(id: "s", rows: rows)])
    var edited = rows
    edited[700] = Row(id: "row/700", type: "t", fields: ["n": 0])
    let new = try Snapshot(sections: [Section(id: "s", rows: edited)])
    var replica = try Replica(document: old.encoded(kind: .snapshot, screen: "s/1", revision: "0"))
    var list = CheckedList(rows)
    try replica.apply(
      document: new.difference(from: old).encoded(screen: "s/1", from: "0", revision: "1"),
      to: &list, section: "s")
    try list.check(edited)
    #expect(list.counts == ["update": 1])
  }

  @Test func `a section in place of another one with its id has its own rows`() throws {
    let old = try Snapshot(sections: [Section(id: "s", rows: [Row(id: "a", type: "t")])])
    let other = Section(id: "s", rows: [Row(id: "b", type: "t"), Row(id: "c", type: "t")])
    let new = try Snapshot(sections: [other])
    let diff = Changeset(
      sections: .init(
        deletes: [.init(id: "s", at: 0)], inserts: [.init(at: 0, element: other)]),
      rowCount: 2, digest: new.digest
    ).encoded(screen: "s/1", from: "0", revision: "1")
    let first = old.encoded(kind: .snapshot, screen: "s/1", revision: "0")
    var (replica, another) = (try Replica(document: first), try Replica(document: first))
    var list = CheckedList(Array(replica.rows(ofSection: "s")))
    try replica.apply(document: diff, to: &list, section: "s")
    try list.check(Array(other.rows))
    var screen = Screen()
    screen.transform(to: another.snapshot.sections)
    try another.apply(document: diff, to: &screen)
    try screen.check(new)
  }

  @Test func `a document that is refused changes no list`() throws {
    let old = try Snapshot(sections: [Section(id: "s", rows: [Row(id: "a", type: "t")])])
    let new = try Snapshot(sections: [Section(id: "s", rows: [Row(id: "b", type: "t")])])
    var replica = try Replica(document: old.encoded(kind: .snapshot, screen: "s/1", revision: "0"))
    let document = new.difference(from: old).encoded(screen: "s/1", from: "9", revision: "1")
    var list = CheckedList(Array(replica.rows(ofSection: "s")))
    var screen = Screen()
    screen.transform(to: replica.snapshot.sections)
    let refusal = ReplicaError.otherRevision(expected: "0", found: "9")
    #expect(throws: refusal) { try replica.apply(document: document, to: &list, section: "s") }
    #expect(throws: refusal) { try replica.apply(document: document, to: &screen) }
    try list.check(Array(old.sections[0].rows))
    try screen.check(old)
  }
}
