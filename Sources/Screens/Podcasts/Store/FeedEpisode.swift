public import CanonicalJSON
import ViewState

/// An episode as its publisher's feed has it.
public struct FeedEpisode: Hashable, Sendable {
  public var title: Text?
  /// When it was published, in the publisher's words.
  public var date: Text?
}

extension FeedEpisode {
  /// Reads an episode. Unknown members are ignored; a member that is `null` counts as absent.
  ///
  /// - Throws: `JSONShapeError` for a member of the wrong type, and a text that is too long.
  public init(_ reader: JSONReader) throws(JSONShapeError) {
    try reader.object()
    try reader.noteUnknownMembers(besides: ["title", "date"])
    title = try reader.optionalText("title")
    date = try reader.optionalText("date")
  }

  /// The episode as `init(_:)` reads it; absent members are left out.
  public var json: JSONValue {
    var members: [Text: JSONValue] = [:]
    members["title"] = title.map(JSONValue.string)
    members["date"] = date.map(JSONValue.string)
    return .object(members)
  }
}

/// As `json`.
extension FeedEpisode: Codable {
  public init(from decoder: any Decoder) throws { try self.init(JSONReader(from: decoder)) }
}
