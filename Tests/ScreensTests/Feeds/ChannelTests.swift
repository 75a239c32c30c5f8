import CanonicalJSON
import Foundation
import TestSupport
import Testing
import ViewState

@testable import Screens

@Suite("A podcast's own feed")
struct ChannelTests {
  static let rss = #"""
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- made by hand -->
    <rss version="2.0" xmlns:pod="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:other="urn:x">
      <channel>
        <title>  Salt &amp;
          Smoke </title>
        <other:title>Not this</other:title>
        <link>https://salt.example.com/</link>
        <pod:author>Marta Silva</pod:author>
        <image><url>https://salt.example.com/small.png</url><title>Not this</title></image>
        <pod:image href="https://salt.example.com/large.png"/>
        <item><title>Old</title><pubDate>Wed, 04 Mar 2026 06:00:00 GMT</pubDate></item>
        <item>
          <title><![CDATA[Cod, <eleven> ways]]></title>
          <pubDate>Thu, 05 Mar 2026 12:00:00 +0100</pubDate>
          <enclosure url="https://salt.example.com/1.mp3"/>
        </item>
        <item><title>Undated</title></item>
        <item><pubDate>Fri, 06 Mar 2026 06:00:00 GMT</pubDate></item>
      </channel>
    </rss>
    """#
  static let json = #"""
    {"version": "https://jsonfeed.org/version/1.1", "title": "Salt & Smoke",
     "home_page_url": "https://salt.example.com/", "icon": "https://salt.example.com/small.png",
     "authors": [{"name": "Marta Silva"}, {"name": "Another"}],
     "items": [
       {"id": "1", "title": "Old", "date_published": "2026-03-04T06:00:00Z"},
       {"id": "2", "title": "Cod, <eleven> ways", "date_published": "2026-03-05T12:00:00+01:00"},
       {"id": "3", "content_text": "untitled", "date_published": "2026-03-06T06:00:00Z"},
       {"id": "4", "title": "Undated"}]}
    """#
  static let rssType = "application/rss+xml; charset=utf-8"
  static let jsonType = "application/feed+json"

  static func read(
    _ text: String, _ type: String? = rssType, limiting: (inout FeedLimits) -> Void = { _ in }
  ) throws(FeedFault) -> Channel {
    var limits = FeedLimits()
    limiting(&limits)
    return try Channel(Array(text.utf8), type: type, limits)
  }

  @Test(
    "has a title, an author, a picture, a page and the newest episode, as RSS and as JSON",
    arguments: [(rss, rssType), (rss, "text/xml"), (json, jsonType), (json, "APPLICATION/JSON ;x")])
  func forms(text: String, type: String) throws {
    let channel = try Self.read(text, type)
    #expect(channel.title == "Salt & Smoke" && channel.author == "Marta Silva")
    #expect(channel.artworkURL == "https://salt.example.com/small.png")
    #expect(channel.podcastURL == "https://salt.example.com/")
    #expect(channel.latestEpisode?.title == "Cod, <eleven> ways")
    #expect(channel.latestEpisode?.date == Timestamp("2026-03-05T11:00:00Z"))
  }

  @Test("may begin with a byte order mark, and have next to nothing")
  func little() throws {
    #expect(try Self.read("\u{FEFF}<rss><channel/></rss>") == Channel())
    let feed =
      #"{"version":"https://jsonfeed.org/version/1","title":"T","author":{"name":"A"},"items":[]}"#
    let channel = try Self.read("\u{FEFF}" + feed, Self.jsonType)
    #expect(channel.title == "T" && channel.author == "A" && channel.latestEpisode == nil)
  }

  @Test(
    "is refused with the reason if it has another form than it says",
    arguments: [
      (rss, nil, FeedFault.unsupportedType(nil)),
      (rss, "text/html", .unsupportedType("text/html")),
      (rss, "text/xml;charset=\"ISO-8859-1\"", .unsupportedCharset("iso-8859-1")),
      (
        #"<?xml version="1.0" encoding="ISO-8859-1"?><rss/>"#, rssType,
        .unsupportedCharset("ISO-8859-1")
      ),
      (
        "<?xml version='1.0' encoding='UTF-8' encoding='UTF-7'?><rss/>", rssType,
        .malformed("its XML declaration is malformed")
      ),
      ("<?xml version='1.0'", rssType, .malformed("its XML declaration does not end")),
      ("<?xml", rssType, .malformed("it has a comment or the like that does not end")),
      (
        "<rss><?a?></rss>", rssType,
        .malformed("it has a processing instruction without content, which is not read")
      ),
      // The parser, which reads on after an error, would find markup in these.
      ("<rss a='<?a?>'/>", rssType, .malformed("it has a tag with a < in it")),
      (
        "<rss><? <?a?></rss>", rssType,
        .malformed("it has a processing instruction with a name that is not read")
      ),
      (
        "<?\n<!DOCTYPE rss [<!ELEMENT rss ANY>]> ?><rss/>", rssType,
        .malformed("it has a processing instruction with a name that is not read")
      ),
      (
        "<rss><?a \u{1}<?a?></rss>", rssType, .malformed("it has a character that XML excludes")
      ),
      (
        "<rss><!--\u{FFFF}<?a?>--></rss>", rssType,
        .malformed("it has a character that XML excludes")
      ),
      (
        "<rss><!--><!---><!--><?a?>--></rss>", rssType,
        .malformed("it has a comment with two hyphens in a row")
      ),
      ("", rssType, .malformed("it is no XML")), ("<a/>", rssType, .malformed("it is no XML")),
      ("<rss>\0</rss>", rssType, .malformed("it is no XML")),
      (
        "<feed xmlns='http://www.w3.org/2005/Atom'/>", rssType,
        .malformed("its root element is not rss")
      ),
      ("<rss><channel>\n</item></rss>", rssType, .malformed("it is not well-formed XML in line 2")),
      ("<rss><channel>", rssType, .malformed("it is not well-formed XML in line 1")),
      (
        "<!-- only", rssType, .malformed("it has a comment or the like that does not end")
      ),
      ("<rss><channel a='>", rssType, .malformed("it has a tag that does not end within 8 KiB")),
      (json, rssType, .malformed("it is no XML")),
      (rss, jsonType, .malformed("expected a value (at byte 0)")),
      ("{}", jsonType, .malformed("the member is missing (/version)")),
      (
        #"{"version":"2","title":"T","items":[]}"#, jsonType,
        .malformed("expected version 1 of JSON Feed (/version)")
      ),
      (
        #"{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[{"title":1}]}"#,
        jsonType, .malformed("expected a string, found a number (/items/0/title)")
      ),
    ] as [(String, String?, FeedFault)])
  func refusals(text: String, type: String?, fault: FeedFault) {
    #expect(throws: fault) { try Self.read(text, type) }
  }

  @Test("in UTF-16 or with bytes that are not UTF-8 is refused")
  func encodings() throws {
    for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32] {
      let bytes = Array(try #require(Self.rss.data(using: encoding)))
      #expect(throws: FeedFault.self) { try Channel(bytes, type: "text/xml", FeedLimits()) }
    }
    #expect(throws: FeedFault.unsupportedCharset(nil)) {
      try Channel(
        Array("<rss>\u{E9}</rss>".data(using: .isoLatin1)!), type: "text/xml", FeedLimits())
    }
  }

  @Test("expands no entities, and reads no file: a document type declaration is refused")
  func entities() throws {
    let bomb = (1...9).map {
      "<!ENTITY e\($0) \"&e\($0 - 1);&e\($0 - 1);&e\($0 - 1);&e\($0 - 1);\">"
    }
    for declaration in [
      "<!DOCTYPE rss [<!ENTITY e0 'x'>\(bomb.joined())]>",
      "<!DOCTYPE rss [<!ENTITY e9 SYSTEM 'file:///etc/passwd'>]>", "<!DOCTYPE rss>",
    ] {
      for before in [
        "", " \n", "<?xml version='1.0'?>", "<!-- a --><?b c?>\n", "<!--><rss>-->",
        "<?xml-stylesheet href='a'?>",
      ] {
        #expect(
          throws: FeedFault.malformed("it has a document type declaration, which is not read")
        ) {
          try Self.read("\(before)\(declaration)<rss><channel><title>&e9;</title></channel></rss>")
        }
      }
    }
    // Where it is no declaration, it is text.
    let quoted = try Self.read(
      "<rss><!-- <!DOCTYPE --><channel><title><![CDATA[<!DOCTYPE html>]]></title></channel></rss>")
    #expect(quoted.title == "<!DOCTYPE html>")
    #expect(throws: FeedFault.self) {
      try Self.read("<rss><channel><title>&e9;</title></channel></rss>")
    }
  }

  @Test("is refused if the parser would compare many attributes of a tag with each other")
  func attributes() throws {
    func feed(_ count: Int) -> String {
      "<rss \((0..<count).map { "a\($0)='>'" }.joined(separator: " "))><channel/></rss>"
    }
    _ = try Self.read(feed(500))
    #expect(throws: FeedFault.malformed("it has a tag that does not end within 8 KiB")) {
      try Self.read(feed(1_000))
    }
  }

  @Test("is read fast, however deep and long the names of elements are in which nothing is read")
  func skippedElements() throws {
    func processorTime(ofNamesWith count: Int) throws -> Double {
      let names = (0..<200).map { "n\($0)" + String(repeating: "x", count: count) }
      let inner = String(repeating: "<a/>", count: 20_000)
      let nested =
        names.map { "<\($0)>" }.joined() + inner + names.reversed().map { "</\($0)>" }.joined()
      let start = Self.processorTime
      let channel = try Self.read(
        "<rss><channel><item>\(nested)<title>T</title></item></channel></rss>")
      #expect(channel.latestEpisode?.title == "T")
      return Self.processorTime - start
    }
    // It would be a millisecond for each element if their names were compared, hundreds of times as long.
    let short = try processorTime(ofNamesWith: 1)
    #expect(try processorTime(ofNamesWith: 8_000) < 30 * short)
  }

  /// The processor time of this thread in seconds, which other threads and processes do not change.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test("is read no further once the time of its load is over")
  func time() {
    var elements = 0
    #expect(throws: FeedFault.timedOut) {
      try Channel(Array(Self.rss.utf8), type: "text/xml", FeedLimits()) { () throws(FeedFault) in
        elements += 1
        if elements > 3 { throw .timedOut }
      }
    }
    #expect(elements == 4)
  }

  @Test("has limits: of items, of the length of texts, and of addresses")
  func limits() throws {
    let items = String(repeating: "<item><title>E</title></item>", count: 4)
    let feed = "<rss><channel>\(items)</channel></rss>"
    _ = try Self.read(feed) { $0.itemCount = 4 }
    #expect(throws: FeedFault.tooManyItems(limit: 3)) {
      try Self.read(feed) { $0.itemCount = 3 }
    }
    #expect(throws: FeedFault.tooManyItems(limit: 3)) {
      try Self.read(Self.json, Self.jsonType) { $0.itemCount = 3 }
    }
    let long = String(repeating: "ä", count: 3_000)
    for (text, type) in [
      (
        "<rss><channel><title>\(long)</title><link>https://a.b/\(long)</link></channel></rss>",
        Self.rssType
      ),
      (
        #"{"version":"https://jsonfeed.org/version/1","title":"\#(long)","home_page_url":"https://a.b/\#(long)","items":[]}"#,
        Self.jsonType
      ),
    ] {
      let channel = try Self.read(text, type)
      #expect(channel.title == Text(String(repeating: "ä", count: 498) + "…"))
      #expect(channel.podcastURL == nil)
    }
    for address in ["/path", "ftp://a.b/", "javascript:alert(1)", "https://a b/", "//a.b/"] {
      let channel = try Self.read("<rss><channel><link>\(address)</link></channel></rss>")
      #expect(channel.podcastURL == nil, "\(address)")
    }
  }

  @Test(
    "has dates as mail has them",
    arguments: [
      ("Wed, 04 Mar 2026 06:00:00 GMT", "2026-03-04T06:00:00Z"),
      ("4 Mar 2026 06:00 +0130", "2026-03-04T04:30:00Z"),
      ("Wed, 4 March 26 6:00:00 EST", "2026-03-04T11:00:00Z"),
      ("04 Mar 99 06:00:00 PDT", "1999-03-04T13:00:00Z"),
      ("04 Mar 2026 06:00:00", "2026-03-04T06:00:00Z"),
      ("04 Mar 2026 06:00:00 X", "2026-03-04T06:00:00Z"),
      ("04 Mar 2026 06:00:00 +01:00", "2026-03-04T05:00:00Z"),
      ("04 Mar 2026 06:00:00 -0:130", nil), ("04 Mar 2026 06:00:00 +1:00", nil),
      (" 2026-03-04T06:00:00Z ", "2026-03-04T06:00:00Z"),
      ("Thu, 31 Feb 2026 06:00:00 GMT", nil), ("04 Mar 2026 25:00:00 GMT", nil),
      ("04 Mar 2026", nil),
      ("04 Mar 2026 06:00:00 +1", nil), ("yesterday", nil), ("", nil), ("4 Mar +26 6:0 GMT", nil),
    ])
  func dates(text: String, moment: String?) {
    #expect(Timestamp(mailDate: text)?.description == moment)
  }

  @Test(
    "that is changed at random is read within the limits or refused, and never ends the process")
  func mutations() throws {
    let pieces = [
      "<", ">", "</", "/>", "<![CDATA[", "]]>", "<!--", "-->", "<?", "?>", "&", "&amp;", "&#0;",
      "&#xD800;",
      "&#x10FFFF;", "\u{0}", "\u{301}", "\u{FEFF}", "<item>", "</item>", "<title>", "xmlns=", "\"",
      "'", "<?a?>", "<? ", "--",
      "<!DOCTYPE x [<!ENTITY a 'b'>]>", "{", "}", "[", "]", ",", ":", "null", "1e999", "\\ud800",
      String(repeating: "<a>", count: 300), String(repeating: "[", count: 100),
    ].map { Array($0.utf8) }
    try withSeeds(400) { random in
      let isXML = random.chance(0.7)
      var bytes = Array((isXML ? Self.rss : Self.json).utf8)
      for _ in 0..<random.number(in: 1...8) {
        let start = random.number(in: 0...bytes.count)
        let end = min(bytes.count, start + (random.chance(0.5) ? 0 : random.number(in: 1...200)))
        let other =
          switch random.number(in: 0...3) {
          case 0: random.pick(pieces)
          case 1: [UInt8(random.number(in: 0...255))]
          case 2: Array(bytes[start..<end] + bytes[start..<end])
          default: [UInt8]()
          }
        bytes.replaceSubrange(start..<end, with: other)
      }
      guard
        let channel = try? Channel(bytes, type: isXML ? "text/xml" : Self.jsonType, FeedLimits())
      else { return }
      for text in [channel.title, channel.author, channel.latestEpisode?.title] {
        try require(text.map { (1...1_000).contains($0.byteCount) } ?? true, "a text is too long")
      }
      for address in [channel.artworkURL, channel.podcastURL] {
        try require(address.map { WebAddress($0) != nil } ?? true, "an address is none")
      }
    }
  }
}
