import CanonicalJSON
import ViewState

/// What a podcast's feed says of it. What cannot be shown is left out, and texts that are too long are cut.
struct Channel: Codable, Hashable, Sendable {
  private(set) var title: Text?
  private(set) var author: Text?
  private(set) var artworkURL: Text?
  /// The page of the podcast.
  private(set) var podcastURL: Text?
  private(set) var latestEpisode: Podcast.Episode?

  /// Reads a feed.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - type: The Content-Type, which says whether it is RSS or JSON; `nil` if there is none.
  ///   - checkTime: Throws if the time of the load is over.
  init(
    _ bytes: [UInt8], type: String?, _ limits: FeedLimits,
    checkTime: @escaping () throws(FeedFault) -> Void = {}
  ) throws(FeedFault) {
    let form = try FeedForm(contentType: type)
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw .unsupportedCharset(nil)
    }
    self.init()
    switch form {
    case .rss: self = try RSSReader(limits, checkTime).read(bytes)
    case .json: try read(bytes, limits)
    }
  }

  init() {}
}

/// A channel with the address from which it was loaded.
struct LoadedChannel: Codable, Hashable, Sendable {
  let address: Text
  let channel: Channel
}

/// The form of a feed.
private enum FeedForm {
  case rss
  case json

  /// Returns the form that a Content-Type names (RFC 9110, section 8.3).
  init(contentType: String?) throws(FeedFault) {
    let parts = (contentType ?? "").lowercased().split(separator: ";")
      .map { $0.trimmingPrefix(while: \.isWhitespace) }
    let type = parts.first.map { $0.prefix { !$0.isWhitespace } } ?? ""
    switch type {
    case "application/rss+xml", "application/xml", "text/xml": self = .rss
    case "application/feed+json", "application/json": self = .json
    default: throw .unsupportedType(type.isEmpty ? nil : String(type))
    }
    for part in parts.dropFirst() where part.hasPrefix("charset=") {
      let charset = part.dropFirst("charset=".count).filter { $0 != "\"" && !$0.isWhitespace }
      guard ["utf-8", "utf8", "us-ascii"].contains(charset) else {
        throw .unsupportedCharset(charset)
      }
    }
  }
}

/// Takes over what a feed has.
extension Channel {
  mutating func setTitle(_ text: String) { title = title ?? Self.line(text) }
  mutating func setAuthor(_ text: String) { author = author ?? Self.line(text) }
  mutating func setArtwork(_ text: String) { artworkURL = artworkURL ?? Self.address(text) }
  mutating func setPage(_ text: String) { podcastURL = podcastURL ?? Self.address(text) }

  /// Keeps an episode if it is the newest so far: one with a date before one without, and the first of equals.
  mutating func add(_ title: String, _ date: Timestamp?) {
    guard let title = Self.line(title) else { return }
    let isNewer =
      switch (latestEpisode, date) {
      case (nil, _): true
      case (let known?, let date?): known.date.map { $0 < date } ?? true
      case (.some, nil): false
      }
    if isNewer { latestEpisode = Podcast.Episode(title: title, date: date) }
  }

  /// Returns a text in one line, cut if it is too long; `nil` if nothing is left.
  private static func line(_ text: String) -> Text? {
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.isEmpty ? nil : Text(line).line()
  }

  /// Returns an address on the web; `nil` if it is none. A path would be one of the server of the feed.
  private static func address(_ text: String) -> Text? {
    let text = Text(text).trimmed
    return text.byteCount <= LongestText.address && WebAddress(text) != nil ? text : nil
  }
}

/// JSON Feed 1.1 (jsonfeed.org).
extension Channel {
  fileprivate mutating func read(_ bytes: [UInt8], _ limits: FeedLimits) throws(FeedFault) {
    do {
      try read(JSONReader(JSONValue(parsing: bytes)), limits)
    } catch let fault as FeedFault {
      throw fault
    } catch let error as JSONShapeError {
      throw .malformed("\(error)")
    } catch let error as JSONParseError {
      throw .malformed("\(error.message) (at byte \(error.offset))")
    } catch {
      throw .malformed("it cannot be read")
    }
  }

  private mutating func read(_ feed: JSONReader, _ limits: FeedLimits) throws {
    let version = try feed.member("version")
    guard try version.string().hasPrefix("https://jsonfeed.org/version/1") else {
      throw version.error("expected version 1 of JSON Feed")
    }
    setTitle(try feed.member("title").string().string)
    // Version 1 has one author, version 1.1 a list.
    let authors = try feed.nullableMember("authors")?.elements() ?? []
    let author = try authors.first ?? feed.nullableMember("author")
    if let name = try author?.nullableMember("name") { setAuthor(try name.string().string) }
    if let icon = try feed.nullableMember("icon") { setArtwork(try icon.string().string) }
    if let page = try feed.nullableMember("home_page_url") { setPage(try page.string().string) }
    let items = try feed.member("items").elements()
    guard items.count <= limits.itemCount else {
      throw FeedFault.tooManyItems(limit: limits.itemCount)
    }
    for item in items {
      guard let title = try item.nullableMember("title") else { continue }
      let date = try item.nullableMember("date_published")?.string()
      add(try title.string().string, date.flatMap { Timestamp($0.string) })
    }
  }
}
