import CanonicalJSON
import HTTPTypes
import Snapshots
import Testing

@testable import ViewDeltaClient

@Suite("A connection that gets the whole view model again and again", .timeLimit(.minutes(5)))
struct RepetitionTests {
  let server = ScriptedServer()

  init() { server.pollTime = .zero }

  @Test("pauses and tells nothing new, as if the query of each poll is lost on the way")
  func lostQuery() async throws {
    let (a, ab) = (try ConnectionTests.list("a"), try ConnectionTests.list("a", "b"))
    for _ in 1...4 { server.reply(body: ConnectionTests.whole(a, "1")) }
    server.reply(body: ConnectionTests.whole(ab, "2"))
    #expect(
      ConnectionTests.text(await server.updates()) == [
        #"1: ["a"] after 2 operations"#, #"2: ["a", "b"] after 1 operations"#,
      ])
    #expect(server.pauses == Array(repeating: .seconds(1), count: 4))
  }

  @Test("pauses if servers that do not know of each other answer in turn")
  func strangers() async throws {
    let (a, ab) = (try ConnectionTests.list("a"), try ConnectionTests.list("a", "b"))
    for _ in 1...3 {
      server.reply(body: ConnectionTests.whole(a, "1", kind: .reset(reason: "epoch-changed")))
      server.reply(body: ConnectionTests.whole(ab, "x", kind: .reset(reason: "epoch-changed")))
    }
    server.reply(body: ConnectionTests.diff(ab, a, "x", "y"))
    #expect(await server.updates().count == 7)
    #expect(server.pauses == Array(repeating: .seconds(1), count: 5))
  }

  @Test("pauses only after a whole behind another one, not after one behind a change")
  func change() async throws {
    let (a, ab) = (try ConnectionTests.list("a"), try ConnectionTests.list("a", "b"))
    server.reply(body: ConnectionTests.whole(a, "1"))
    server.reply(body: ConnectionTests.whole(ab, "2", kind: .reset(reason: "epoch-changed")))
    server.reply(body: ConnectionTests.diff(ab, a, "2", "3"))
    server.reply(body: ConnectionTests.whole(ab, "4", kind: .reset(reason: "epoch-changed")))
    #expect(await server.updates().count == 4)
    #expect(server.pauses == [.seconds(1)])
  }

  @Test(
    "pauses if a cache answers each poll with the same change, and has the former whole as well")
  func cache() async throws {
    let (a, ab) = (try ConnectionTests.list("a"), try ConnectionTests.list("a", "b"))
    for _ in 1...4 {
      server.reply(body: ConnectionTests.whole(a, "1"))
      // The second one does not fit, after which the whole is asked for at once.
      for _ in 1...2 { server.reply(body: ConnectionTests.diff(a, ab, "1", "2")) }
    }
    #expect(await server.updates().count == 8)
    #expect(server.pauses == Array(repeating: .seconds(1), count: 3))
  }

  @Test("does not pause when the app scrolls to and fro, which changes no revision")
  func scroll() async throws {
    let all = try ConnectionTests.list("a", "b", "c")
    let windows = try [0, 1].map { try #require(RowWindow(start: $0, count: 1)) }
    let seen = windows.map { all.seen(through: $0) }
    let connection = server.connection()
    connection.scroll(to: windows[0])
    server.reply(body: seen[0].encoded(kind: .snapshot, screen: "list/1", revision: "1"))
    for (old, new) in [(0, 1), (1, 0), (0, 1), (1, 0)] {
      server.lastReply { connection.scroll(to: windows[new]) }
      server.reply(body: ConnectionTests.diff(seen[old], seen[new], "1", "1"))
    }
    #expect(await server.all(connection.updates()).count == 5)
    #expect(server.pauses.isEmpty)
  }

  @Test("does not pause for the changes of one view model because another one began anew before")
  func others() async throws {
    let list = try ["a", "b", "c"].map { try ConnectionTests.list($0) }
    for (kind, revision) in [
      (Snapshot.DocumentKind.snapshot, "1"), (.reset(reason: "epoch-changed"), "2"),
    ] {
      let wholes = try ["board/1", "list/1"].map {
        ($0, try GroupTests.whole($0, list[0], Text(revision), kind: kind))
      }
      server.reply(
        Dictionary(uniqueKeysWithValues: wholes), revisions: "\(revision),\(revision)")
    }
    server.reply(
      ["list/1": try GroupTests.diff("list/1", list[0], list[1], "2", "3")], revisions: "2,3")
    server.reply(
      ["list/1": try GroupTests.diff("list/1", list[1], list[2], "3", "4")], revisions: "2,4")
    #expect(await server.all(server.group(of: ["board/1", "list/1"]).updates()).count == 4)
    #expect(server.pauses == [.seconds(1)])
  }

  @Test("tells once that a view model fails, and pauses if it is answered so again and again")
  func failure() async throws {
    let failed = GroupTests.problem(500, "screen-failed")
    for _ in 1...4 {
      server.reply(["board/1": failed], revisions: "screen-failed")
    }
    #expect(await server.all(server.group(of: ["board/1"]).updates()).count == 1)
    #expect(server.pauses == Array(repeating: .seconds(1), count: 3))
  }

  @Test("pauses if scrolling brings nothing, though a command was answered since an outage")
  func noScroll() async throws {
    let connection = server.connection()
    let windows = try [0, 1].map { try #require(RowWindow(start: $0, count: 1)) }
    connection.scroll(to: windows[0])
    let seen = try ConnectionTests.list("a", "b").seen(through: windows[0])
    server.reply(body: ConnectionTests.whole(seen, "1"))
    server.noReply()
    server.inPause { try await connection.send(["type": "add"]) }
    server.reply(body: ["accepted": true, "revision": "1"])
    server.unchanged("1")
    server.lastReply { connection.scroll(to: windows[1]) }
    for _ in 1...3 { server.unchanged("1") }
    #expect(await server.all(connection.updates()).count == 3)
    #expect(server.pauses == [0.5, 1, 1, 1].map { .seconds($0) })
  }
}
