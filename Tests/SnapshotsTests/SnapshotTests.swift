import CanonicalJSON
import Snapshots
import Testing

/// Snapshots, sections and rows as values.
@Suite struct SnapshotTests {
  static let snapshot: Snapshot = {
    do {
      return try Snapshot(
        states: ["posts": "loaded", "profile": "isLoading"],
        sections: [
          Section(id: "profile", rows: [Row(id: "header", type: "profileHeader")]),
          Section(id: "empty", rows: []),
          Section(
            id: "posts", fields: ["title": "Posts", "badge": nil],
            rows: [
              Row(id: "post/1", type: "post", fields: ["body": "a\"b", "zone": 1]),
              Row(id: "post/2", type: "post"),
            ]),
        ])
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  @Test func `a row has its canonical encoding`() {
    let row = Row(id: "1", type: "post", fields: ["body": "é", "zone": [1.0, nil], "a": true])
    #expect(row.description == #"{"a":true,"body":"é","id":"1","type":"post","zone":[1,null]}"#)
    #expect(row.encoded == Array(row.description.utf8))
    let copy = Row(id: "1", type: "post", fields: row.fields)
    #expect(copy == row && copy.contentHash == row.contentHash && copy.hashValue == row.hashValue)
    #expect(copy.idHash == row.idHash)
    #expect(Row(id: "1", type: "post") != row)
  }

  @Test func `rows that cannot be written are not equal if their ids differ`() {
    let rows = ["a", "b"].map { Row(id: $0, type: "r", fields: ["sum": .number(.infinity)]) }
    #expect(rows[0] != rows[1])
    #expect(Set(rows).count == 2)
  }

  @Test func `content hashes are FNV-1a`() {
    // The hash of `{"id":"","type":""}`, computed with another implementation.
    #expect(Row(id: "", type: "").contentHash == 0x54DB_9C58_E3FC_6DDA)
  }

  @Test func `a snapshot finds sections and rows by id`() {
    let snapshot = Self.snapshot
    #expect(snapshot.rowCount == 3)
    #expect(snapshot.sections.map(\.id) == ["profile", "empty", "posts"])
    #expect(snapshot.index(ofSection: "posts") == 2)
    #expect(snapshot.index(ofSection: "Posts") == nil)
    #expect(snapshot.path(ofRow: "post/2") == RowPath(section: 2, row: 1))
    #expect(snapshot.path(ofRow: "posts") == nil)
    #expect(snapshot[RowPath(section: 2, row: 1)].id == "post/2")
    #expect(RowPath(section: 1, row: 9) < RowPath(section: 2, row: 0))
    #expect(RowPath(section: 1, row: 9).description == "[1,9]")
  }

  @Test func `ids that differ in bytes only are different ids`() throws {
    let snapshot = try Snapshot(sections: [
      Section(id: "é", rows: [Row(id: "é", type: "t"), Row(id: "e\u{301}", type: "t")]),
      Section(id: "e\u{301}", rows: []),
    ])
    #expect(snapshot.path(ofRow: "e\u{301}") == RowPath(section: 0, row: 1))
    #expect(snapshot.index(ofSection: "e\u{301}") == 1)
  }

  @Test func `ids that are not unique are refused by name`() {
    let row = Row(id: "1", type: "t")
    let error = #expect(throws: SnapshotError.self) {
      try Snapshot(sections: [
        Section(id: "a", rows: [row, row, Row(id: "2", type: "t")]),
        Section(id: "b", rows: [Row(id: "2", type: "u"), row]),
        Section(id: "a", rows: []),
      ])
    }
    #expect(error == SnapshotError(duplicateSectionIDs: ["a"], duplicateRowIDs: ["1", "2"]))
    #expect(error?.description == #"not unique: section ids ["a"], row ids ["1", "2"]"#)
  }

  @Test func `a repeated id is refused even if it replaced another one`() throws {
    func sections(_ ids: Text...) -> [Section] {
      ids.map { Section(id: $0, rows: [Row(id: "row \($0)", type: "t")]) }
    }
    func rows(_ ids: Text...) -> [Section] {
      [Section(id: "s", rows: ids.map { Row(id: $0, type: "t") })]
    }
    let ofSections = try Snapshot(sections: sections("a", "b", "c"))
    let ofRows = try Snapshot(sections: rows("a", "b", "c"))
    for (ids, twice) in [
      (["b", "b", "a"], "b"), (["c", "a", "a"], "a"), (["c", "b", "c"], "c"),
    ] as [([Text], Text)] {
      #expect(
        throws: SnapshotError(duplicateSectionIDs: [twice], duplicateRowIDs: ["row \(twice)"])
      ) {
        try Snapshot(sections: sections(ids[0], ids[1], ids[2]), reusing: ofSections)
      }
      #expect(throws: SnapshotError(duplicateRowIDs: [twice])) {
        try Snapshot(sections: rows(ids[0], ids[1], ids[2]), reusing: ofRows)
      }
    }
  }

  @Test func `a snapshot's document is canonical JSON`() throws {
    let bytes = Self.snapshot.encoded(kind: .snapshot, screen: "profile/1", revision: "R")
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"digest":"\#(Self.snapshot.digest)","kind":"snapshot","revision":"R","rowCount":3,"#
        + #""screen":"profile/1","sections":[{"id":"profile","#
        + #""rows":[{"id":"header","type":"profileHeader"}]},{"id":"empty","rows":[]},"#
        + #"{"badge":null,"id":"posts","rows":[{"body":"a\"b","id":"post/1","type":"post","zone":1},"#
        + #"{"id":"post/2","type":"post"}],"title":"Posts"}],"#
        + #""states":{"posts":"loaded","profile":"isLoading"}}"#)
    #expect(try JSONValue(parsing: bytes).canonicalBytes() == bytes)
  }

  @Test func `the document of a reset has its reason`() throws {
    let bytes = Snapshot.empty.encoded(
      kind: .reset(reason: "epoch-changed"), screen: "s/\"", revision: "R")
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"digest":"\#(Snapshot.empty.digest)","kind":"reset","reason":"epoch-changed","#
        + #""revision":"R","rowCount":0,"screen":"s/\"","sections":[],"states":{}}"#)
  }

  @Test func `a field with a reserved name or a number beyond JSON is refused with its id`() throws
  {
    let greatest = JSONValue.interoperableIntegers.upperBound
    let rows = [
      Row(id: "id", type: "t", fields: ["id": 1]), Row(id: "type", type: "t", fields: ["type": 1]),
      Row(id: "nan", type: "t", fields: ["a": .number(.nan)]),
      Row(id: "infinite", type: "t", fields: ["a": [["b": .number(-.infinity)]]]),
      Row(id: "large", type: "t", fields: ["a": .integer(greatest + 1)]),
      // Written as an integer that no reader may take.
      Row(id: "larger", type: "t", fields: ["a": .number(1e17)]),
      Row(id: "deep", type: "t", fields: ["a": (0..<513).reduce(1) { value, _ in [value] }]),
      Row(id: "greatest", type: "t", fields: ["a": .number(1e21)]),
      Row(id: "right", type: "t", fields: ["a": .integer(greatest)]),
    ]
    let sections = [
      Section(id: "s", rows: rows), Section(id: "rows", fields: ["rows": 1], rows: []),
      Section(id: "sum", fields: ["sum": .number(.nan)], rows: []),
    ]
    let error = SnapshotError(
      unwritableSectionIDs: ["rows", "sum"],
      unwritableRowIDs: ["deep", "id", "infinite", "large", "larger", "nan", "type"])
    #expect(throws: error) { try Snapshot(sections: sections) }

    // The same in one row of many that changes.
    let many = (0..<1_000).map { Row(id: "\($0)", type: "t", fields: ["n": .integer($0)]) }
    let before = try Snapshot(sections: [Section(id: "s", rows: many)])
    for place in [0, 17, 500, 999] {
      var after = many
      after[place] = Row(id: "\(place)", type: "t", fields: ["n": .number(.infinity)])
      let section = Section(id: "s", rows: after)
      #expect(throws: SnapshotError(unwritableRowIDs: ["\(place)"])) {
        try Snapshot(sections: [section], reusing: before)
      }
      after[place] = Row(id: "\(place)", type: "t", fields: ["n": 0.5])
      #expect(try Snapshot(sections: [Section(id: "s", rows: after)], reusing: before) != before)
    }
  }
}
