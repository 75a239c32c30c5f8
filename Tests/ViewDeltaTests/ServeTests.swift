import CanonicalJSON
import Foundation
import Glibc
import Snapshots
import TestSupport
import Testing
import ViewDeltaClient

@Suite("viewdelta serve")
struct ServeTests {
  @Test("says where it listens, with three lines to try that work")
  func announcement() async throws {
    try await SocketThread.run {
      let directory = try TemporaryDirectory()
      let server = try ServeProcess(["--public", directory.path])
      let url = "http://127.0.0.1:\(server.port)"
      #expect(
        server.announcement == [
          "ViewDelta listens on \(url). Try:",
          "  curl \(url)/v1/view-models/profile/1",
          "  curl --json '{\"type\":\"appear\"}' \(url)/v1/view-models/profile/1/commands",
          "  curl \"\(url)/v1/view-models/profile/1/diff?since=REVISION\"",
        ])
      for line in server.announcement.dropFirst() {
        let answer = try Shell.run(line.replacing("curl ", with: "curl -sS --fail "))
        #expect(answer.code == 0)
        #expect(answer.output.hasPrefix("{"))
      }
    }
  }

  @Test(
    "names a view model that there is, in lines to try, or the list of screens if there is none")
  func announcementOfData() async throws {
    try await SocketThread.run {
      for (data, path) in [
        (#"{"albums":[{"title":"A"}]}"#, "/v1/view-models/scoreboards/all"),
        (
          #"{"listeners":[{"id":"ä","name":"L","podcasts":[]}]}"#, "/v1/view-models/podcasts/%C3%A4"
        ),
      ] {
        let server = try ServeProcess(data: DataFile(Array(data.utf8)))
        let first = server.announcement[1]
        #expect(first == "  curl http://127.0.0.1:\(server.port)\(path)")
        #expect(try Shell.run(first.replacing("curl ", with: "curl -sS --fail ")).code == 0)
      }
    }
  }

  @Test("shows its numbers under /metrics, and with a journal whether it records")
  func metrics() async throws {
    try await SocketThread.run {
      let directory = try TemporaryDirectory()
      for (options, hasJournal) in [
        ([], false), (["--journal", directory.path + "/j", "--journal-keep", "3650d"], true),
      ] {
        let server = try ServeProcess(options)
        let lines = try server.client().get("/metrics").text.split(separator: "\n")
        #expect(lines.contains("viewdelta_http_connections 1"))
        #expect(lines.contains("viewdelta_journal_up 1") == hasJournal)
        #expect(lines.contains("viewdelta_journal_current 1") == hasJournal)
        #expect(lines.contains("viewdelta_journal_checkpoint_position 0") == hasJournal)
        let size = lines.first { $0.hasPrefix("viewdelta_journal_size_bytes ") }
          .flatMap { Int($0.split(separator: " ")[1]) }
        #expect(hasJournal ? (size ?? 0) > 10_000 : size == nil)
      }
    }
  }

  @Test("shows every user of a data file")
  func dataFile() async throws {
    try await SocketThread.run {
      let server = try ServeProcess(["--latency", "5ms"], data: DataFile.users())
      let client = try server.client()
      let users = try client.json("/v1/users").elements()
      #expect(!users.isEmpty)
      for user in users {
        let id = try user.member("id").value
        let viewModel = "/v1/view-models/profile/\(id)"
        try client.send("POST", viewModel + "/commands", ["type": "appear"])
        _ = try client.settled(viewModel)
        let states = try client.json(viewModel).member("states").value
        #expect(states == ["posts": "loaded", "profile": "loaded"])
      }
    }
  }

  @Test("shows the screens of every store that a data file names, and of no other")
  func stores() async throws {
    try await SocketThread.run {
      let document: JSONValue = [
        "users": [], "posts": [], "scoreboards": [["id": "mine", "title": "Mine"]],
        "catalogs": [["id": "mine", "sections": [["id": "a"]]]],
      ]
      let server = try ServeProcess(data: DataFile(document.canonicalBytes()))
      let client = try server.client()
      for (path, status) in [
        ("scoreboard/mine", 200), ("scoreboard/1", 404), ("catalog/mine", 200),
        ("catalog/1", 404), ("profile/1", 404), ("podcasts/1", 404), ("scoreboards/all", 200),
      ] {
        #expect(try client.get("/v1/view-models/" + path).status == status, "\(path)")
      }
      #expect(try client.json("/v1/listeners").value == [])
    }
  }

  @Test("serves 200 clients one after the other where it may open 64 files only")
  func fewDescriptors() async throws {
    try await SocketThread.run {
      let server = try ServeProcess(shell: "ulimit -n 64")
      let clients = try (0..<200).map { _ in try server.client() }
      for client in clients {
        let reply = try client.request("GET", "/healthz", fields: ["Connection: close"])
        #expect(reply.status == 200)
      }
    }
  }

  /// Makes standard error a socket that nobody reads, as systemd does while its journal is stopped.
  private static let logSocket = """
    exec python3 -c 'import os, socket, sys
    reader, writer = socket.socketpair()
    reader.set_inheritable(True)
    writer.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    os.dup2(writer.fileno(), 2)
    os.execv(sys.argv[1], sys.argv[1:])' "$0" "$@"
    """

  @Test(
    "goes on where nobody reads its log and the pipe or socket is full",
    arguments: [nil, logSocket])
  func fullLog(shell: String?) async throws {
    try await SocketThread.run {
      let server = try ServeProcess(["--log-level", "trace"], shell: shell)
      // Each leaves some 400 bytes of log; a pipe takes 64 KiB.
      for _ in 0..<400 {
        let client = try server.client()
        try client.send("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: no\r\n\r\n")
        _ = try client.readToEnd()
      }
      #expect(try server.client().get("/healthz").status == 200)
    }
  }

  @Test(
    "takes each of its options",
    arguments: [
      (["--faults"], "/v1/faults/posts/1", 200), ([], "/v1/faults/posts/1", 404),
      (["--host", "localhost"], "/healthz", 200), (["--log-level", "error"], "/healthz", 200),
    ])
  func options(arguments: [String], path: String, status: Int) async throws {
    try await SocketThread.run {
      let server = try ServeProcess(arguments)
      #expect(try server.client().get(path).status == status)
    }
  }

  @Test(
    "blanks a refresh or keeps what is there, as the policy says",
    arguments: [
      ("blank", ["contentHeader", "contentLoading"]),
      ("keep-previous", ["contentHeader", "contentLoading", "post", "post", "post"]),
    ])
  func policies(policy: String, types: [String]) async throws {
    try await SocketThread.run {
      let server = try ServeProcess(["--refresh", policy, "--faults", "--latency", "1ms"])
      let client = try server.client()
      let viewModel = "/v1/view-models/profile/1"
      try client.send("POST", viewModel + "/commands", ["type": "loadPosts"])
      _ = try client.settled(viewModel)
      try client.send("PUT", "/v1/faults/posts/1", ["latencyMilliseconds": 60_000])
      try client.send("POST", viewModel + "/commands", ["type": "loadPosts"])
      let rows = try client.json(viewModel).member("sections").elements()[1].member("rows")
      #expect(try rows.elements().map { try $0.member("type").string().string } == types)
    }
  }

  @Test("writes the texts of rows in the language that it is given, and its dates in UTC")
  func languages() async throws {
    try await SocketThread.run {
      for (options, language, date, empty) in [
        ([], "en", "3 March 2026", "No players yet"),
        (["--language", "en"], "en", "3 March 2026", "No players yet"),
        (["--language", "de"], "de", "3. März 2026", "Noch keine Spieler"),
      ] {
        // A machine in another language, half a day away.
        let server = try ServeProcess(
          options + ["--latency", "1ms"],
          shell: "export LC_ALL=fr_FR.UTF-8 TZ=Pacific/Auckland")
        let client = try server.client()
        let viewModel = "/v1/view-models/profile/4"
        try client.send("POST", viewModel + "/commands", ["type": "loadPosts"])
        let reply = try client.settled(viewModel)
        #expect(reply.text.contains("\"dateText\":\"\(date)\""))
        #expect(reply["content-language"] == language)
        #expect(try client.get("/v1/view-models/scoreboard/4").text.contains(empty))
      }
    }
  }

  @Test("ends a load after the time it is given")
  func loadTimeout() async throws {
    try await SocketThread.run {
      // With the time-out that holds without the option the load would succeed.
      let server = try ServeProcess(["--latency", "9s", "--load-timeout", "10ms"])
      let client = try server.client()
      let viewModel = "/v1/view-models/profile/1"
      try client.send("POST", viewModel + "/commands", ["type": "loadPosts"])
      let reply = try client.settled(viewModel)
      #expect(reply.text.contains(#""code":"timed-out""#))
    }
  }
}
