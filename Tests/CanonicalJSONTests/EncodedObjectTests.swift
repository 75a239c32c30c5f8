import CanonicalJSON
import TestSupport
import Testing

@Suite("An object as canonical JSON")
struct EncodedObjectTests {
  @Test("has the members that were written, whatever their names and values hold")
  func members() throws {
    try withSeeds(400) { random in
      let members = Self.members(&random)
      let object = EncodedObject(JSONValue.object(members).canonicalBytes())
      try require(object.members.map(object.name) == members.keys.sorted(), "\(members)")
      for member in object.members {
        let (name, value) = (object.name(member), object.value(member))
        try require(members[name] == value, "\(name) is \(value) in \(members)")
      }
    }
  }

  @Test("has the changes since another one that a comparison of the members finds")
  func changes() throws {
    try withSeeds(400) { random in
      let old = Self.members(&random)
      var new = Self.members(&random)
      for (name, value) in old where random.chance(0.7) {
        new[name] = random.chance(0.5) ? value : random.json()
      }
      try Self.checkChanges(from: old, to: new)
    }
  }

  @Test("has the changes since one that is alike, with names and values that begin as others do")
  func similar() throws {
    let names: [Text] = ["", "1", "12", "a", "a\"", "a\"b", "a\\", "aa", "é"]
    let values: [JSONValue] = [
      1, 12, 1.5, 1e21, "", "a", "a\"", "a\\", "aa", "}", [], [1], [1, 12], [:], ["a": 1],
      ["a": 1, "b": 1], nil, true,
    ]
    try withSeeds(4_000) { random in
      var old: [Text: JSONValue] = [:]
      for name in names where random.chance(0.5) { old[name] = random.pick(values) }
      var new = old
      for _ in 0...random.number(in: 0...2) {
        new[random.pick(names)] = random.chance(0.3) ? nil : random.pick(values)
      }
      try Self.checkChanges(from: old, to: new)
    }
  }

  /// Compares the changes with those that a comparison of the members finds.
  private static func checkChanges(
    from old: [Text: JSONValue], to new: [Text: JSONValue]
  ) throws {
    let found = EncodedObject(JSONValue.object(new).canonicalBytes())
      .changes(since: EncodedObject(JSONValue.object(old).canonicalBytes()))
    let set = new.filter { old[$0.key] != $0.value }
    try require(
      found.set == (set.isEmpty ? [] : JSONValue.object(set).canonicalBytes()),
      "\(found.set) from \(old) to \(new)")
    try require(
      found.unset == old.keys.filter { new[$0] == nil }.sorted(),
      "\(found.unset) from \(old) to \(new)")
  }

  private static func members(_ random: inout SeededGenerator) -> [Text: JSONValue] {
    (0..<random.number(in: 0...6)).reduce(into: [:]) { members, _ in
      members[random.text()] = random.json()
    }
  }
}
