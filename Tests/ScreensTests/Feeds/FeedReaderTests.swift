import CanonicalJSON
import Foundation
import Glibc
import Gzip
import TestSupport
import Testing
import ViewState

@testable import Screens

@Suite("The reader of feeds")
struct FeedReaderTests {
  let server: ScriptedWebServer

  init() throws { server = try ScriptedWebServer() }

  private static let xml = "Content-Type: application/rss+xml"
  private static let feed = "<rss><channel><title>T</title></channel></rss>"

  /// An answer whose body is compressed.
  private static func packed(_ body: [UInt8]) -> ScriptedWebServer.Answer {
    let packed = Gzip.compress(body)
    let fields = [xml, "Content-Encoding: gzip"]
    return .bytes(ScriptedWebServer.reply(fields: fields, length: packed.count) + packed)
  }

  /// Reads a path of the server, by default with short times.
  private func read(
    _ path: String, hosts: [String]? = nil, limiting: (inout FeedLimits) -> Void = { _ in }
  ) async throws(FeedFault) -> Channel {
    let hosts = hosts ?? ["127.0.0.1:\(server.port)"]
    var limits = FeedLimits()
    limiting(&limits)
    let reader = FeedReader(hosts: Set(hosts.compactMap(WebHost.init)), limits: limits)
    return try await reader.channel(at: Text(server.address(path)))
  }

  @Test("loads a feed, also one that comes in chunks or compressed")
  func success() async throws {
    server.answer("/plain", fields: [Self.xml], Self.feed)
    server.answer(
      "/chunks", fields: [Self.xml, "Transfer-Encoding: chunked"], length: -1,
      "\(String(Self.feed.utf8.count, radix: 16))\r\n\(Self.feed)\r\n0\r\n\r\n")
    server.answer("/open", fields: [Self.xml], length: -1, Self.feed)
    server.answer("/packed", Self.packed(Array(Self.feed.utf8)))
    for path in ["/plain", "/chunks", "/open", "/packed"] {
      #expect(try await read(path).title == "T", "\(path)")
    }
    #expect(server.requests == ["/plain", "/chunks", "/open", "/packed"])
  }

  @Test("loads from no host but those that are named, and asks no other")
  func hosts() async throws {
    server.answer("/feed", fields: [Self.xml], Self.feed)
    for hosts in [[], ["127.0.0.1"], ["localhost:\(server.port)"], ["example.com"]] {
      await #expect(throws: FeedFault.notAllowed) { try await read("/feed", hosts: hosts) }
    }
    #expect(server.requests == [])
  }

  @Test("follows redirects, and checks each of them")
  func redirects() async throws {
    server.answer("/feed?x=ä", fields: [Self.xml], "")
    server.answer("/feed", fields: [Self.xml], Self.feed)
    let other = try ScriptedWebServer()
    other.answer("/feed", fields: [Self.xml], Self.feed)
    for (path, place) in [
      ("/1", "/feed"), ("/2", "1"), ("/3", server.address("/2")), ("/loop", "/loop"),
      ("/other", other.address("/feed")), ("/file", "file:///etc/passwd"),
      ("/ftp", "ftp://127.0.0.1/"),
      ("/name", "http://127.0.0.1:\(server.port)@127.0.0.1:\(other.port)/feed"),
      ("/nowhere", "http://"), ("/odd", "//[/"), ("/blank", "//a%20b/"), ("/none", ""),
    ] {
      server.answer(path, "302 Found", fields: ["Location: \(place)"], "a body")
    }
    #expect(try await read("/1").title == "T")
    #expect(try await read("/3").title == "T")
    #expect(server.requests.suffix(4) == ["/3", "/2", "/1", "/feed"])
    await #expect(throws: FeedFault.tooManyRedirects(limit: 2)) {
      try await read("/3") { $0.redirectCount = 2 }
    }
    await #expect(throws: FeedFault.tooManyRedirects(limit: 5)) { try await read("/loop") }
    for path in ["/other", "/file", "/ftp", "/name"] {
      await #expect(throws: FeedFault.notAllowed, "\(path)") { try await read(path) }
    }
    for path in ["/nowhere", "/odd", "/blank"] {
      await #expect(throws: FeedFault.self, "\(path)") { try await read(path) }
    }
    #expect(other.requests == [])
    let both = ["127.0.0.1:\(server.port)", "127.0.0.1:\(other.port)"]
    #expect(try await read("/other", hosts: both).title == "T")
  }

  @Test("says what the status, the type or the connection means")
  func answers() async throws {
    for (path, status) in [
      ("/404", "404 Not Found"), ("/410", "410 Gone"), ("/500", "500 No"),
      ("/204", "204 No Content"),
      ("/301", "301 Moved"), ("/206", "206 Partial Content"),
    ] {
      server.answer(path, status, fields: [Self.xml], status.hasPrefix("204") ? "" : Self.feed)
    }
    server.answer("/html", fields: ["Content-Type: text/html"], "<html></html>")
    server.answer("/untyped", fields: [], Self.feed)
    server.answer("/short", fields: [Self.xml], length: 500, Self.feed)
    server.answer(
      "/cut", fields: [Self.xml, "Transfer-Encoding: chunked"], length: -1, "ff\r\n\(Self.feed)")
    server.answer("/empty", .bytes([]))
    server.answer("/noise", .bytes(Array("hello\r\n\r\n".utf8)))
    server.answer("/long", fields: [Self.xml], length: 20, Self.feed)
    for (path, fault) in [
      ("/404", .missing(status: 404)), ("/410", .missing(status: 410)), ("/500", .status(500)),
      ("/204", .status(204)), ("/301", .status(301)), ("/206", .status(206)),
      ("/html", .unsupportedType("text/html")), ("/untyped", .unsupportedType(nil)),
      ("/short", .incomplete), ("/cut", .incomplete),
      ("/long", .malformed("it has a tag that does not end within 8 KiB")),
    ] as [(String, FeedFault)] {
      await #expect(throws: fault, "\(path)") { try await read(path) }
    }
    for path in ["/empty", "/noise"] {
      do {
        _ = try await read(path)
        Issue.record("\(path) is a feed")
      } catch {
        guard case .unreachable = error else {
          Issue.record("\(path): \(error)")
          continue
        }
      }
    }
  }

  @Test("reads no more than its limit, whatever an answer says of its size")
  func sizes() async throws {
    let flood = [UInt8](repeating: 0x20, count: 64 * 1024)
    let open = ScriptedWebServer.reply(fields: [Self.xml], length: -1)
    server.answer("/flood", .endless(open, then: flood))
    server.answer(
      "/announced", .stalling(ScriptedWebServer.reply(fields: [Self.xml], length: 1 << 40)))
    server.answer(
      "/redirect",
      .endless(
        ScriptedWebServer.reply("302 Found", fields: ["Location: /flood"], length: -1), then: flood)
    )
    server.answer(
      "/head",
      .endless(Array("HTTP/1.1 200 OK\r\n".utf8), then: Array("X-A: \(Self.feed)\r\n".utf8)))
    for path in ["/flood", "/announced", "/redirect", "/head"] {
      await #expect(throws: FeedFault.tooLarge(limit: 256 * 1024), "\(path)") {
        try await read(path) { $0.byteCount = 256 * 1024 }
      }
    }
    try await wait { server.abandonedCount == 4 }
    server.answer("/packed", Self.packed([UInt8](repeating: 0x20, count: 1024 * 1024)))
    await #expect(throws: FeedFault.tooLarge(limit: 256 * 1024)) {
      try await read("/packed") { $0.byteCount = 256 * 1024 }
    }
    server.answer("/exact", fields: [Self.xml], Self.feed)
    _ = try await read("/exact") { $0.byteCount = Self.feed.utf8.count }
    await #expect(throws: FeedFault.self) {
      try await read("/exact") { $0.byteCount = Self.feed.utf8.count - 1 }
    }
  }

  @Test(
    "waits no longer than its time for an answer that stalls, in its head, its body or a redirect")
  func stalls() async throws {
    let half = Array(ScriptedWebServer.reply(fields: [Self.xml], Self.feed).dropLast(5))
    server.answer("/nothing", .stalling([]))
    server.answer("/head", .stalling(Array("HTTP/1.1 200 OK\r\nA: ".utf8)))
    server.answer("/body", .stalling(half))
    server.answer("/redirect", "302 Found", fields: ["Location: /body"])
    for path in ["/nothing", "/head", "/body", "/redirect"] {
      await #expect(throws: FeedFault.timedOut, "\(path)") {
        try await read(path) { $0.time = .milliseconds(250) }
      }
    }
    // On a busy machine a time may be over before its request comes.
    try await wait { server.abandonedCount == server.requests.count { $0 != "/redirect" } }
  }

  @Test("reads a feed no longer than its time, although it came in time")
  func slowReading() async throws {
    // The parser looks for the namespace of each element among all that are declared around it.
    let declarations = (0..<500).map { "xmlns:a\($0)='u'" }.joined(separator: " ")
    let (start, end) = (
      String(repeating: "<b \(declarations)>", count: 200), String(repeating: "</b>", count: 200)
    )
    let elements = String(repeating: "<a/>", count: 100_000)
    server.answer(
      "/slow", fields: [Self.xml], "<rss><channel>\(start)\(elements)\(end)</channel></rss>")
    await #expect(throws: FeedFault.timedOut) {
      try await read("/slow") { $0.time = .milliseconds(500) }
    }
  }

  @Test("ends a transfer whose task is cancelled, and does not begin one that waits")
  func cancelling() async throws {
    server.answer("/stall", .stalling([]))
    let host = try #require(WebHost("127.0.0.1:\(server.port)"))
    var limits = FeedLimits()
    limits.concurrentCount = 1
    let reader = FeedReader(hosts: [host], limits: limits)
    let address = Text(server.address("/stall"))
    let tasks = (1...3).map { _ in Task { try await reader.channel(at: address) } }
    try await wait { server.requests.count == 1 }
    for task in tasks { task.cancel() }
    for task in tasks {
      await #expect(throws: FeedFault.cancelled) { try await task.value }
    }
    try await wait { server.abandonedCount == 1 }
    #expect(server.requests.count == 1)
  }

  @Test("loads a feed while another host does not answer")
  func otherHost() async throws {
    let silent = try ScriptedWebServer()
    silent.answer("/stall", .stalling([]))
    server.answer("/feed", fields: [Self.xml], Self.feed)
    let hosts = try [silent, server].map { try #require(WebHost("127.0.0.1:\($0.port)")) }
    var limits = FeedLimits()
    limits.concurrentCount = 1
    let reader = FeedReader(hosts: Set(hosts), limits: limits)
    let stalled = Text(silent.address("/stall"))
    let task = Task { try await reader.channel(at: stalled) }
    try await wait { silent.requests.count == 1 }
    #expect(try await reader.channel(at: Text(server.address("/feed"))).title == "T")
    task.cancel()
    await #expect(throws: FeedFault.cancelled) { try await task.value }
  }

  @Test("blocks no thread that other work needs")
  func threads() async throws {
    // Swift's own pool has one for each processor core, and gets one more each second while all are blocked.
    let count = ProcessInfo.processInfo.activeProcessorCount + 30
    let silent = try BoundSocket()
    #expect(listen(silent.descriptor, Int32(count)) == 0)
    let (descriptor, port) = (silent.descriptor, silent.port)
    defer { close(descriptor) }
    let host = try #require(WebHost("127.0.0.1:\(port)"))
    var limits = FeedLimits()
    (limits.concurrentCount, limits.time) = (count, patience)
    let reader = FeedReader(hosts: [host], limits: limits)
    let start = ContinuousClock.now
    let tasks = (1...count).map { number in
      Task { try await reader.channel(at: "http://127.0.0.1:\(port)/\(number)") }
    }
    let connections = try await SocketThread.run {
      (1...count).map { _ in accept(descriptor, nil, nil) }
    }
    #expect(ContinuousClock.now - start < .seconds(15))
    for connection in connections { close(connection) }
    for task in tasks { await #expect(throws: FeedFault.self) { try await task.value } }
  }

  @Test("loads a feed once that several podcasts have")
  func equalAddresses() async throws {
    server.answer("/feed", fields: [Self.xml], Self.feed)
    let host = try #require(WebHost("127.0.0.1:\(server.port)"))
    let address = Text(server.address("/feed"))
    let channels = try await FeedReader(hosts: [host]).channels(at: [1: address, 2: address])
    #expect(channels[1]?.channel.title == "T" && channels[2] == channels[1])
    #expect(server.requests.count == 1)
  }

  @Test("loads many feeds a few at a time, and fails with the first that fails")
  func many() async throws {
    for number in 1...12 {
      server.answer(
        "/\(number)", fields: [Self.xml], "<rss><channel><title>T\(number)</title></channel></rss>")
    }
    let host = try #require(WebHost("127.0.0.1:\(server.port)"))
    let reader = FeedReader(hosts: [host])
    let addresses = Dictionary(
      uniqueKeysWithValues: (1...12).map { (ResourceID($0), Text(server.address("/\($0)"))) })
    let open = OpenDescriptors.count()
    for _ in 1...3 {
      let channels = try await reader.channels(at: addresses)
      #expect(channels.count == 12 && channels[7]?.channel.title == "T7")
      #expect(channels[7]?.address == addresses[7])
    }
    try await wait { OpenDescriptors.count() <= open + 8 }
    server.answer("/5", "404 Not Found")
    let failure = await #expect(throws: LoadFailure.self) {
      try await reader.channels(at: addresses)
    }
    #expect(failure?.code == "missing" && failure?.message.contains("podcast 5") == true)
  }
}
