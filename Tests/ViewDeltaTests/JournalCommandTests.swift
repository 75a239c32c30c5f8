import CanonicalJSON
import Foundation
import Glibc
import TestSupport
import Testing
import ViewDeltaClient

/// The commands on journals, such as `viewdelta backup`.
@Suite("The journal of a server")
struct JournalCommandTests {
  private static let players = "/v1/scoreboards/1/players"

  @Test("is copied while the server uses it, and another server goes on with the copy")
  func backup() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      let copy = place.path(of: "copy.journal")
      let server = try place.serve()
      let client = try server.client()
      try client.send("POST", Self.players, ["name": "Early", "score": 1])
      let early = try client.get(Self.players).body
      let backup = ["backup", "--journal", place.file, "--to", copy]
      let done = try ServeProcess.run(backup)
      #expect(done.code == 0 && done.output.isEmpty && done.errors.isEmpty, "\(done)")
      try client.send("POST", Self.players, ["name": "Late", "score": 1])
      let board = "/v1/view-models/scoreboard/1"
      let known = try Replica(document: client.get(board).body)

      let second = try ServeProcess(["--journal", copy])
      let other = try second.client()
      #expect(try other.get(Self.players).body == early)
      // A client that knows more than the copy has is not told that it is up to date, also after another change.
      try other.send("POST", Self.players, ["name": "Another", "score": 1])
      let changes = try other.get("\(board)/diff?since=\(known.revision)")
      #expect(changes.status == 200 && changes.text.contains(#""reason":"epoch-changed""#))
      try ServeProcess.expectRefusal(backup, 69, "the journal: \(copy): the file exists already")
    }
  }

  @Test(
    "is copied to a file whose name begins like an address, or whose path leaves a linked folder",
    arguments: [
      ("file:copy.journal", "file:copy.journal"), ("link/../copy.journal", "other/copy.journal"),
    ])
  func strangePaths(path: String, file: String) async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      let server = try place.serve()
      try server.client().send("POST", Self.players, ["name": "Ida", "score": 1])
      let program = ServeProcess.binary.path
      let copied = try Shell.run(
        """
        cd \(place.path) && mkdir -p other/folder && ln -s other/folder link \
          && \(program) backup --journal \(place.file) --to \(path) && \(program) replay \(file)
        """)
      #expect(copied.code == 0 && copied.output.contains("Ida"), "\(copied)")
    }
  }

  @Test("is not replayed or checked, nor OpenAPI printed, without an error if the disk is full")
  func fullOutput() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      let server = try place.serve()
      try server.client().send("POST", Self.players, ["name": "Ida", "score": 1])
      let program = ServeProcess.binary.path
      for command in ["replay \(place.file)", "check --journal \(place.file)", "openapi"] {
        let full = try Shell.run("\(program) \(command) >/dev/full")
        #expect(full.code == 74, "\(command)")
        #expect(
          full.output == "viewdelta: standard output: not everything could be written\n")
      }
    }
  }

  @Test("tells what each input did, while the server uses it and from a copy, and stays as it is")
  func replay() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      let board = "/v1/view-models/scoreboard/1"
      let server = try place.serve()
      let client = try server.client()
      var documents = [try client.get(board).text]
      for name in ["Ida", String(repeating: "Bo", count: 100)] {
        let since = try #require(documents.last).firstMatch(of: /"revision":"([^"]+)"/)?.output.1
        try client.send("POST", Self.players, ["name": .string(Text(name)), "score": 1])
        documents.append(
          try client.get("\(board)/diff?since=\(since ?? "")", fields: ["Prefer: return=diff"]).text
        )
      }
      let end = try client.get(board).text
      let refused = try client.request("POST", board + "/commands", json: #"{"type":"nothing"}"#)
      #expect(refused.status == 422)

      func run(_ options: String...) throws -> [String] {
        let result = try ServeProcess.run(["replay", place.file] + options)
        #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
      }
      let lines = try run()
      #expect(lines.count == 3)
      #expect(lines[0].contains(#"write scoreboards {"#) && lines[0].contains("  scoreboard/1 "))
      #expect(lines[1].contains(/Bo?…  scoreboards/) && lines[1].count < 280)
      #expect(lines[2].contains(#"command scoreboard/1 {"type":"nothing"}  refused: "#))
      let shown = try run("--screen", "scoreboard/1")
      #expect(shown.filter { $0.hasPrefix("{") } == documents)
      #expect(try run("--screen", "scoreboard/1", "--until", "2") == [end])
      #expect(try run("--screen", "scoreboard/1", "--until", "0") == [documents[0]])
      let objects = try run("--json", "--until", "2").map { try JSONValue(parsing: Array($0.utf8)) }
      #expect(try objects.map { try JSONReader($0).member("position").integer() } == [1, 2])
      let last = try JSONReader(JSONValue(parsing: Array(run("--json")[2].utf8)))
      #expect(try lines[2].hasSuffix("  refused: \(last.member("refusal").string())"))

      try server.crash()
      let copy = place.path(of: "copy.journal")
      _ = try ServeProcess.run(["backup", "--journal", place.file, "--to", copy])
      let before = try Data(contentsOf: URL(filePath: copy))
      #expect(
        try ServeProcess.run(["replay", copy]).output.split(separator: "\n").map(String.init)
          == lines)
      #expect(try Data(contentsOf: URL(filePath: copy)) == before)
    }
  }

  @Test("does not show a view model at a position at which it was deleted")
  func replayOfDeleted() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      let server = try place.serve()
      let client = try server.client()
      try client.send("POST", "/v1/view-models/profile/1/commands", ["type": "appear"])
      #expect(try client.request("DELETE", "/v1/users/1").status == 204)
      let options = ["replay", place.file, "--screen", "profile/1"]
      let end = try ServeProcess.run(["replay", place.file]).output.split(separator: "\n").count
      #expect(try ServeProcess.run(options + ["--until", "1"]).code == 0)
      try ServeProcess.expectRefusal(
        options + ["--until", "\(end)"], 64,
        "--screen is 'profile/1', but there is no such view model")
      #expect(try ServeProcess.run(options).code == 0)
    }
  }

  @Test("is copied from the last checkpoint before a position or a time on")
  func backupSince() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      let server = try place.serve()
      for name in ["Ida", "Bo"] as [Text] {
        try server.client().send("POST", Self.players, ["name": .string(name), "score": 1])
      }
      // At its end the server makes a checkpoint.
      server.signal(SIGTERM)
      #expect(try server.exit().code == 0)
      for (since, count) in [
        ("0", 2), ("1", 2), ("2", 0), ("2000-01-01T00:00:00Z", 2), ("9999-01-01T00:00:00Z", 0),
      ] {
        let copy = place.path(of: "\(since).journal")
        let backup = ["backup", "--journal", place.file, "--to", copy, "--since", since]
        #expect(try ServeProcess.run(backup).code == 0)
        #expect(
          try ServeProcess.run(["replay", copy]).output.split(separator: "\n").count == count)
      }
    }
  }

  @Test("is for the commands only in a file, which they say of one in Redis without its password")
  func redis() async throws {
    try await SocketThread.run {
      let journal = "redis://:secret@127.0.0.1/demo"
      for command in [
        ["backup", "--journal", journal, "--to", "x"], ["check", "--journal", journal],
        ["replay", journal],
      ] {
        let result = try ServeProcess.run(command)
        #expect(result.code == 64 && result.errors.contains("for journals in files"), "\(result)")
        #expect(!result.errors.contains("secret"))
      }
    }
  }

  @Test("is named if its name, or that of its copy, is empty")
  func noName() async throws {
    try await SocketThread.run {
      for (command, name) in [
        (["backup", "--journal", "", "--to", "x"], "the name of the journal"),
        (["backup", "--journal", "x", "--to", ""], "--to"),
        (["check", "--journal", ""], "the name of the journal"),
        (["replay", ""], "the name of the journal"),
      ] {
        let result = try ServeProcess.run(command)
        #expect(result.code == 64 && result.errors.contains("\(name) is empty"), "\(result)")
      }
    }
  }

  @Test("is not replayed if it is not there, or if it does not have what is asked for")
  func noReplay() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      try ServeProcess.expectRefusal(
        ["replay", place.file], 69, "the journal: \(place.file): the file does not exist")
      try place.serve().crash()
      for (options, reason) in [
        (["--screen", "nothing/1"], "--screen is 'nothing/1', but there is no such view model"),
        (["--until=-1"], "--until is -1, but the journal begins after position 0"),
      ] {
        try ServeProcess.expectRefusal(["replay", place.file] + options, 64, reason)
      }
    }
  }

  @Test(
    "is checked: what looks as it did when the server stopped, what is refused or unreadable")
  func check() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      let check = ["check", "--journal", place.file]
      let server = try place.serve()
      let client = try server.client()
      try client.send("POST", Self.players, ["name": "Ida", "score": 1])
      _ = try client.get("/v1/view-models/scoreboard/1")
      _ = try client.get("/v1/view-models/profile/1")
      let early = try ServeProcess.run(check)
      #expect(early.code == 0 && early.output.contains("nothing to compare"), "\(early)")
      server.signal(SIGTERM)
      #expect(try server.exit().code == 0)

      let same = try ServeProcess.run(check)
      #expect(same.code == 0, "\(same)")
      #expect(same.output == "1 input applied, 2 view models compared, 0 different\n")
      // Another build begins with the state at the end.
      let build = try TemporaryDirectory()
      let program = build.url.appending(path: "viewdelta")
      try FileManager.default.copyItem(at: ServeProcess.binary, to: program)
      let modified = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 0)]
      try FileManager.default.setAttributes(modified, ofItemAtPath: program.path)
      #expect(
        try ServeProcess.run(check, binary: program).output
          == "0 inputs applied, 2 view models compared, 0 different\n")
      func execute(_ sql: String) throws {
        #expect(try Shell.run("sqlite3 \(place.file) \"\(sql)\"").code == 0)
      }
      // As if the program that was stopped had shown the player under another name.
      try execute("UPDATE entries SET input = replace(input, 'Ida', 'Ada')")
      // As if it had shown a user who is gone.
      try execute("UPDATE notes SET content = replace(content, 'profile/1', 'profile/99')")
      let other = try ServeProcess.run(check)
      #expect(other.code == 1, "\(other)")
      #expect(
        other.output.hasPrefix(
          """
          profile/99 is not shown at position 1
          scoreboard/1 looks different at position 1
          1 input applied
          """), "\(other)")
      // As if it had accepted a player under another member.
      try execute("UPDATE entries SET input = replace(input, 'name', 'nick')")
      let refused = try ServeProcess.run(check)
      #expect(
        refused.output.hasPrefix("write scoreboards is refused at position 1: ")
          && refused.output.contains("1 input applied, 1 refused, "), "\(refused)")
      try execute("UPDATE entries SET input = replace(input, 'scoreboards', 'gone')")
      let unreadable = try ServeProcess.run(check)
      #expect(unreadable.code == 65 && unreadable.errors.contains("lacks the store gone"))
    }
  }

  @Test("is checked by another build, which says how many states start over")
  func losses() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      let server = try place.serve()
      let profile = "/v1/view-models/profile/1"
      try server.client().send("POST", "\(profile)/commands", ["type": "appear"])
      _ = try server.client().settled(profile)
      server.signal(SIGTERM)
      #expect(try server.exit().code == 0)

      let check = ["check", "--journal", place.file]
      let other = try ServeProcess.otherBuild(in: URL(filePath: place.path))
      #expect(try ServeProcess.run(check, binary: other).code == 0)
      // As if the build before had given them a version from which there is no migration.
      let version = "'version' || char(34)"
      let states = "replace(CAST(content AS TEXT), \(version) || ':1', \(version) || ':9')"
      let sql = "UPDATE pieces SET content = CAST(\(states) AS BLOB) WHERE part LIKE 'screen/%'"
      #expect(try Shell.run("sqlite3 \(place.file) \"\(sql)\"").code == 0)
      let lost = try ServeProcess.run(check, binary: other)
      #expect(lost.code == 1, "\(lost)")
      #expect(
        lost.output.hasPrefix(
          "1 state of profile started over, because the screen has no migration from another version\n"
        ), "\(lost)")
    }
  }
}
