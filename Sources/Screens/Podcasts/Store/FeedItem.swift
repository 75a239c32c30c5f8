public import CanonicalJSON
public import ViewState

/// A podcast as its publisher's feed has it, kept word for word: whether it can be shown is decided
/// when it is loaded.
public struct FeedItem: Hashable, Sendable {
  /// Unique among the podcasts of a listener.
  public let id: ResourceID
  public var title: Text?
  public var author: Text?
  /// The address of a picture.
  public var artworkURL: Text?
  /// The episode published last.
  public var latestEpisode: FeedEpisode?
}

extension FeedItem: SizedResource {
  public var byteCount: Int {
    [id.text, title, author, artworkURL, latestEpisode?.title, latestEpisode?.date]
      .reduce(0) { $0 + ($1?.byteCount ?? 0) }
  }
}

extension FeedItem {
  /// Reads a podcast. Unknown members are ignored; a member that is `null` counts as absent.
  ///
  /// - Parameter assigned: the id to use where the object has none.
  /// - Throws: `JSONShapeError` for a missing `id` (without `assigned`), a member of the wrong
  ///   type, and a text that is too long. What the texts say is not judged here.
  public init(_ reader: JSONReader, assigned: ResourceID? = nil) throws(JSONShapeError) {
    try reader.noteUnknownMembers(besides: [
      "id", "title", "author", "artworkURL", "latestEpisode",
    ])
    id = try reader.resourceID("id", assigned: assigned)
    title = try reader.optionalText("title")
    author = try reader.optionalText("author")
    artworkURL = try reader.optionalText("artworkURL", atMost: JSONReader.longestURL)
    if let episode = try reader.nullableMember("latestEpisode") {
      latestEpisode = try FeedEpisode(episode)
    }
  }

  /// The podcast as `init(_:assigned:)` reads it; absent members are left out.
  public var json: JSONValue {
    var members: [Text: JSONValue] = ["id": id.json]
    members["title"] = title.map(JSONValue.string)
    members["author"] = author.map(JSONValue.string)
    members["artworkURL"] = artworkURL.map(JSONValue.string)
    members["latestEpisode"] = latestEpisode?.json
    return .object(members)
  }
}

/// As `json`.
extension FeedItem: Codable {
  public init(from decoder: any Decoder) throws { try self.init(JSONReader(from: decoder)) }
}
