import CanonicalJSON
import Foundation
import HTTPTypes
import Snapshots
import Synchronization
import TestSupport
import Testing
import ViewDeltaClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `viewdelta serve`, followed by an app in Swift.
@Suite("An app that follows a view model of viewdelta serve", .timeLimit(.minutes(5)))
struct ConnectionServeTests {
  /// Sends all requests to the server that runs now.
  final class Line: HTTPTransport {
    let port: Mutex<UInt16>

    init(to port: UInt16) { self.port = Mutex(port) }

    func reply(to request: HTTPRequest, body: Data) async throws -> (Data, HTTPResponse) {
      var request = request
      request.authority = "127.0.0.1:\(port.withLock { $0 })"
      return try await URLSession.shared.reply(to: request, body: body)
    }
  }

  /// A list that changes alone keep up to date.
  struct Follower {
    var updates: ViewModelUpdates.AsyncIterator
    var snapshot = Snapshot.empty
    var replica: Replica?

    /// Takes updates until a source has a state.
    mutating func wait(until source: Text, is state: Text) async throws {
      while replica?.snapshot.states[source] != state {
        guard case .changed(let next, let changes)? = await updates.next() else {
          throw LawViolation("it ends")
        }
        snapshot = try snapshot.applying(changes)
        try require(snapshot == next.snapshot, "the changes give another content")
        replica = next
      }
    }
  }

  @Test("loads it, sends it commands, and goes on after a crash and a start with the journal")
  func crash() async throws {
    let place = try JournalPlace()
    let options = ["--latency", "20ms", "--faults"]
    let first = try place.serve(options)
    let line = Line(to: first.port)
    let profile = ViewModelConnection(
      to: "profile/1", on: try #require(URL(string: "http://127.0.0.1")), by: line)
    var follower = Follower(updates: profile.updates().makeAsyncIterator())
    // The opening command.
    try await follower.wait(until: "posts", is: "loaded")
    try await follower.wait(until: "profile", is: "loaded")
    #expect(follower.snapshot.sections.count == 2)

    try first.crash()
    guard case .interrupted(.unreachable)? = await follower.updates.next() else {
      Issue.record("a crash is not told")
      return
    }
    let second = try place.serve(options)
    line.port.withLock { $0 = second.port }
    guard case .resumed? = await follower.updates.next() else {
      Issue.record("nothing has changed, and it is not told")
      return
    }
    // A poll may come too late for a state that ends by itself, so these stay until the next command.
    _ = try second.client().send("PUT", "/v1/faults/posts/1", ["outcomes": ["fail"]])
    for state: Text in ["failed", "loaded"] {
      #expect(try await profile.send(["type": "loadPosts"]).isAccepted)
      try await follower.wait(until: "posts", is: state)
    }
    let bytes = try second.client().get("/v1/view-models/profile/1").body
    #expect(follower.replica?.canonicalBytes() == bytes)

    let error = await #expect(throws: ConnectionError.self) {
      try await profile.send(["type": "fly"])
    }
    guard case .refused(let problem)? = error else { return }
    #expect(problem.status == 422 && problem.pointer == "/type")
  }

  @Test("is told that there is no such view model, and that it is deleted")
  func gone() async throws {
    let server = try ServeProcess()
    let line = Line(to: server.port)
    let address = try #require(URL(string: "http://127.0.0.1"))
    for (name, status) in [("profile/99999", 404), ("nothing/1", 404), ("nothing", 404)] {
      var updates = ViewModelConnection(to: Text(name), on: address, by: line).updates()
        .makeAsyncIterator()
      guard case .ended(let problem)? = await updates.next() else {
        Issue.record("there is \(name)")
        return
      }
      #expect(problem.status == status && problem.code != nil)
    }
    var updates = ViewModelConnection(to: "profile/2", on: address, by: line).updates()
      .makeAsyncIterator()
    _ = await updates.next()
    _ = try server.client().request("DELETE", "/v1/users/2")
    var last: ViewModelUpdate?
    while let update = await updates.next() { last = update }
    guard case .ended(let problem)? = last else {
      Issue.record("its end is not told")
      return
    }
    #expect(problem.status == 410)
  }

  @Test("scrolls in it while a poll waits, and after a crash and a start with the journal")
  func scroll() async throws {
    let place = try JournalPlace()
    let first = try place.serve()
    let port = first.port
    let line = Line(to: port)
    let board = ViewModelConnection(
      to: "scoreboard/1", on: try #require(URL(string: "http://127.0.0.1")), by: line)
    for number in 1...30 {
      try await board.send(["type": "addPlayer", "name": "P\(number)", "score": .integer(number)])
    }
    func window(_ start: Int) throws -> RowWindow {
      try #require(RowWindow(start: start, count: 10))
    }
    func check(_ replica: Replica, _ server: ServeProcess, _ start: Int) throws {
      let bytes = try server.client().get("/v1/view-models/scoreboard/1?window=\(start),10").body
      #expect(replica.canonicalBytes() == bytes)
      #expect(try replica.snapshot.window?.rows == window(start))
    }
    board.scroll(to: try window(2))
    var updates = board.updates().makeAsyncIterator()
    guard case .changed(let whole, _)? = await updates.next() else {
      Issue.record("there is no window")
      return
    }
    try check(whole, first, 2)

    let next = try window(7)
    async let scroll: Void = SocketThread.run {
      let client = try SocketClient(port: port)
      while try !client.get("/metrics").text.contains("viewdelta_clients_waiting 1\n") {}
      board.scroll(to: next)
    }
    guard case .changed(let scrolled, let changes)? = await updates.next() else {
      Issue.record("it does not scroll")
      return
    }
    try await scroll
    #expect(changes.rows.deletes.count == 5 && changes.rows.inserts.count == 5)
    try check(scrolled, first, 7)

    try first.crash()
    guard case .interrupted(.unreachable)? = await updates.next() else {
      Issue.record("a crash is not told")
      return
    }
    board.scroll(to: try window(20))
    let second = try place.serve()
    line.port.withLock { $0 = second.port }
    guard case .changed(let last, _)? = await updates.next() else {
      Issue.record("it does not scroll after the crash")
      return
    }
    try check(last, second, 20)
  }
}
