import CanonicalJSON
import Testing

@testable import ViewDeltaClient

@Suite("The names of revisions behind a proxy", .timeLimit(.minutes(5)))
struct ProxyTests {
  let server = ScriptedServer()

  @Test(
    "are not taken over if it has changed them, for which the server would refuse the next request",
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

  @Test("are read as a list, which may have spaces")
  func spaces() async throws {
    let a = try GroupTests.snapshot("a")
    server.reply(
      200, [.viewRevision: "b1, l1"],
      body: [
        "screens": [
          "board/1": try GroupTests.whole("board/1", a, "b1"),
          "list/1": try GroupTests.whole("list/1", a, "l1"),
        ]
      ])
    server.unchanged("b2,\tl2")
    #expect(await server.all(server.group(of: ["board/1", "list/1"]).updates()).count == 1)
    #expect(
      server.requests.last
        == #"POST /v1/sync {"screens":{"board/1":{"since":"b2"},"list/1":{"since":"l2"}},"wait":20}"#
    )
  }
}
