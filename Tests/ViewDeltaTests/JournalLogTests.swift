import Foundation
import TestSupport
import Testing

@Suite("The log of a server with a journal")
struct JournalLogTests {
  /// Starts a server on a journal twice, with a change between, and checks what it logs of the journal first.
  private static func check(_ journal: String) throws {
    do {
      let server = try ServeProcess(["--journal", journal])
      #expect(try server.logLine().contains(" notice "))
      let player = #"{"name":"Ida","score":7}"#
      let reply = try server.client().request("POST", "/v1/scoreboards/1/players", json: player)
      #expect(reply.status == 201)
      try server.crash()
    }
    let line = try ServeProcess(["--journal", journal]).logLine()
    #expect(line.contains(" notice ") && line.contains("the journal goes on"), "\(line)")
    #expect(line.contains("position=1 revisions=kept"), "\(line)")
  }

  @Test("says that a new one begins, and later at which position it goes on")
  func start() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      let line = try place.serve().logLine()
      #expect(line.contains(" notice ") && line.contains("a new journal begins"), "\(line)")
      try Self.check(place.path(of: "other.journal"))
      let redis = try RedisServer()
      try Self.check(redis.journal)
    }
  }

  @Test("warns of a file that has no data, such as a copy without the write-ahead log")
  func copyWithoutLog() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      let copy = place.path(of: "copy.journal")
      do {
        let server = try place.serve()
        try FileManager.default.copyItem(atPath: place.file, toPath: copy)
        try server.crash()
      }
      try Data().write(to: URL(filePath: place.path(of: "empty.journal")))
      for file in [copy, place.path(of: "empty.journal")] {
        let server = try ServeProcess(["--journal", file])
        let line = try server.logLine()
        #expect(line.contains(" warning ") && line.contains("a file without data"), "\(line)")
        #expect(line.contains("\(file)-wal"), "\(line)")
        #expect(try server.logLine().contains("a new journal begins"))
        try server.crash()
        // What it has begun has data.
        #expect(try ServeProcess(["--journal", file]).logLine().contains("the journal goes on"))
      }
    }
  }

  @Test("says that revisions are new if the journal is a copy")
  func copy() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      let copy = place.path(of: "copy.journal")
      try place.serve().crash()
      let result = try ServeProcess.run(["backup", "--journal", place.file, "--to", copy])
      #expect(result.code == 0)
      for revisions in ["new", "kept"] {
        let server = try ServeProcess(["--journal", copy])
        let line = try server.logLine()
        #expect(line.contains("position=0 revisions=\(revisions)"), "\(line)")
        try server.crash()
      }
    }
  }

  @Test("says that revisions are new after a Redis was restored as the documentation says")
  func restoredRedis() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      try ServeProcess(["--journal", redis.journal]).crash()
      redis.kill()
      try redis.restart()
      try redis.command("config set appendfsync everysec")
      let first = try ServeProcess(["--journal", redis.journal])
      #expect(try first.logLine().contains("appendfsync is everysec,"))
      #expect(try first.logLine().contains("revisions=new"))
      try redis.command("config set appendfsync always")
      let second = try ServeProcess(["--journal", redis.journal])
      #expect(try second.logLine().contains("revisions=kept"))
    }
  }

  @Test("warns of a Redis that loses changes, once")
  func unsafeRedis() async throws {
    try await SocketThread.run {
      let redis = try RedisServer(["--appendonly", "no"])
      let server = try ServeProcess(["--journal", redis.journal])
      let line = try server.logLine()
      #expect(line.contains(" warning ") && line.contains("appendonly is no,"), "\(line)")
      #expect(try server.logLine().contains("a new journal begins"))
    }
  }
}
