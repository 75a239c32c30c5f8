public import CanonicalJSON
public import ViewState

/// A post of a user, in the shape of a json-server file.
public struct Post: Hashable, Sendable {
  /// Unique among the posts of all users.
  public let id: ResourceID
  /// Whose post it is.
  public let userID: ResourceID
  /// One line.
  public var title: Text
  /// The text.
  public var body: Text
  /// What the posts are ordered by, newest first.
  public var date: Timestamp?
}

extension Post {
  /// The members that its row shows.
  static let shownFields = [
    Field("title", \Post.title), Field("body", \Post.body, .text(0...JSONReader.longestBody)),
    Field("date", \Post.date),
  ]
}

extension Post: SizedResource {
  public var byteCount: Int { id.text.byteCount + title.byteCount + body.byteCount }
}

extension Post {
  /// Reads a post. Unknown members are ignored; a member that is `null` counts as absent.
  ///
  /// - Parameters:
  ///   - assigned: the id to use where the object has none.
  ///   - owner: the user it must belong to; where it is given, `userId` may be left out.
  /// - Throws: `JSONShapeError` for a missing or wrong member, a text that is too long, and the
  ///   `userId` of somebody else than `owner`.
  public init(
    _ reader: JSONReader, assigned: ResourceID? = nil, owner: ResourceID? = nil
  ) throws(JSONShapeError) {
    try reader.noteUnknownMembers(besides: ["id", "userId", "title", "body", "date"])
    id = try reader.resourceID("id", assigned: assigned)
    let userID = try reader.resourceID("userId", assigned: owner)
    if let owner, userID != owner {
      throw JSONShapeError(
        pointer: reader.pointer.appending("userId"),
        message: "expected the id of the user in the path")
    }
    // As the user has it, `1` or `"1"`, however it is spelt here.
    self.userID = owner ?? userID
    title = try reader.member("title").text()
    body = try reader.member("body").text(atMost: JSONReader.longestBody)
    if let member = try reader.nullableMember("date") {
      guard let date = Timestamp(try member.string().string) else {
        throw JSONShapeError(
          pointer: member.pointer,
          message: "expected an ISO 8601 date such as 2026-03-01T09:30:00Z")
      }
      self.date = date
    }
  }

  /// The post as `init(_:assigned:owner:)` reads it; absent members are left out.
  public var json: JSONValue {
    var members: [Text: JSONValue] = [
      "id": id.json, "userId": userID.json, "title": .string(title), "body": .string(body),
    ]
    members["date"] = date.map { .string($0.description) }
    return .object(members)
  }
}

/// As `json`.
extension Post: Codable {
  public init(from decoder: any Decoder) throws { try self.init(JSONReader(from: decoder)) }
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
