public import CanonicalJSON
public import ViewState

/// A post of a user, in the shape of a json-server file.
public struct Post: Hashable, Sendable {
  /// The id, unique among the posts of all users.
  public let id: ResourceID
  /// The author.
  public var userID: ResourceID
  /// The title, in one line.
  public var title: Text
  /// The text.
  public var body: Text
  /// The date, by which the posts of a user are ordered, newest first.
  public var date: Timestamp?
}

extension Post {
  public static let summary = "A post of a user."

  /// The fields that the row of a post shows.
  static let shownFields = [
    Field("title", \Post.title, .text(atMostBytes: LongestText.line)),
    Field("body", \.body, .text(atMostBytes: LongestText.body)), Field("date", \.date),
  ]

  public static let fields =
    [Field("userId", \Post.userID, "The author.")] + shownFields

  public init(id: ResourceID) { self.init(id: id, userID: id, title: "", body: "") }
}
