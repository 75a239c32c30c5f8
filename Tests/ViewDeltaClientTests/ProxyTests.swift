import CanonicalJSON
import Testing

@testable import ViewDeltaClient

@Suite("Behind a proxy", .timeLimit(.minutes(5)))
struct ProxyTests {
  let server = ScriptedServer()

  @Test(
    "a name of a revision that it has changed is not taken over: the server would refuse it",
    arguments: ["2, 2", "2,", "", "2;3", "ü", String(repeating: "2", count: 65)])
  func changed(revision: String) async throws {
    server.reply(body: ConnectionTests.whole(try ConnectionTests.list("a"), "1"))
    server.unchanged(revision)
    server.unchanged("1")
    server.unchanged("2.-_")
    let updates = ConnectionTests.text(await server.updates())
    #expect(updates.count == 3 && updates.last == "resumed", "\(updates)")
    let path = "GET /v1/view-models/list/1/diff?since"
    #expect(server.requests[1] == "\(path)=1&wait=20")
    #expect(server.requests[2].hasPrefix("\(path)=1&have="))
    #expect(server.requests[3...] == ["\(path)=1&wait=20", "\(path)=2.-_&wait=20"])
  }

  @Test("the names of revisions are read as a list, which may have spaces")
  func spaces() async throws {
    let a = try ConnectionTests.list("a")
    server.reply(
      [
        "board/1": try GroupTests.whole("board/1", a, "b1"),
        "list/1": try GroupTests.whole("list/1", a, "l1"),
      ], revisions: "b1, l1")
    server.unchanged("b2,\tl2")
    #expect(await server.all(server.group(of: ["board/1", "list/1"]).updates()).count == 1)
    #expect(
      server.requests.last
        == #"POST /v1/sync {"screens":{"board/1":{"since":"b2"},"list/1":{"since":"l2"}},"wait":20}"#
    )
  }

  @Test("a connection waits longer and longer if it answers only polls that need not wait")
  func impatientProxy() async throws {
    server.reply(body: ConnectionTests.whole(try ConnectionTests.list("a"), "1"))
    for _ in 1...3 {
      server.reply(502)
      server.unchanged("1")
    }
    server.unchanged("1")
    server.reply(502)
    let updates = await server.updates()
    #expect(server.pauses == [0.5, 1, 2, 0.5].map { .seconds($0) })
    let outage = "interrupted: the server refuses with 502: no reason"
    #expect(ConnectionTests.text(updates).dropFirst() == [outage, "resumed", outage])
  }

  @Test("a connection soon tells of an outage that follows another one")
  func secondOutage() async throws {
    server.reply(body: ConnectionTests.whole(try ConnectionTests.list("a"), "1"))
    for failures in [5, 2] {
      for _ in 1...failures { server.reply(502) }
      server.unchanged("1")
    }
    let updates = await server.updates()
    #expect(server.pauses == [0.5, 1, 2, 4, 8, 1, 1].map { .seconds($0) })
    let outage = "interrupted: the server refuses with 502: no reason"
    #expect(
      ConnectionTests.text(updates).dropFirst() == [outage, "resumed", outage, "resumed"])
  }

  @Test("a connection goes on if it refuses with a code of its own")
  func codeOfProxy() async throws {
    server.reply(body: ConnectionTests.whole(try ConnectionTests.list("a"), "1"))
    server.reply(404, [.contentType: "application/json"], body: ["code": "no-route"])
    server.reply(
      body: ConnectionTests.diff(
        try ConnectionTests.list("a"), try ConnectionTests.list("a", "b"), "1", "2"))
    #expect(
      await ConnectionTests.text(server.updates()).last == #"2: ["a", "b"] after 1 operations"#)
  }

  @Test(
    "a connection goes on if it answers without a server, under a status of its own or 404",
    arguments: [302, 400, 404, 405, 407, 410, 413, 421, 451, 500, 502, 511, 522, 530])
  func proxies(status: Int) async throws {
    server.reply(body: ConnectionTests.whole(try ConnectionTests.list("a"), "1"))
    server.reply(status, [:], body: Array("<html>No".utf8))
    server.unchanged("1")
    let updates = await server.updates()
    guard updates.count == 3, case .interrupted = updates[1], case .resumed = updates[2] else {
      Issue.record("\(ConnectionTests.text(updates))")
      return
    }
  }

  @Test("a connection ends if it wants the user to sign in", arguments: [401, 403])
  func signedOut(status: Int) async throws {
    server.reply(status, [:], body: Array("<html>Sign in".utf8))
    #expect(await ConnectionTests.text(server.updates()) == ["ended with \(status) "])
  }
}
