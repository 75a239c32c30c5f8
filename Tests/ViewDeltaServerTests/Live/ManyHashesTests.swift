import CanonicalJSON
import HTTPTypes
import MicroHTTP
import TestSupport
import Testing
import ViewDeltaServer

@Suite("What a client has of a large view model, under an unknown name")
struct ManyHashesTests {
  /// A backend with a view model of so much content that hashing it would hold up a thread that serves, the hash of
  /// its content, and one revision that is newer.
  private static func large() async throws -> (Backend, have: String, last: String) {
    let (backend, _) = try await Backend.loaded()
    let text = String(repeating: "x", count: 60_000)
    await backend.call(.patch, "/v1/users/1/posts/1", body: ["body": .string(Text(text))])
    let have = try await backend.contentHash
    await backend.retitle("Two")
    return (backend, have, try await backend.revision)
  }

  @Test("is searched for a poll of many view models after the thread that serves it could go on")
  func sync() async throws {
    let (backend, have, last) = try await Self.large()
    let held: JSONValue = ["since": "other.1", "have": .string(Text(have))]
    let request = Request(
      method: .post, target: "/v1/sync", fields: [.contentType: "application/json"],
      body: JSONValue.object(["screens": ["profile/1": held]]).canonicalBytes())
    guard case .later = backend.application.router.reply(to: request) else {
      Issue.record("the content is hashed before the reply is decided")
      return
    }
    let answer = Answer(await backend.application.router.respond(to: request))
    let viewModel = try answer.json.member("screens").member("profile/1")
    #expect(try viewModel.member("kind").string() == "diff")
    #expect(try viewModel.member("from").string() == "other.1")
    #expect(try viewModel.member("revision").string().string == last)
  }

  @Test("is searched for a stream after the thread that serves it could go on")
  func events() async throws {
    let (backend, have, last) = try await Self.large()
    let stream = try #require(backend.events("since=other.1&have=\(have)"))
    #expect(stream.readPiece() == nil)
    var events: [ServerSentEvent] = []
    try await wait {
      events = try stream.read()
      return !events.isEmpty
    }
    #expect(events.map(\.id) == [last])
    let diff = try JSONReader(JSONValue(parsing: #require(events.first?.data)))
    #expect(try diff.member("from").string() == "other.1")
    #expect(try diff.member("rows").memberNames == ["updates"])
    await backend.retitle("Three")
    #expect(try stream.read().map(\.data) == [await backend.diff("since=\(last)").body])
    stream.leave()
    #expect(backend.waitingCount == 0)
  }
}
