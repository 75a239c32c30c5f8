import CanonicalJSON
import Foundation
import Glibc
import Snapshots
import TestSupport
import Testing
import ViewDeltaClient

@Suite("viewdelta serve, with clients that wait", .serialized)
struct LiveServeTests {
  static let viewModel = "/v1/view-models/profile/1"

  /// A server whose profile of user 1 shows everything, and its revision.
  static func loaded(
    _ arguments: [String] = [], data: DataFile? = nil
  ) throws -> (ServeProcess, SocketClient, revision: String) {
    let server = try ServeProcess(["--latency", "1ms"] + arguments, data: data)
    let client = try server.client()
    try client.send("POST", viewModel + "/commands", ["type": "appear"])
    let reply = try client.settled(viewModel)
    return (server, client, try #require(reply["view-revision"]))
  }

  static func retitle(_ client: SocketClient, _ title: String) throws {
    try client.send("PATCH", "/v1/users/1", ["website": .string(title)])
  }

  @Test("answers curl's long poll with the change, or with 204 when its time is over")
  func curlPoll() async throws {
    try await SocketThread.run {
      let (server, client, revision) = try Self.loaded()
      let url = "http://127.0.0.1:\(server.port)\(Self.viewModel)/diff?since=\(revision)"
      let idle = try Shell.run(
        "curl -s -o /dev/null -w '%{http_code} %{time_total}' '\(url)&wait=1'")
      let words = idle.output.split(separator: " ")
      #expect(words.first == "204")
      let time = try #require(words.last.flatMap { Double($0) })
      #expect(time >= 0.85)

      let curl = try Background("curl -s '\(url)&wait=55'")
      try Self.retitle(client, "curl.example.com")
      let diff = try client.get("\(Self.viewModel)/diff?since=\(revision)").text
      #expect(try curl.output() == diff)
    }
  }

  @Test("streams events to curl as they happen")
  func curlEvents() async throws {
    try await SocketThread.run {
      let (server, client, revision) = try Self.loaded()
      let url = "http://127.0.0.1:\(server.port)\(Self.viewModel)/events?since=\(revision)"
      // The first block is there before anything happens; each of the others ends a wait.
      let curl = try Background("exec curl -sN '\(url)'")
      #expect(try curl.readLine() == "retry: 1000")
      #expect(try curl.readLine() == "id: \(revision)")
      #expect(try curl.readLine() == "")
      var since = revision
      for number in 1...2 {
        try Self.retitle(client, "\(number).example.com")
        let diff = try client.get("\(Self.viewModel)/diff?since=\(since)")
        since = try #require(diff["view-revision"])
        #expect(try curl.readLine() == "id: \(since)")
        #expect(try curl.readLine() == "data: \(diff.text)")
        #expect(try curl.readLine() == "")
      }
    }
  }

  @Test("keeps replicas right over kills and restarts while they hold what they have")
  func kill() async throws {
    try await SocketThread.run {
      let data = try DataFile.users()
      var replica: Replica?
      for round in 1...3 {
        let (server, client, _) = try Self.loaded(data: data)
        if var held = replica {
          let since = "\(Self.viewModel)/diff?since=\(held.revision)"
          #expect(try client.get(since).text.contains(#""reason":"epoch-changed""#))
          // What is shown is what was held before: no reset, and never a wrong diff.
          let query = "\(since)&have=\(ContentHash(of: held.snapshot))"
          let same = try client.get(query)
          #expect(same.status == 204, "round \(round): \(same.text)")
          let waiting = try server.client()
          try waiting.send("GET \(query)&wait=55 HTTP/1.1\r\nHost: localhost\r\n\r\n")
          try Self.retitle(client, "example.com/\(round)")
          let diff = try waiting.readReply()
          #expect(diff.text.contains(#""kind":"diff""#))
          try held.apply(document: diff.body)
          #expect(try held.canonicalBytes() == client.get(Self.viewModel).body)
        }
        // The writes are gone with the server, so what is held for the next one is from before them.
        if replica == nil { replica = try Replica(document: client.get(Self.viewModel).body) }
        let poll = try server.client()
        try poll.send(
          "GET \(Self.viewModel)/diff?since=\(try #require(replica).revision)&wait=55 HTTP/1.1\r\nHost: localhost\r\n\r\n"
        )
        server.signal(SIGKILL)
        #expect(try server.exit().reason == .uncaughtSignal)
      }
    }
  }
}
