import CanonicalJSON
import Testing

@testable import ViewState

@Suite("Who sends inputs and owns view models")
struct OwnerTests {
  static func entry(_ by: JSONValue?) throws -> Entry {
    var members: [Text: JSONValue] = [
      "position": 1, "time": "2026-01-01T00:00:00Z", "input": ["kind": "write"],
    ]
    members["by"] = by
    return try JSONValue.object(members).decode(Entry.self)
  }

  @Test("is read from an entry, which has none as long as clients have no identity")
  func entries() throws {
    #expect(try Self.entry(nil).by == nil && Self.entry(.null).by == nil)
    let ada = try Self.entry("ada")
    #expect(ada.by == Owner(rawValue: "ada"))
    #expect(try JSONValue(encoding: ada).decode(Entry.self) == ada)
    let written = try JSONReader(JSONValue(encoding: Self.entry(nil)))
    #expect(try written.memberNames.contains("by") == false)
  }

  @Test("is part of the epoch of a view model")
  func epochs() {
    let source = EpochSource(seed: [1])
    let owners = [nil] + ["a", "b", "null", "1"].map { Owner(rawValue: $0) }
    let epochs = owners.flatMap { owner in
      [0, 1].flatMap { born in
        ["x/1", "1/x"].map { source.epoch(of: $0, owner: owner, born: born) }
      }
    }
    #expect(Set(epochs).count == 20)
    #expect(EpochSource(seed: [2]).epoch(of: "x/1", owner: nil, born: 0) != epochs[0])
  }
}
