import CanonicalJSON
import Snapshots
import TestSupport
import Testing

/// The operations in the patch of a change, one rule after another.
@Suite struct JSONPatchRulesTests {
  private static func row(_ id: Text, _ fields: [Text: JSONValue] = [:]) -> Row {
    Row(id: id, type: "t", fields: fields)
  }

  private static func section(
    _ id: Text, _ fields: [Text: JSONValue] = [:], rows: [Text] = []
  ) -> Section {
    Section(id: id, fields: fields, rows: rows.map { row($0) })
  }

  /// Returns the operations of a patch between its test and the members that always change.
  private static func operations(from old: Snapshot, to new: Snapshot) throws -> [String] {
    let patch = PatchCase(from: old, to: new)
    try patch.check()
    return try patch.operations().dropFirst().map(\.value.description).filter { operation in
      !["revision", "digest", "rowCount"].contains {
        operation.hasPrefix(#"{"op":"replace","path":"/\#($0)","#)
      }
    }
  }

  private static func operations(
    from old: [Section], to new: [Section]
  ) throws -> [String] {
    try operations(from: Snapshot(sections: old), to: Snapshot(sections: new))
  }

  @Test func `a patch without a change replaces only the revision`() throws {
    let snapshot = try Snapshot(states: ["a": "loaded"], sections: [Self.section("a")])
    let patch = snapshot.difference(from: snapshot)
      .encodedPatch(of: snapshot, from: "old \"name\"", revision: "r")
    #expect(
      String(decoding: patch, as: UTF8.self)
        == #"[{"op":"test","path":"/revision","value":"old \"name\""},"#
        + #"{"op":"replace","path":"/revision","value":"r"}]"#)
  }

  @Test func `the digest changes with the content, the number of rows on its own`() throws {
    let old = try Snapshot(sections: [Self.section("a", rows: ["1"])])
    let changed = try Snapshot(sections: [Self.section("a", rows: ["2"])])
    let grown = try Snapshot(sections: [Self.section("a", rows: ["1", "2"])])
    func replaced(_ new: Snapshot) throws -> [Text] {
      try PatchCase(from: old, to: new).operations()
        .filter { try $0.member("op").string() == "replace" }
        .map { try $0.member("path").string() }
    }
    #expect(try replaced(changed) == ["/digest", "/revision"])
    #expect(try replaced(grown) == ["/rowCount", "/digest", "/revision"])
  }

  @Test func `a state is added, whether or not it existed, and a missing one is removed`() throws {
    #expect(
      try Self.operations(
        from: Snapshot(states: ["a": "loaded", "b": "loaded", "d": "x"], sections: []),
        to: Snapshot(states: ["a": "failed", "c/~": "loaded", "d": "x"], sections: [])) == [
          #"{"op":"remove","path":"/states/b"}"#,
          #"{"op":"add","path":"/states/a","value":"failed"}"#,
          #"{"op":"add","path":"/states/c~1~0","value":"loaded"}"#,
        ])
  }

  @Test func `a row that moves is one move, in its section and between two`() throws {
    let old = [
      Self.section("a", rows: ["1", "2", "3", "4"]), Self.section("b", rows: ["5", "6"]),
    ]
    #expect(
      try Self.operations(
        from: old,
        to: [Self.section("a", rows: ["2", "3", "4", "1"]), Self.section("b", rows: ["5", "6"])])
        == [#"{"from":"/sections/0/rows/0","op":"move","path":"/sections/0/rows/3"}"#])
    #expect(
      try Self.operations(
        from: old,
        to: [Self.section("a", rows: ["1", "3", "4"]), Self.section("b", rows: ["5", "2", "6"])])
        == [#"{"from":"/sections/0/rows/1","op":"move","path":"/sections/1/rows/1"}"#])
  }

  @Test func `rows that wait to move are counted, those that have moved are not`() throws {
    #expect(
      try Self.operations(
        from: [Self.section("a", rows: ["1", "2", "3", "4"])],
        to: [Self.section("a", rows: ["3", "9", "4", "2", "1"])]) == [
          // 3 and 4 stay; 1 and 2 wait before them, and 2 departs before 1.
          #"{"op":"add","path":"/sections/0/rows/3","value":{"id":"9","type":"t"}}"#,
          #"{"from":"/sections/0/rows/1","op":"move","path":"/sections/0/rows/4"}"#,
          #"{"from":"/sections/0/rows/0","op":"move","path":"/sections/0/rows/4"}"#,
        ])
  }

  @Test func `the positions of rows use the new indexes of their sections`() throws {
    #expect(
      try Self.operations(
        from: [
          Self.section("gone", rows: ["1"]), Self.section("a", rows: ["2"]), Self.section("b"),
          Self.section("c", rows: ["3", "4", "5"]),
        ],
        to: [
          Self.section("c", rows: ["4", "1"]), Self.section("a", rows: ["2", "3"]),
          Self.section("new", rows: ["5"]), Self.section("b"),
        ]) == [
          #"{"op":"remove","path":"/sections/0"}"#,
          #"{"from":"/sections/2","op":"move","path":"/sections/0"}"#,
          #"{"op":"add","path":"/sections/2","value":{"id":"new","rows":[{"id":"5","type":"t"}]}}"#,
          #"{"op":"remove","path":"/sections/0/rows/2"}"#,
          #"{"op":"add","path":"/sections/0/rows/2","value":{"id":"1","type":"t"}}"#,
          #"{"from":"/sections/0/rows/0","op":"move","path":"/sections/1/rows/1"}"#,
        ])
  }

  @Test func `fields are added or removed one by one, at the new place of their row`() throws {
    let old = Self.row("1", ["a": 1, "b": 2, "c": 3, "same": 0])
    let new = Self.row("1", ["a": nil, "b": [], "d": "", "same": 0])
    #expect(
      try Self.operations(
        from: [Section(id: "s", rows: [old, Self.row("2"), Self.row("3")])],
        to: [Section(id: "s", rows: [Self.row("2"), Self.row("3"), new])]) == [
          #"{"from":"/sections/0/rows/0","op":"move","path":"/sections/0/rows/2"}"#,
          #"{"op":"remove","path":"/sections/0/rows/2/c"}"#,
          #"{"op":"add","path":"/sections/0/rows/2/a","value":null}"#,
          #"{"op":"add","path":"/sections/0/rows/2/b","value":[]}"#,
          #"{"op":"add","path":"/sections/0/rows/2/d","value":""}"#,
        ])
  }

  @Test func `fields of a section are added or removed at its new place`() throws {
    #expect(
      try Self.operations(
        from: [Self.section("a", ["x": 1]), Self.section("b"), Self.section("c")],
        to: [Self.section("b"), Self.section("c"), Self.section("a", ["y": nil])]) == [
          #"{"from":"/sections/0","op":"move","path":"/sections/2"}"#,
          #"{"op":"remove","path":"/sections/2/x"}"#,
          #"{"op":"add","path":"/sections/2/y","value":null}"#,
        ])
  }

  @Test(arguments: [
    ("a/b", "a~1b"), ("~", "~0"), ("~1", "~01"), ("/~0", "~1~00"), ("", ""), ("-", "-"), ("0", "0"),
    (#"""#, #"\""#), (#"\"#, #"\\"#), ("\n", #"\n"#), ("\u{1}", #"\u0001"#), ("ü", "ü"),
    ("e\u{301}", "e\u{301}"), ("👩‍👩‍👧 /", "👩‍👩‍👧 ~1"), ("rows", "rows"),
  ])
  func `the name of a member is escaped for the pointer, then for JSON`(
    name: Text, escaped: String
  ) throws {
    let with = [Section(id: "s", rows: [Self.row("1", [name: 7])])]
    let without = [Section(id: "s", rows: [Self.row("1")])]
    #expect(
      try Self.operations(from: without, to: with)
        == [#"{"op":"add","path":"/sections/0/rows/0/\#(escaped)","value":7}"#])
    #expect(
      try Self.operations(from: with, to: without)
        == [#"{"op":"remove","path":"/sections/0/rows/0/\#(escaped)"}"#])
  }

  @Test func `a name is replaced by an equivalent one of other bytes`() throws {
    #expect(
      try Self.operations(
        from: [Section(id: "s", rows: [Self.row("1", ["\u{E9}": 1])])],
        to: [Section(id: "s", rows: [Self.row("1", ["e\u{301}": 1])])]) == [
          "{\"op\":\"remove\",\"path\":\"/sections/0/rows/0/\u{E9}\"}",
          "{\"op\":\"add\",\"path\":\"/sections/0/rows/0/e\u{301}\",\"value\":1}",
        ])
  }

  @Test func `a whole snapshot replaces any document, without a test`() throws {
    let snapshot = try Snapshot(states: ["a": "b"], sections: [Self.section("s", rows: ["1"])])
    let document = try JSONValue(
      parsing: snapshot.encoded(kind: .snapshot, screen: "s/\"1\"", revision: "r"))
    let patch = snapshot.encodedPatch(screen: "s/\"1\"", revision: "r")
    #expect(
      patch
        == JSONValue.array([["op": "replace", "path": "", "value": document]]).canonicalBytes())
    for before: JSONValue in [nil, [:], ["kind": "reset"], document] {
      #expect(try PatchApplier.apply(JSONValue(parsing: patch), to: before) == document)
    }
  }

  @Test func `a patch of another revision changes nothing`() throws {
    let patch = PatchCase(
      from: .empty, to: try Snapshot(sections: [Self.section("s", rows: ["1"])]))
    let other = try JSONValue(
      parsing: Snapshot.empty.encoded(kind: .snapshot, screen: "s/1", revision: "r0"))
    #expect(throws: LawViolation.self) {
      try PatchApplier.apply(JSONValue(parsing: patch.patch), to: other)
    }
  }
}
