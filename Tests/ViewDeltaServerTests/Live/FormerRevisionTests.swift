import CanonicalJSON
import HTTPTypes
import MicroHTTP
import TestSupport
import Testing
import ViewDeltaServer

@Suite("A revision from before a restart")
struct FormerRevisionTests {
  private static let board = "/v1/view-models/scoreboard/1"

  private static func backend(_ journal: MemoryJournal) throws -> Backend {
    try Backend(.scoreboards) { $0.configuration.journal = journal }
  }

  @Test("is made after the thread that serves it could go on, once, whichever request names it")
  func made() async throws {
    let journal = MemoryJournal()
    let first = try Self.backend(journal)
    var tokens = [try await first.get(Self.board).string("revision")]
    for name: Text in ["Ida", "Mia"] {
      let player: JSONValue = ["name": .string(name), "score": 7]
      await first.call(.post, "/v1/scoreboards/1/players", body: player)
      tokens.append(try await first.get(Self.board).string("revision"))
    }
    let held: JSONValue = ["screens": ["scoreboard/1": ["since": .string(Text(tokens[0]))]]]
    let requests = [
      Request(method: .get, target: "\(Self.board)?at=\(tokens[0])"),
      Request(method: .get, target: "\(Self.board)/diff?since=\(tokens[0])"),
      Request(method: .get, target: "\(Self.board)/diff?since=\(tokens[2])&until=\(tokens[1])"),
      Request(
        method: .post, target: "/v1/sync", fields: [.contentType: "application/json"],
        body: held.canonicalBytes()),
    ]
    for request in requests {
      let expected = await first.application.router.respond(to: request)
      #expect(expected.status == .ok)
      let router = try Self.backend(MemoryJournal(journal.content)).application.router
      guard case .later = router.reply(to: request) else {
        Issue.record("\(request.target) makes revisions before the reply is decided")
        continue
      }
      #expect(await router.respond(to: request).body == expected.body)
      if case .later = router.reply(to: request) {
        Issue.record("\(request.target) looks for revisions that are made")
      }
    }
  }
}
