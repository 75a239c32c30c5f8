import CanonicalJSON
import Foundation
import ViewState

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads RSS 2.0, with the names of an author and a picture that Apple has added for podcasts.
///
/// A document type declaration is refused before the parser sees it, so there are no entities that expand, and
/// none from outside.
final class RSSReader: NSObject, XMLParserDelegate {
  private let limits: FeedLimits
  private var channel = Channel()
  private var fault: FeedFault?
  /// Throws if the time of the load is over.
  private let checkTime: () throws(FeedFault) -> Void
  /// The names of the open elements, without those in ``skippedDepth``.
  private var path: [String] = []
  /// The number of open elements in which nothing is read.
  private var skippedDepth = 0
  /// The text of the open element so far; `nil` if it is not read.
  private var text: String?
  private var itemCount = 0
  private var (itemTitle, itemDate) = ("", "")

  private static let podcastNamespace = "http://www.itunes.com/dtds/podcast-1.0.dtd"
  private static let channelPath = ["rss", "channel"]
  private static let itemPath = channelPath + ["item"]
  private static let podcastImagePath = channelPath + ["itunes:image"]
  /// The elements whose texts are read.
  private static let readPaths: Set<[String]> = [
    channelPath + ["title"], channelPath + ["link"], channelPath + ["itunes:author"],
    channelPath + ["image", "url"], itemPath + ["title"], itemPath + ["pubDate"],
  ]
  /// The elements in which something is read.
  private static let knownPaths = Set(
    (readPaths + [podcastImagePath]).flatMap { path in
      path.indices.map { Array(path[...$0]) }
    })

  /// - Parameters:
  ///   - limits: The limits.
  ///   - checkTime: Throws if the time of the load is over; called for each element, because what an element
  ///     costs depends on those around it.
  init(_ limits: FeedLimits, _ checkTime: @escaping () throws(FeedFault) -> Void) {
    (self.limits, self.checkTime) = (limits, checkTime)
  }

  /// Reads a document in UTF-8.
  func read(_ bytes: [UInt8]) throws(FeedFault) -> Channel {
    try XMLMarkup.check(bytes)
    let parser = XMLParser(data: Data(bytes))
    parser.shouldProcessNamespaces = true
    parser.delegate = self
    let isRead = parser.parse()
    if let fault { throw fault }
    guard isRead, parser.parserError == nil else {
      throw .malformed("it is not well-formed XML in line \(parser.lineNumber)")
    }
    return channel
  }

  private func end(_ parser: XMLParser, _ fault: FeedFault) {
    self.fault = self.fault ?? fault
    parser.abortParsing()
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    guard fault == nil else { return }
    do throws(FeedFault) {
      try checkTime()
    } catch {
      return end(parser, error)
    }
    text = nil
    guard skippedDepth == 0 else {
      skippedDepth += 1
      return
    }
    // A name of another namespace is never one that is read.
    let name =
      switch namespaceURI ?? "" {
      case "": name
      case Self.podcastNamespace: "itunes:" + name
      default: ""
      }
    if path.isEmpty, name != "rss" {
      return end(parser, .malformed("its root element is not rss"))
    }
    path.append(name)
    guard Self.knownPaths.contains(path) else {
      path.removeLast()
      skippedDepth = 1
      return
    }
    if Self.readPaths.contains(path) { text = "" }
    if path == Self.podcastImagePath { channel.setArtwork(attributes["href"] ?? "") }
    if path == Self.itemPath {
      (itemTitle, itemDate) = ("", "")
      itemCount += 1
      if itemCount > limits.itemCount {
        end(parser, .tooManyItems(limit: limits.itemCount))
      }
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    // Of a text that is too long only the beginning is shown.
    guard let length = text?.utf8.count, length < 4 * LongestText.address else { return }
    text?.append(string)
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    self.parser(parser, foundCharacters: String(decoding: block, as: UTF8.self))
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    guard fault == nil, !path.isEmpty else { return }
    guard skippedDepth == 0 else {
      skippedDepth -= 1
      return
    }
    if path == Self.itemPath { channel.add(itemTitle, Timestamp(mailDate: itemDate)) }
    if let text {
      switch (path.count, path[path.count - 1]) {
      case (3, "title"): channel.setTitle(text)
      case (3, "link"): channel.setPage(text)
      case (3, "itunes:author"): channel.setAuthor(text)
      case (4, "url"): channel.setArtwork(text)
      case (4, "title"): itemTitle = text
      case (4, "pubDate"): itemDate = text
      default: break
      }
    }
    text = nil
    path.removeLast()
  }
}

/// What is checked of an XML document before the parser sees it.
private enum XMLMarkup {
  /// The longest tag, in bytes: the parser compares each attribute of a tag with all others.
  private static let longestTag = 8 * 1024
  private static let hyphens = Array("--".utf8)
  private static let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
  /// How what is no tag begins and ends.
  private static let others = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")]
    .map { (begin: Array($0.utf8), end: Array($1.utf8)) }

  /// Checks that a document is in UTF-8, that it has no document type declaration and no processing instruction without
  /// content, and that its tags are short.
  ///
  /// The parser reads on after an error, and finds markup within what is malformed. So all that makes it look for the end
  /// of a tag, a comment or an instruction elsewhere is refused.
  static func check(_ bytes: [UInt8]) throws(FeedFault) {
    // The parser takes such bytes for UTF-16, and fewer than five for none.
    guard !bytes.contains(0), bytes.count > 4 else { throw .malformed("it is no XML") }
    guard String(decoding: bytes, as: UTF8.self).unicodeScalars.allSatisfy(isCharacter) else {
      throw .malformed("it has a character that XML excludes")
    }
    var rest = bytes[...]
    if rest.starts(with: "<?xml".utf8), let next = rest.dropFirst(5).first, spaces.contains(next) {
      guard let end = rest.prefix(longestTag).firstRange(of: Array("?>".utf8)) else {
        throw .malformed("its XML declaration does not end")
      }
      try checkDeclaration(String(decoding: rest[..<end.upperBound], as: UTF8.self))
      rest = rest[end.upperBound...]
    }
    rest = rest.drop(while: spaces.contains)
    guard rest.first == UInt8(ascii: "<") else { throw .malformed("it is no XML") }
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...]
      if let other = others.first(where: { rest.starts(with: $0.begin) }) {
        guard let end = rest.dropFirst(other.begin.count).firstRange(of: other.end) else {
          throw .malformed("it has a comment or the like that does not end")
        }
        let content = rest[(rest.startIndex + other.begin.count)..<end.lowerBound]
        if rest.starts(with: "<?".utf8) {
          try checkInstruction(content)
        } else if rest.starts(with: "<!--".utf8),
          content.last == hyphens[0] || content.firstRange(of: hyphens) != nil
        {
          throw .malformed("it has a comment with two hyphens in a row")
        }
        rest = rest[end.upperBound...]
      } else if rest.starts(with: "<!".utf8) {
        throw .malformed("it has a document type declaration, which is not read")
      } else {
        rest = rest[try endOfTag(rest)...]
      }
    }
  }

  /// Returns whether XML has a character.
  private static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20
      ? spaces.contains(UInt8(scalar.value)) : !(0xFFFE...0xFFFF).contains(scalar.value)
  }

  /// Checks what is between `<?` and `?>`.
  private static func checkInstruction(_ content: ArraySlice<UInt8>) throws(FeedFault) {
    // Foundation's parser ends the process at one that is nothing but its name.
    guard let end = content.firstIndex(where: spaces.contains) else {
      throw .malformed("it has a processing instruction without content, which is not read")
    }
    let name = content[..<end]
    guard let first = name.first, isLetter(first),
      name.allSatisfy({ isLetter($0) || "0123456789.-".utf8.contains($0) })
    else { throw .malformed("it has a processing instruction with a name that is not read") }
  }

  /// Returns whether a name in ASCII may begin with a byte, but for a colon.
  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
  }

  /// Returns the index behind the tag with which some bytes begin.
  private static func endOfTag(_ bytes: ArraySlice<UInt8>) throws(FeedFault) -> Int {
    var quote: UInt8?
    for index in bytes.indices.prefix(longestTag) {
      switch bytes[index] {
      case UInt8(ascii: "<") where index > bytes.startIndex:
        throw .malformed("it has a tag with a < in it")
      case UInt8(ascii: ">") where quote == nil: return index + 1
      case let byte where byte == quote: quote = nil
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = quote ?? bytes[index]
      default: break
      }
    }
    throw .malformed("it has a tag that does not end within \(longestTag.size)")
  }

  /// Checks an XML declaration (XML 1.0, section 2.8).
  private static func checkDeclaration(_ text: String) throws(FeedFault) {
    let form =
      /<\?xml\s+version\s*=\s*["']1\.[0-9]+["'](\s+encoding\s*=\s*["']([A-Za-z0-9._\-]+)["'])?(\s+standalone\s*=\s*["'](yes|no)["'])?\s*\?>/
    guard let match = text.wholeMatch(of: form) else {
      throw .malformed("its XML declaration is malformed")
    }
    guard let encoding = match.output.2 else { return }
    guard ["utf-8", "us-ascii"].contains(encoding.lowercased()) else {
      throw .unsupportedCharset(String(encoding))
    }
  }
}

extension Timestamp {
  /// The offsets of the names of time zones in mail (RFC 5322, section 4.3). Others count as UTC.
  private static let zones = [
    "EDT": "-04:00", "EST": "-05:00", "CDT": "-05:00", "CST": "-06:00", "MDT": "-06:00",
    "MST": "-07:00", "PDT": "-07:00", "PST": "-08:00",
  ]
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Creates the moment of a date as mail has it, such as `Wed, 04 Mar 2026 06:00:00 +0100` (RFC 5322, section
  /// 3.3, with the obsolete forms), or of ISO 8601; `nil` if the text is none.
  init?(mailDate text: String) {
    // The name of the day says nothing.
    let date = text.split(separator: ",").last ?? ""
    let parts = date.split(whereSeparator: \.isWhitespace)
    guard parts.count >= 4, let month = Self.months.firstIndex(of: parts[1].prefix(3).lowercased()),
      let year = Self.year(parts[2])
    else {
      self.init(Text(text).trimmed.string)
      return
    }
    let zone = parts.count > 4 ? parts[4] : "GMT"
    let offset: String
    if zone.first == "+" || zone.first == "-" {
      // Many feeds have the colon of ISO 8601.
      offset = "\(zone.prefix(3)):\(zone.dropFirst(3).trimmingPrefix(":"))"
    } else {
      offset = Self.zones[zone.uppercased()] ?? "Z"
    }
    let time = parts[3].split(separator: ":").map { $0.count == 1 ? "0\($0)" : "\($0)" }
    let clock = (time.count == 2 ? time + ["00"] : time).joined(separator: ":")
    let day = parts[0].count == 1 ? "0\(parts[0])" : "\(parts[0])"
    let number = month + 1
    self.init("\(year)-\(number < 10 ? "0" : "")\(number)-\(day)T\(clock)\(offset)")
  }

  /// Returns a year with four digits. One with two digits is of the years 1950 to 2049.
  private static func year(_ text: Substring) -> String? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) else {
      return nil
    }
    return switch text.utf8.count {
    case 2: "\(number < 50 ? 2000 + number : 1900 + number)"
    case 4: "\(text)"
    default: nil
    }
  }
}
