public import CanonicalJSON
public import ViewState

/// A post of a user, in the shape of a json-server file.
public struct Post: Hashable, Sendable {
  /// Unique among the posts of all users.
  public let id: ResourceID
  /// The author.
  public private(set) var userID: ResourceID
  /// One line.
  public var title: Text
  /// The text.
  public var body: Text
  /// Orders the posts of a user, newest first.
  public var date: Timestamp?
}

extension Post: Resource {
  public static let summary = "A post of a user."

  /// The fields that the row of a post shows.
  static let shownFields = [
    Field("title", \Post.title, .text(atMostBytes: JSONReader.longestShownText)),
    Field("body", \.body, .text(atMostBytes: JSONReader.longestBody)), Field("date", \.date),
  ]

  public static let fields =
    [Field("userId", \Post.userID, "The author.")] + shownFields

  /// Lets a body leave out the user, whom the path names.
  public static var inputSchema: JSONValue { inputSchema(optional: ["userId"]) }

  public init(id: ResourceID) { self.init(id: id, userID: id, title: "", body: "") }

  /// Reads a post of a user.
  ///
  /// - Parameters:
  ///   - assigned: The id if the body has none.
  ///   - owner: The user, if the body has no `userId`.
  /// - Throws: `JSONShapeError` for an invalid member and for the `userId` of another user.
  public init(
    _ body: JSONReader, assigned: ResourceID? = nil, owner: ResourceID
  ) throws(JSONShapeError) {
    try self.init(body.filling("userId", with: owner.json), assigned: assigned)
    guard userID == owner else {
      throw JSONShapeError(
        pointer: body.pointer.appending("userId"),
        message: "expected the id of the user in the path")
    }
    // As the user has it, `1` or `"1"`, however it is spelt here.
    userID = owner
  }
}
