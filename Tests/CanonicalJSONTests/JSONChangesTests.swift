import CanonicalJSON
import TestSupport
import Testing

@Suite("The changes of a JSON value from another one")
struct JSONChangesTests {
  @Test("have the members that differ, also those that are null")
  func form() {
    let old: JSONValue = ["a": 1, "b": ["c": nil, "d": 2], "e": ["f"], "g": ["h": 1]]
    let new: JSONValue = ["a": 1, "b": ["c": [3], "d": nil], "e": ["f", "i"], "j": [:]]
    let changes = new.changes(from: old)
    #expect(
      changes.description == #"{"b":{"c":[[3]],"d":[null]},"e":[["f","i"]],"g":null,"j":[{}]}"#)
    #expect(old.changed(by: changes) == new)
    #expect(new.changes(from: new) == [:])
  }

  @Test("give the value, whatever both are")
  func random() throws {
    try withSeeds(2_000) { random in
      let old = random.json(depth: 4)
      let new = random.chance(0.2) ? random.json(depth: 4) : old.spoilt(&random)
      let changes = try JSONValue(parsing: new.changes(from: old).canonicalBytes())
      let changed = old.changed(by: changes)
      try require(
        changed?.canonicalBytes() == new.canonicalBytes(),
        "\(old) changed by \(changes) is not \(new)")
    }
  }

  @Test(
    "are refused for a value that they are not of",
    arguments: [
      (1, ["a": [2]]), ([1], ["a": nil]), (["a": 1], ["a": ["b": [2]]]), (["a": 1], 2),
      (["a": 1], []), (["a": 1], ["a": [1, 2]]), (["a": 1], ["a": true]),
    ] as [(JSONValue, JSONValue)])
  func refused(old: JSONValue, changes: JSONValue) {
    #expect(old.changed(by: changes) == nil)
  }
}
