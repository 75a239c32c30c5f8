import Foundation
import TestSupport
import Testing
import ViewDeltaClient

@Suite("The journal of a server, without its texts")
struct JournalRedactionTests {
  @Test("is copied without a word of its texts, and does the same with others")
  func redaction() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      let copy = place.path(of: "copy.journal")
      let session = "hT7c-0VqRk2mZ5xEo9sYwA"
      let form = "/v1/view-models/form/1@\(session)/commands"
      let server = try place.serve(["--latency", "0s"])
      let client = try server.client()
      func send(_ path: String, _ body: String, status: Int = 200) throws {
        let key = "Idempotency-Key: Geheimschrift-\(body.count)"
        let reply = try client.request("POST", path, fields: [key], json: body)
        #expect(reply.status == status, "\(reply)")
      }
      try send("/v1/scoreboards/1/players", #"{"name":"Zwiebelkuchen","score":1}"#, status: 201)
      try send(form, #"{"type":"didChange","row":"name","value":"Grüngürtel"}"#)
      try send(form, #"{"type":"didChange","row":"phone","value":"0309018201234"}"#)
      try send(form, #"{"type":"nothing","Wasserfall":"Eierschecke"}"#, status: 422)
      // The end of a load has an epoch, which follows from the seed.
      try send("/v1/view-models/profile/1/commands", #"{"type":"appear"}"#, status: 202)
      _ = try client.settled("/v1/view-models/profile/1")
      let board = try client.get("/v1/view-models/scoreboard/1")
      try server.crash()

      let redact = ["export", "--journal", place.file, "--to", copy, "--redact"]
      let secrets = [
        "Zwiebelkuchen", "Grüngürtel", "Wasserfall", "Eierschecke", "Geheimschrift", session,
        "0309018201234", "Lindenhof",
      ]
      let original =
        try Data(contentsOf: URL(filePath: place.file))
        + Data(contentsOf: URL(filePath: place.file + "-wal"))
      for secret in secrets { #expect(original.contains(text: secret), "\(secret)") }

      // Without its check digit the tax number of a firm is none.
      let refused = try ServeProcess.run(redact)
      #expect(refused.code == 65 && refused.errors.contains("--keep taxNumber "), "\(refused)")
      #expect(refused.errors.split(separator: "\n").count == 1)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: place.path).allSatisfy {
          !$0.hasPrefix("copy")
        })

      let done = try ServeProcess.run(redact + ["--keep", "taxNumber"])
      #expect(done.code == 0 && done.errors.isEmpty, "\(done)")
      let copied = try Data(contentsOf: URL(filePath: copy))
      for secret in secrets { #expect(!copied.contains(text: secret), "\(secret)") }
      #expect(copied.contains(text: "didChange") && copied.contains(text: "DE136695976"))

      func effects(of file: String) throws -> [[String]] {
        let lines = try ServeProcess.run(["replay", file]).output.split(separator: "\n")
        return lines.map { line in
          [line.contains("refused: ") ? "refused" : "done"]
            + line.matches(of: /([a-z]+\/\w+)\S* \w{8}\.(\d+)/).map { "\($0.1).\($0.2)" }
        }
      }
      let before = try effects(of: place.file)
      #expect(before.count == 7 && before[3] == ["refused"], "\(before)")
      #expect(before[6] == ["done", "profile/1.7"], "\(before)")
      #expect(try effects(of: copy) == before)
      func epochs(of file: String) throws -> Set<String> {
        let lines = try ServeProcess.run(["replay", file]).output
        return Set(lines.matches(of: /\ (\w{8})\.\d+/).map { String($0.1) })
      }
      #expect(try epochs(of: copy).isDisjoint(with: epochs(of: place.file)))

      let second = try ServeProcess(["--journal", copy])
      let shown = try second.client().get("/v1/view-models/scoreboard/1")
      // All but the digest, whose length varies, is as long as it was.
      func length(_ reply: HTTPReply) -> Int {
        reply.text.replacing(/"digest":"\w+"/, with: "").count
      }
      #expect(length(shown) == length(board) && !shown.text.contains("Zwiebelkuchen"))
    }
  }

  @Test("is not copied with a field to keep that it does not have, or without texts to replace")
  func unknownField() async throws {
    try await SocketThread.run {
      let place = try JournalPlace()
      try place.serve().crash()
      let backup = ["backup", "--journal", place.file, "--to", place.path(of: "copy.journal")]
      try ServeProcess.expectRefusal(
        backup + ["--redact", "--keep", "nothing"], 64,
        "--keep is 'nothing', but no field of that name has a text")
      let result = try ServeProcess.run(backup + ["--keep", "taxNumber"])
      #expect(result.code == 64 && result.errors.contains("--keep needs --redact"), "\(result)")
      #expect(!FileManager.default.fileExists(atPath: place.path(of: "copy.journal")))
    }
  }
}

extension Data {
  fileprivate func contains(text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
