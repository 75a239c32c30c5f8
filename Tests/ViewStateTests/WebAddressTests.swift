import CanonicalJSON
import Testing
import ViewState

@Suite("An address on the web")
struct WebAddressTests {
  @Test(
    "has one host, which all programs find in it",
    arguments: [
      ("http://example.com", "example.com", 80), ("https://example.com/a?b#c", "example.com", 443),
      ("HTTPS://Example.COM:8443/ä", "example.com:8443", 8443),
      ("http://127.0.0.1:80?x", "127.0.0.1:80", 80), ("http://[::1]:9/", "[::1]:9", 9),
    ])
  func hosts(text: String, host: String, port: UInt16) throws {
    let address = try #require(WebAddress(Text(text)))
    #expect(address.host.description == host && address.port == port)
    #expect(address.text == Text(text))
  }

  @Test(
    "is none if programs could read it differently",
    arguments: [
      "", "example.com", "http:", "http://", "http:///x", "http:example.com", "ftp://example.com",
      "javascript:alert(1)", "//example.com", "/path", "http://a b", "http://a/b c",
      "http://a\\@b/",
      "http://user@example.com/", "http://user:pw@example.com", "http://example.com:", "http://a:0",
      "http://a:65536", "http://a:1x", "http://exam\u{212A}ple.com", "http://\u{301}x",
      "http://a/\n",
      "http://a/\u{0}", "http://a/\u{202E}", "http://a/\"onload", "http://.a", "http://[::1",
      "http://[g]",
      "https://%61.com", "http://a,b",
    ])
  func refused(text: String) {
    #expect(WebAddress(Text(text)) == nil)
  }

  @Test("is on a host with the same name, and the same or the usual port")
  func including() throws {
    for (host, address, isIncluded) in [
      ("example.com", "http://EXAMPLE.com/x", true), ("example.com", "https://example.com", true),
      ("example.com", "https://example.com:443/", true),
      ("example.com", "http://example.com:443", false),
      ("example.com:8080", "http://example.com:8080", true),
      ("example.com:443", "https://example.com", true),
      ("example.com", "http://www.example.com", false),
      ("example.com", "http://example.com.", false),
    ] {
      let (host, address) = (try #require(WebHost(host)), try #require(WebAddress(Text(address))))
      #expect(host.includes(address) == isIncluded, "\(host) \(address.text)")
    }
  }

  @Test("goes out as ASCII")
  func encoding() throws {
    #expect(WebAddress("http://a/ä?ö%20")?.encoded == "http://a/%C3%A4?%C3%B6%20")
  }

  @Test("or a path of this server, which begins with one slash")
  func paths() throws {
    let (type, strict) = (ValueType<Text>.webAddress(orPath: true), ValueType<Text>.webAddress())
    for path: JSONValue in ["/", "/pictures/ada.svg?x#y", "/ä"] {
      #expect(try .string(type.read(JSONReader(path))) == path)
      #expect(throws: JSONShapeError.self) { try strict.read(JSONReader(path)) }
    }
    for other: JSONValue in ["//a.b/", "/\\a.b/", "a.svg", "", "/a b", "data:image/png,", 1] {
      #expect(throws: JSONShapeError.self) { try type.read(JSONReader(other)) }
    }
    let long = Text("https://a.b/" + String(repeating: "x", count: 2_037))
    #expect(throws: JSONShapeError.self) { try type.read(JSONReader(.string(long))) }
  }
}
