import HTTPTypes
import MicroHTTP
import Testing

@testable import ViewDeltaServer

@Suite("A reply")
struct ReplyCacheTests {
  @Test("is encoded once for all who ask")
  func sharing() async throws {
    let backend = try Backend()
    let start = try await backend.revision
    await backend.send("loadPosts")
    let current = try await backend.revision
    for target in ["?at=\(start)", "/diff?since=\(start)", "/diff?since=\(current)", ""] {
      let request = Request(method: .get, target: Backend.viewModel + target)
      let first = await backend.application.router.respond(to: request)
      let second = await backend.application.router.respond(to: request)
      #expect(first.isIdentical(to: second))
    }
  }

  @Test(
    "that is a problem is made anew for each client, whatever it asks for",
    arguments: ["items?after=none", "sections/none", "items/none/outline"])
  func problem(query: String) async throws {
    let backend = try Backend(.catalogs)
    let request = Request(method: .get, target: "/v1/catalogs/1/\(query)")
    let first = await backend.application.router.respond(to: request)
    let second = await backend.application.router.respond(to: request)
    #expect(first.problem != nil && first.body == second.body)
    #expect(!first.isIdentical(to: second))
  }

  @Test("that is small stays for ever if two clients ask for it before many others come")
  func kept() {
    let documents = Documents(size: 4_096)
    let first = documents.reply(0)
    #expect(documents.reply(0).isIdentical(to: first))
    for number in 1...2_000 { _ = documents.reply(number) }
    #expect(documents.reply(0).isIdentical(to: first))
  }

  @Test("that is small is made anew if nobody asks for it again before many others come")
  func forgotten() {
    let documents = Documents(size: 4_096)
    let first = documents.reply(0)
    // It stays if none of them has its place among 64: with a probability of 2e-14.
    for number in 1...2_000 { _ = documents.reply(number) }
    #expect(!documents.reply(0).isIdentical(to: first))
  }

  @Test("that is small is made anew if one client has asked for it plain and compressed")
  func measured() {
    let documents = Documents(size: 4_096)
    let first = documents.reply(0)
    _ = documents.reply(0, coded: .gzip)
    for number in 1...2_000 { _ = documents.reply(number) }
    #expect(!documents.reply(0).isIdentical(to: first))
  }

  @Test("that is large stays from the first request on")
  func large() {
    let documents = Documents(size: 4_097)
    let first = documents.reply(0)
    for number in 1...2_000 { _ = documents.reply(number) }
    #expect(documents.reply(0).isIdentical(to: first))
  }

  @Test("that is large stays for ever if it is asked for between others that take all memory")
  func asked() {
    // Each half of the memory has room for four.
    let documents = Documents(size: 100_000, byteLimit: 1_000_000)
    let first = documents.reply(0)
    for number in 1...40 {
      _ = documents.reply(number)
      #expect(documents.reply(0).isIdentical(to: first))
    }
  }

  @Test("that is large is made anew if others have taken all memory since")
  func outgrown() {
    let documents = Documents(size: 100_000, byteLimit: 1_000_000)
    let replies = (0..<20).map { documents.reply($0) }
    #expect(documents.reply(19).isIdentical(to: replies[19]))
    #expect(!documents.reply(11).isIdentical(to: replies[11]))
  }

  @Test("that was made twice at the same time is one for both clients")
  func race() {
    let documents = Documents(size: 10)
    var inner: Response?
    let outer = documents.reply(0) { inner = documents.reply(0) }
    #expect(inner?.isIdentical(to: outer) == true)
  }

  @Test("does not stay in a cache without memory", arguments: [10, 10_000])
  func limit(size: Int) {
    let documents = Documents(size: size, byteLimit: 0)
    #expect(!documents.reply(0).isIdentical(to: documents.reply(0)))
  }
}

/// Documents of one size in a cache.
private struct Documents {
  private let cache: ReplyCache
  private let size: Int

  init(size: Int, byteLimit: Int = 64 * 1024 * 1024) {
    cache = ReplyCache(byteLimit: byteLimit)
    self.size = size
  }

  /// Returns the reply with a document, and calls `meanwhile` if it has to be made.
  func reply(
    _ number: Int, coded coding: ContentCoding = .identity, meanwhile: () -> Void = {}
  ) -> Response {
    let representation = Representation(format: .json, coding: coding)
    return cache.reply(on: .document(target: "/\(number)", version: 1), as: representation) { _ in
      meanwhile()
      return Response(status: .ok, body: [UInt8](repeating: 97, count: size))
    }
  }
}
