import CanonicalJSON
import Snapshots
import Testing

/// The rules of a diff one by one, each as the exact bytes on the wire.
@Suite struct DifferenceRulesTests {
  struct Rule: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let old: Snapshot
    let new: Snapshot
    /// The member `rows` of the diff, or nothing if it has none, and the same for `sections`.
    var rows = ""
    var sections = ""
  }

  private static func snapshot(_ sections: String...) -> Snapshot {
    OperationFixture.snapshot(sections.joined(separator: "|"))
  }

  static let rules: [Rule] = [
    Rule(
      testDescription: "nothing changed", old: snapshot("a: 1 2"), new: snapshot("a: 1 2")),
    Rule(
      testDescription: "deletes are in old coordinates, descending", old: snapshot("a: 1 2 3 4"),
      new: snapshot("a: 1 3"),
      rows: #"{"deletes":[{"at":[0,3],"id":"4"},{"at":[0,1],"id":"2"}]}"#),
    Rule(
      testDescription: "inserts are in new coordinates, ascending", old: snapshot("a: 2 3"),
      new: snapshot("a: 1 2 9 3"),
      rows: #"{"inserts":[{"at":[0,0],"row":{"id":"1","type":"p"}},"#
        + #"{"at":[0,2],"row":{"id":"9","type":"p"}}]}"#),
    Rule(
      testDescription: "a shift is no move", old: snapshot("a: 1 2 3"), new: snapshot("a: 0 2 3"),
      rows: #"{"deletes":[{"at":[0,0],"id":"1"}],"#
        + #""inserts":[{"at":[0,0],"row":{"id":"0","type":"p"}}]}"#),
    Rule(
      testDescription: "the last row to the front is one move", old: snapshot("a: 1 2 3"),
      new: snapshot("a: 3 1 2"),
      rows: #"{"moves":[{"from":[0,2],"id":"3","to":[0,0]}]}"#),
    Rule(
      testDescription: "a row that changes as it moves is a move and one update",
      old: snapshot("a: 1 2 3=x"), new: snapshot("a: 3=y 1 2"),
      rows: #"{"moves":[{"from":[0,2],"id":"3","to":[0,0]}],"#
        + #""updates":[{"from":[0,2],"id":"3","set":{"text":"y"},"to":[0,0]}]}"#),
    Rule(
      testDescription: "a field that is gone is unset", old: snapshot("a: 0 1=x"),
      new: snapshot("a: 1"),
      rows: #"{"deletes":[{"at":[0,0],"id":"0"}],"#
        + #""updates":[{"from":[0,1],"id":"1","to":[0,0],"unset":["text"]}]}"#),
    Rule(
      testDescription: "another type is a delete and an insert", old: snapshot("a: 1 2"),
      new: snapshot("a: 1!q 2"),
      rows: #"{"deletes":[{"at":[0,0],"id":"1"}],"#
        + #""inserts":[{"at":[0,0],"row":{"id":"1","type":"q"}}]}"#),
    Rule(
      testDescription: "a row moves across kept sections", old: snapshot("a: 1 2", "b: 3"),
      new: snapshot("a: 2", "b: 3 1=x"),
      rows: #"{"moves":[{"from":[0,0],"id":"1","to":[1,1]}],"#
        + #""updates":[{"from":[0,0],"id":"1","set":{"text":"x"},"to":[1,1]}]}"#),
    Rule(
      testDescription: "a row that leaves a deleted section is an insert only",
      old: snapshot("a: 1 2", "b: 3"), new: snapshot("b: 3 1"),
      rows: #"{"inserts":[{"at":[0,1],"row":{"id":"1","type":"p"}}]}"#,
      sections: #"{"deletes":[{"at":0,"id":"a"}]}"#),
    Rule(
      testDescription: "a row that goes into an inserted section is a delete only",
      old: snapshot("b: 3 1"), new: snapshot("a: 1 2", "b: 3"),
      rows: #"{"deletes":[{"at":[0,1],"id":"1"}]}"#,
      sections: #"{"inserts":[{"at":0,"section":{"id":"a","#
        + #""rows":[{"id":"1","type":"p"},{"id":"2","type":"p"}]}}]}"#),
    Rule(
      testDescription: "from a deleted to an inserted section a row is not listed",
      old: snapshot("a: 1"), new: snapshot("b: 1"),
      sections: #"{"deletes":[{"at":0,"id":"a"}],"#
        + #""inserts":[{"at":0,"section":{"id":"b","rows":[{"id":"1","type":"p"}]}}]}"#),
    Rule(
      testDescription: "rows of a moved section stay", old: snapshot("a: 1 2", "b: 3", "c:"),
      new: snapshot("c:", "a: 1 2", "b: 3"),
      sections: #"{"moves":[{"from":2,"id":"c","to":0}]}"#),
    Rule(
      testDescription: "row paths follow their moved section", old: snapshot("a: 1=x 2", "b: 3"),
      new: snapshot("b: 3 4", "a: 1=y"),
      rows: #"{"deletes":[{"at":[0,1],"id":"2"}],"#
        + #""inserts":[{"at":[0,1],"row":{"id":"4","type":"p"}}],"#
        + #""updates":[{"from":[0,0],"id":"1","set":{"text":"y"},"to":[1,0]}]}"#,
      sections: #"{"moves":[{"from":1,"id":"b","to":0}]}"#),
  ]

  @Test(arguments: rules)
  func `a diff follows the rule`(_ rule: Rule) throws {
    let changeset = rule.new.difference(from: rule.old)
    let bytes = changeset.encoded(screen: "s/1", from: "A", revision: "B")
    let rows = rule.rows.isEmpty ? "" : #","rows":\#(rule.rows)"#
    let sections = rule.sections.isEmpty ? "" : #","sections":\#(rule.sections)"#
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"digest":"\#(rule.new.digest)","from":"A","kind":"diff","revision":"B","#
        + #""rowCount":\#(rule.new.rowCount)\#(rows),"screen":"s/1"\#(sections)}"#)
    #expect(try rule.old.applying(changeset) == rule.new)
  }

  @Test func `changed states are listed, and a removed one is null`() throws {
    let old = try Snapshot(states: ["a": "loaded", "b": "failed", "c": "loaded"], sections: [])
    let new = try Snapshot(states: ["a": "loaded", "b": "loaded", "d": "failed"], sections: [])
    let changeset = new.difference(from: old)
    #expect(changeset.states == ["b": "loaded", "c": nil, "d": "failed"])
    #expect(
      String(decoding: changeset.encoded(screen: "s", from: "A", revision: "B"), as: UTF8.self)
        .hasSuffix(#""screen":"s","states":{"b":"loaded","c":null,"d":"failed"}}"#))
    #expect(try old.applying(changeset) == new)
  }

  @Test func `a section's fields are updated without its rows`() throws {
    let rows = [Row(id: "1", type: "p")]
    let old = try Snapshot(sections: [Section(id: "a", fields: ["t": 1, "u": 2], rows: rows)])
    let new = try Snapshot(sections: [Section(id: "a", fields: ["t": nil], rows: rows)])
    let changeset = new.difference(from: old)
    #expect(changeset.operationCount == 1)
    #expect(
      changeset.sections.updates == [.init(id: "a", from: 0, to: 0, set: ["t": nil], unset: ["u"])])
    #expect(try old.applying(changeset) == new)
  }

  @Test func `an update is equal to one that is made of the same fields`() throws {
    func snapshot(_ fields: [Text: JSONValue]) throws -> Snapshot {
      try Snapshot(sections: [Section(id: "a", rows: [Row(id: "1", type: "p", fields: fields)])])
    }
    let old = try snapshot(["n": 1, "o": "x", "t": true])
    let found = try snapshot(["n": 2, "o": ["\"": nil], "t": true]).difference(from: old)
    var given = found
    let path = RowPath(section: 0, row: 0)
    given.rows.updates = [.init(id: "1", from: path, to: path, set: ["n": 2, "o": ["\"": nil]])]
    #expect(found == given && given == found && Set([found, given]).count == 1)
    #expect(
      found.encoded(screen: "s", from: "A", revision: "B")
        == given.encoded(screen: "s", from: "A", revision: "B"))
    given.rows.updates = found.rows.updates
    given.rows.updates[0].set["n"] = nil
    #expect(given.rows.updates[0].set == ["o": ["\"": nil]] && given != found && found != given)
  }

  @Test func `another normalisation of a text is different content`() throws {
    let old = try Snapshot(sections: [
      Section(id: "a", rows: [Row(id: "1", type: "p", fields: ["é": "é"])])
    ])
    let new = try Snapshot(sections: [
      Section(id: "a", rows: [Row(id: "1", type: "p", fields: ["e\u{301}": "e\u{301}"])])
    ])
    let changeset = new.difference(from: old)
    #expect(changeset.rows.updates.first?.unset == ["é"])
    let result = try old.applying(changeset)
    #expect(result.sections[0].rows[0].encoded == new.sections[0].rows[0].encoded)
  }
}
