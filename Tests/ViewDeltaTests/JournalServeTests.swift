import CanonicalJSON
import Foundation
import Glibc
import TestSupport
import Testing
import ViewDeltaClient

/// `viewdelta serve --journal FILE`, killed and started again.
@Suite("viewdelta serve with a journal")
struct JournalServeTests {
  @Test("has every acknowledged write, state, token and outcome after it was killed")
  func kill() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      let profile = "/v1/view-models/profile/1"
      let viewModels = [
        profile, "/v1/view-models/scoreboard/1", "/v1/view-models/scoreboards/all",
        "/v1/view-models/form/1",
      ]
      let options = ["--latency", "1ms"]
      let create = #"{"title":"Kept","body":"Text"}"#
      func post(_ client: SocketClient) throws -> HTTPReply {
        try client.request(
          "POST", "/v1/users/1/posts", fields: ["Idempotency-Key: post-1"], json: create)
      }
      var seen: [String: [UInt8]] = [:]
      var replicas: [String: Replica] = [:]
      var created: HTTPReply
      do {
        let server = try place.serve(options)
        let client = try server.client()
        for viewModel in viewModels {
          replicas[viewModel] = try Replica(document: client.get(viewModel).body)
        }
        try client.send("POST", profile + "/commands", ["type": "appear"])
        _ = try client.settled(profile)
        created = try post(client)
        try client.send("POST", "/v1/scoreboards/1/players", ["name": "Kept", "score": 7])
        for viewModel in viewModels { seen[viewModel] = try client.get(viewModel).body }
        try server.crash()
      }
      let server = try place.serve(options)
      let client = try server.client()
      for viewModel in viewModels {
        #expect(try client.get(viewModel).body == seen[viewModel], "\(viewModel)")
        // A client that missed all of it gets a diff, and one that missed nothing gets nothing.
        var replica = try #require(replicas[viewModel])
        let reply = try client.get(
          "\(viewModel)/diff?since=\(replica.revision)", fields: ["Prefer: return=diff"])
        if reply.status == 200 {
          #expect(reply.text.contains(#""kind":"diff""#))
          try replica.apply(document: reply.body)
        }
        #expect(try replica.canonicalBytes() == #require(seen[viewModel]), "\(viewModel)")
        #expect(try client.get("\(viewModel)/diff?since=\(replica.revision)").status == 204)
      }
      let again = try post(client)
      #expect(again.status == created.status && again.body == created.body)
      #expect(again["etag"] == created["etag"])
      let posts = try client.json("/v1/users/1/posts?limit=1000").elements()
      let kept = try posts.filter { try $0.member("title").value == "Kept" }
      #expect(kept.count == 1)
    }
  }

  @Test("has each write that was answered before it was killed among many writers")
  func writers() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      var acknowledged: Set<String> = []
      do {
        let server = try place.serve()
        acknowledged = try ManyWriters.write(to: [server.port], kills: [150: server.identifier])
        #expect(try server.exit().reason == .uncaughtSignal)
      }
      #expect((100..<160).contains(acknowledged.count), "\(acknowledged.count)")
      let server = try place.serve()
      let posts = try server.client().json("\(ManyWriters.path)?limit=1000").elements()
      let titles = Set(try posts.map { try $0.member("title").string().string })
      #expect(acknowledged.isSubset(of: titles))
      // Beside those, at most what eight writers had sent.
      #expect(titles.count { $0.hasPrefix("Number ") } <= acknowledged.count + 8)
    }
  }

  @Test("lists the revisions from before it was killed, and shows each of them")
  func timeline() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      let viewModels = [
        "/v1/view-models/scoreboard/1", "/v1/view-models/profile/1",
        "/v1/view-models/scoreboards/all",
      ]
      /// The history of a view model, and all revisions.
      func history(_ viewModel: String, _ client: SocketClient) throws -> [String] {
        let page = try client.get("\(viewModel)/revisions").text
        let names = page.matches(of: /"revision":"([^"]+)"/).map { String($0.output.1) }
        #expect(names.count > 3)
        return try [page] + names.map { try client.get("\(viewModel)?at=\($0)").text }
      }
      let server = try place.serve(["--latency", "1ms"])
      let client = try server.client()
      for viewModel in viewModels { _ = try client.get(viewModel) }
      for name in ["Ida", "Bo", "Cy"] {
        let player: JSONValue = ["name": .string(Text(name)), "score": 1]
        try client.send("POST", "/v1/scoreboards/1/players", player)
      }
      try client.send("POST", viewModels[1] + "/commands", ["type": "appear"])
      _ = try client.settled(viewModels[1])
      let before = try viewModels.map { try history($0, client) }
      try server.crash()
      let again = try place.serve(["--latency", "1ms"])
      #expect(try viewModels.map { try history($0, again.client()) } == before)
    }
  }

  @Test("loads again what was loading when it was killed")
  func loading() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      let viewModel = "/v1/view-models/profile/1"
      do {
        let server = try place.serve(["--latency", "60s"])
        try server.client().send("POST", viewModel + "/commands", ["type": "appear"])
        try server.crash()
      }
      let server = try place.serve(["--latency", "1ms"])
      let reply = try server.client().settled(viewModel)
      #expect(reply.text.contains(#""states":{"posts":"loaded","profile":"loaded""#))
    }
  }

  @Test("begins with the data file once, and says later that it does not use it")
  func dataFile() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      let document: JSONValue = ["albums": [["id": 1, "title": "One"]]]
      for count in 1...3 {
        // Without the data file its collections are there as well.
        let data = count == 3 ? nil : try DataFile(document.canonicalBytes())
        let server = try place.serve(data: data)
        let client = try server.client()
        let albums = try client.json("/v1/collections/albums").elements()
        #expect(albums.count == count)
        #expect(try client.get("/v1/view-models/collection/albums").status == 200)
        try client.send("POST", "/v1/collections/albums", ["title": "More"])
        if count == 2 {
          let line = try server.logLine()
          #expect(line.contains(" notice ") && line.contains("data file is not used"), "\(line)")
          #expect(try server.logLine().contains("position=1 "))
        }
        try server.crash()
      }
    }
  }

  @Test("refuses changes while the disk takes no more, shows all as before, and loses nothing")
  func fullDisk() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      let path = "/v1/scoreboards/1/players"
      var count = 0
      do {
        // A file that may not grow is what a full disk is to the server.
        let server = try place.serve(shell: "trap '' XFSZ; ulimit -f 2048")
        let client = try server.client()
        #expect(try client.get("/readyz").text == #"{"status":"ready"}"#)
        var reply: HTTPReply
        let name = String(repeating: "x", count: 900)
        repeat {
          reply = try client.request("POST", path, json: #"{"name":"\#(name)","score":1}"#)
          if reply.status == 201 { count += 1 }
        } while reply.status == 201 && count < 5_000
        #expect(reply.status == 503 && reply["retry-after"] == "1")
        #expect(reply.text.contains(#""code":"not-recorded""#))
        #expect(try server.logLine().contains("a new journal begins"))
        #expect(try server.logLine().contains("the journal fails"))
        #expect(try client.get("/readyz").text == #"{"status":"degraded"}"#)
        #expect(try Self.players(client) == count)
        try server.crash()
      }
      let server = try place.serve()
      #expect(try Self.players(server.client()) == count)
    }
  }

  @Test(
    "refuses changes once a file of the journal is gone, says what to do, and loses nothing",
    arguments: ["mv FILE FILE.old", "rm FILE-wal"])
  func lostFile(command: String) async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      func run(_ command: String) throws {
        #expect(try Shell.run(command.replacing("FILE", with: place.file)).code == 0)
      }
      func create(_ client: SocketClient, _ name: String) throws -> HTTPReply {
        try client.request(
          "POST", "/v1/scoreboards/1/players", json: #"{"name":"xxx \#(name)","score":1}"#)
      }
      do {
        let server = try place.serve()
        let client = try server.client()
        #expect(try create(client, "before").status == 201)
        #expect(try server.logLine().contains("a new journal begins"))
        try run(command)
        for _ in 1...2 {
          let reply = try create(client, "after")
          #expect(reply.status == 503 && reply["retry-after"] == "1")
          #expect(reply.text.contains(#""code":"not-recorded""#))
        }
        let line = try server.logLine()
        #expect(line.contains("the journal fails") && line.contains("removed, moved or replaced"))
        #expect(try client.get("/readyz").text == #"{"status":"degraded"}"#)
        #expect(try Self.players(client) == 1)
        try server.crash()
      }
      if command.hasPrefix("mv") { try run("mv FILE.old FILE") }
      let server = try place.serve()
      #expect(try Self.players(server.client()) == 1)
      #expect(try create(server.client(), "again").status == 201)
    }
  }

  @Test("loses nothing if it starts again and again on a disk that is nearly full")
  func fullDiskAtStarts() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      func stop(_ server: ServeProcess) throws {
        server.signal(SIGTERM)
        #expect(try server.exit().code == 0)
      }
      var before: [UInt8] = []
      do {
        let server = try place.serve()
        let client = try server.client()
        for number in 1...40 {
          try client.send(
            "POST", "/v1/scoreboards/1/players", ["name": "xxx", "score": .integer(number)])
        }
        before = try client.get("/v1/view-models/scoreboard/1").body
        try stop(server)
      }
      // In units of 512 bytes: there is space for some of the pages that a start may want to write.
      for limit in [300, 300, 300, 4_000] {
        let server = try place.serve(shell: "trap '' XFSZ; ulimit -f \(limit)")
        #expect(try server.client().get("/v1/view-models/scoreboard/1").body == before)
        try stop(server)
      }
    }
  }

  private static func players(_ client: SocketClient) throws -> Int {
    let viewModel = try client.json("/v1/view-models/scoreboard/1")
    let rows = try viewModel.member("sections").elements().flatMap {
      try $0.member("rows").elements()
    }
    return try rows.count { row in
      try row.optionalMember("name")?.string().string.hasPrefix("xxx") == true
    }
  }

  @Test("names the part that it cannot read of a damaged journal with data of a file")
  func damagedPart() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      let document: JSONValue = ["albums": [["id": 1, "title": "One"]]]
      try place.serve(data: DataFile(document.canonicalBytes())).crash()
      let sql =
        "UPDATE pieces SET content = CAST('5' AS BLOB) WHERE part = 'store/collections'"
      #expect(try Shell.run("sqlite3 \(place.file) \"\(sql)\"").code == 0)
      let result = try ServeProcess.run(["serve", "--port", "0", "--journal", place.file])
      #expect(result.code == 65)
      #expect(result.errors.contains("the part store/collections of the checkpoint cannot be read"))
    }
  }

  @Test("gets new tokens by another build, also one with the time and the size of the one before")
  func build() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      let directory = try TemporaryDirectory()
      let program = directory.url.appending(path: "viewdelta")
      /// Returns the reply to a client that has a revision, from a server with a program of an image whose files have
      /// one time.
      func reply(of content: Data, since revision: String) throws -> String {
        try content.write(to: program)
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o700, .modificationDate: Date(timeIntervalSince1970: 1)],
          ofItemAtPath: program.path)
        let server = try ServeProcess(["--journal", place.file], binary: program)
        let client = try server.client()
        let view = "/v1/view-models/scoreboard/1"
        let changes = revision.isEmpty ? "" : try client.get("\(view)/diff?since=\(revision)").text
        let current = try Replica(document: client.get(view).body).revision
        server.signal(SIGTERM)
        _ = try server.exit()
        return revision.isEmpty ? "\(current)" : changes
      }
      var content = try Data(contentsOf: ServeProcess.binary)
      let revision = try reply(of: content, since: "")
      #expect(try reply(of: content, since: revision).isEmpty)
      // The build ID, which follows this name, is a hash of the program.
      let note = try #require(content.range(of: Data("\u{14}\0\0\0\u{3}\0\0\0GNU\0".utf8)))
      content[note.upperBound] ^= 1
      #expect(try reply(of: content, since: revision).contains(#""reason":"epoch-changed""#))
    }
  }

  @Test("does not start with a file that it cannot use, and does not change it")
  func unusable() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      func expectRefusal(_ path: String, _ code: Int32, _ reason: String) throws {
        try ServeProcess.expectRefusal(
          ["serve", "--port", "0", "--journal", path], code, "the journal: \(path): \(reason)")
      }
      try Data("Dear diary, this is a text of several words.\n".utf8)
        .write(to: URL(filePath: place.path(of: "text")))
      try Data("\n".utf8).write(to: URL(filePath: place.path(of: "line")))
      let foreign = try Shell.run("sqlite3 \(place.path(of: "foreign")) 'CREATE TABLE t (a)'")
      #expect(foreign.code == 0)
      for (name, reason) in [
        ("text", "it is not a journal"), ("line", "it is not a journal"),
        ("foreign", "it is a database of another program"),
      ] {
        let file = place.path(of: name)
        let before = try Data(contentsOf: URL(filePath: file))
        try expectRefusal(file, 65, reason)
        #expect(try Data(contentsOf: URL(filePath: file)) == before)
      }
      let files = try FileManager.default.contentsOfDirectory(atPath: place.path)
      #expect(files.sorted() == ["foreign", "line", "text"])
      try expectRefusal(place.path, 69, "it is a directory")
      try expectRefusal(
        place.path(of: "no/where"), 69, "it cannot be created: No such file or directory")

      let server = try place.serve()
      try expectRefusal(place.file, 69, "another process uses it")
      #expect(try server.client().get("/healthz").status == 200)
    }
  }
}
