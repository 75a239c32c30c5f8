import CanonicalJSON
import Foundation
import HTTPTypes
import Snapshots
import Testing

@testable import ViewDeltaClient

@Suite("The history of a view model that an app asks for", .timeLimit(.minutes(5)))
struct HistoryTests {
  let server = ScriptedServer()
  let connection: ViewModelConnection

  init() {
    connection = server.connection()
  }

  /// Returns the error of a request.
  private func error(
    _ body: (ViewModelConnection) async throws(ConnectionError) -> Void
  ) async -> String {
    do throws(ConnectionError) {
      try await body(connection)
      return "none"
    } catch {
      return (error as any Error).localizedDescription
    }
  }

  @Test("is loaded once as it is, with all rows also in an app that has scrolled, and as it was")
  func replicas() async throws {
    let (former, current) = (try ConnectionTests.list("a"), try ConnectionTests.list("a", "b"))
    server.reply(body: ConnectionTests.whole(current, "2"))
    server.reply(body: ConnectionTests.whole(former, "1"))
    connection.scroll(to: try #require(RowWindow(start: 0, count: 1)))
    let now = try await connection.replica()
    let before = try await connection.replica(at: "1&x")
    #expect(now.snapshot == current && now.revision == "2")
    #expect(before.snapshot == former && before.revision == "1")
    #expect(
      server.requests == [
        "GET /v1/view-models/list/1", "GET /v1/view-models/list/1?at=1%26x",
      ])
  }

  @Test("has the time, the cause and the size of each revision")
  func revisions() async throws {
    let cause: JSONValue = ["kind": "command", "type": "add", "arguments": ["name": "Salt"]]
    server.reply(
      body: [
        "screen": "list/1",
        "revisions": [
          ["revision": "1", "at": "2026-03-01T09:30:00Z", "cause": ["kind": "start"]],
          [
            "revision": "2", "at": "2026-03-01T09:31:00Z", "cause": cause, "operations": 1,
            "bytes": 190,
          ],
        ],
      ])
    server.reply(body: ["screen": "list/1", "revisions": []])
    let all = try await connection.revisions()
    let older = try await connection.revisions(limit: 5, before: "1")
    #expect(all.map(\.revision) == ["1", "2"])
    #expect(all.map(\.date.timeIntervalSince1970) == [1_772_357_400, 1_772_357_460])
    #expect(all.map(\.cause) == [["kind": "start"], cause])
    #expect(all.map(\.operationCount) == [nil, 1] && all.map(\.byteCount) == [nil, 190])
    #expect(older.isEmpty)
    let path = "GET /v1/view-models/list/1/revisions"
    #expect(server.requests == ["\(path)?limit=100", "\(path)?limit=5&before=1"])
  }

  @Test("is asked for once: the error says why the server has none, or what is wrong in its answer")
  func errors() async throws {
    let load = { (connection: ViewModelConnection) async throws(ConnectionError) in
      _ = try await connection.replica(at: "1")
    }
    let list = { (connection: ViewModelConnection) async throws(ConnectionError) in
      _ = try await connection.revisions()
    }
    server.reply(410, body: ["code": "revision-expired", "detail": "It is no longer kept."])
    #expect(await error(load) == "the server refuses with 410: It is no longer kept.")
    let foreign = try ConnectionTests.list("a").encoded(
      kind: .snapshot, screen: "list/2", revision: "1")
    server.reply(body: foreign)
    #expect(
      await error(load)
        == #"the reply is not one of ViewDelta: the document is of "list/2" instead of "list/1""#)
    server.reply(body: Array("<html>".utf8))
    #expect(await error(load).hasPrefix("the reply is not one of ViewDelta: "))
    let revision: JSONValue = ["revision": "1", "at": "yesterday", "cause": ["kind": "start"]]
    server.reply(body: ["revisions": [revision]])
    let reason = "expected a time in ISO 8601 (/revisions/0/at)"
    #expect(await error(list) == "the reply is not one of ViewDelta: \(reason)")
    server.noReply()
    #expect(await error(list).hasPrefix("there is no reply: "))
    #expect(server.requests.count == 5 && server.pauses.isEmpty)
  }
}
