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
  }

  private static func members(_ random: inout SeededGenerator) -> [Text: JSONValue] {
    (0..<random.number(in: 0...6)).reduce(into: [:]) { members, _ in
      members[random.text()] = random.json()
    }
  }
}
