public import CanonicalJSON
public import ViewState

/// A user as the profile store keeps it, in the shape of a json-server file.
public struct User: Hashable, Sendable {
  /// Unique among the users, and the key of the user's screen.
  public let id: ResourceID
  /// The name shown.
  public var username: Text
  /// Kept for the REST resource; no screen shows it.
  public var email: Text?
  /// The attribute row "Website".
  public var website: Text?
  /// The attribute row "Location"; `address.city` in JSON.
  public var city: Text?
  /// The picture in the header; `avatarURL` or `image` in JSON.
  public var avatarURL: Text?
  /// The number in the header, from 0.
  public var friendsCount: Int?
}

extension User: SizedResource {
  public var byteCount: Int {
    [id.text, username, email, website, city, avatarURL].reduce(0) { $0 + ($1?.byteCount ?? 0) }
  }
}

extension User {
  /// Reads a user. Unknown members are ignored; a member that is `null` counts as absent.
  ///
  /// - Parameter assigned: the id to use where the object has none.
  /// - Throws: `JSONShapeError` for a missing `id` (without `assigned`), a missing `username` and
  ///   `name`, a member of the wrong type, and a text that is too long.
  public init(_ reader: JSONReader, assigned: ResourceID? = nil) throws(JSONShapeError) {
    try reader.noteUnknownMembers(besides: [
      "id", "username", "name", "email", "website", "address", "avatarURL", "image",
      "friendsCount",
    ])
    id = try reader.resourceID("id", assigned: assigned)
    if let username = try reader.optionalText("username", "name") {
      self.username = username
    } else {
      throw JSONShapeError(
        pointer: reader.pointer, message: "expected a member \"username\" or \"name\"")
    }
    email = try reader.optionalText("email")
    website = try reader.optionalText("website", atMost: JSONReader.longestURL)
    if let address = try reader.nullableMember("address") {
      try address.noteUnknownMembers(besides: ["city"])
      city = try address.optionalText("city")
    }
    avatarURL = try reader.optionalText("avatarURL", "image", atMost: JSONReader.longestURL)
    if let count = try reader.nullableMember("friendsCount") {
      let number = try count.integer()
      guard number >= 0 else {
        throw JSONShapeError(pointer: count.pointer, message: "expected a number of friends from 0")
      }
      friendsCount = number
    }
  }

  /// The user as `init(_:assigned:)` reads it; absent members are left out.
  public var json: JSONValue {
    var members: [Text: JSONValue] = ["id": id.json, "username": .string(username)]
    members["email"] = email.map(JSONValue.string)
    members["website"] = website.map(JSONValue.string)
    members["address"] = city.map { .object(["city": .string($0)]) }
    members["avatarURL"] = avatarURL.map(JSONValue.string)
    members["friendsCount"] = friendsCount.map(JSONValue.integer)
    return .object(members)
  }
}

/// As `json`.
extension User: Codable {
  public init(from decoder: any Decoder) throws { try self.init(JSONReader(from: decoder)) }
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
