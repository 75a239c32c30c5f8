import CanonicalJSON
import Testing

@Suite("The names that decoding finds")
struct DeclaredNamesTests {
  private enum Colour: String, Codable {
    case red
  }

  private enum Size: String, Codable {
    case small
    case other

    init(from decoder: any Decoder) throws {
      self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .other
    }
  }

  private enum Value: Codable {
    case text(String)

    init(from decoder: any Decoder) throws {
      self = .text(try decoder.singleValueContainer().decode(String.self))
    }
  }

  private struct Name: Codable {
    let text: String

    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
    }
  }

  private struct Item: Codable {
    let title: String
    let colour: Colour?
    let sizes: [Size]
    let big: UInt64
    let counts: [String: Int]
    let other: JSONValue
    let value: Value
    let name: Name
  }

  @Test(
    "are those of members, cases and large numbers, and not what users write or choose as a name")
  func names() throws {
    let json: JSONValue = [
      "title": "secret title", "colour": "red",
      "sizes": ["small", "secret size"], "big": "18446744073709551615",
      "counts": ["secret name": 1], "other": ["secret member": "secret"], "value": "secret value",
      "name": "secret person", "secret unknown": 1,
    ]
    let names = DeclaredNames()
    _ = try DeclaredNames.$current.withValue(names) { try json.decode(Item.self) }
    for name: Text in [
      "title", "colour", "counts", "other", "value", "name", "red", "small", "sizes",
      "18446744073709551615",
    ] {
      #expect(names.contains(name), "\(name)")
    }
    for text: Text in [
      "secret title", "secret name", "secret member", "secret", "secret value", "secret person",
      "secret unknown", "secret size",
    ] {
      #expect(!names.contains(text), "\(text)")
    }
    let others = DeclaredNames()
    _ = try json.decode(Item.self)
    #expect(!others.contains("title"))
  }
}
