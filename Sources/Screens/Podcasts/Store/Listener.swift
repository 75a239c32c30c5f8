public import CanonicalJSON
public import ViewState

/// Somebody who follows podcasts.
public struct Listener: Hashable, Sendable {
  /// Unique among the listeners, and the key of the listener's screen.
  public let id: ResourceID
  /// The name shown.
  public var name: Text
}

extension Listener: SizedResource {
  public var byteCount: Int { id.text.byteCount + name.byteCount }
}

extension Listener {
  /// Reads a listener. Unknown members are ignored.
  ///
  /// - Parameter assigned: the id to use where the object has none.
  /// - Throws: `JSONShapeError` for a missing or wrong member, and a name that is too long.
  public init(_ reader: JSONReader, assigned: ResourceID? = nil) throws(JSONShapeError) {
    try reader.noteUnknownMembers(besides: ["id", "name"])
    id = try reader.resourceID("id", assigned: assigned)
    name = try reader.member("name").text()
  }

  /// The listener as `init(_:assigned:)` reads it.
  public var json: JSONValue { .object(["id": id.json, "name": .string(name)]) }
}

/// As `json`.
extension Listener: Codable {
  public init(from decoder: any Decoder) throws { try self.init(JSONReader(from: decoder)) }
}
