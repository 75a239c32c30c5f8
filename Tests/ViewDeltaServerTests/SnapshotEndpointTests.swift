import CanonicalJSON
import HTTPTypes
import TestSupport
import Testing
import ViewState

@Suite("A snapshot")
struct SnapshotEndpointTests {
  @Test("is canonical JSON with its revision, row count, digest and states")
  func document() async throws {
    let backend = try Backend()
    let answer = await backend.get(Backend.viewModel)
    #expect(answer.status == 200)
    #expect(try answer.json.value.canonicalBytes() == answer.body)
    #expect(
      try answer.json.memberNames
        == ["digest", "kind", "revision", "rowCount", "screen", "sections", "states"])
    #expect(try answer.string("kind") == "snapshot")
    #expect(try answer.string("screen") == "profile/1")
    #expect(try answer.json.member("rowCount").integer() == 2)
    #expect(answer["Content-Type"] == "application/json")
    #expect(answer["View-Revision"] == (try answer.string("revision")))
    #expect(answer["ETag"] == "\"\(try answer.string("revision"))\"")
    #expect(answer["Cache-Control"] == "no-cache")
  }

  @Test("has the same bytes for everybody who asks for one revision, and other bytes for another")
  func stability() async throws {
    let backend = try Backend()
    let first = await backend.get(Backend.viewModel)
    await backend.get("/v1/users/1")
    #expect(await backend.get(Backend.viewModel).body == first.body)
    await backend.send("loadPosts")
    #expect(await backend.get(Backend.viewModel).body != first.body)
  }

  @Test("is moved by no GET")
  func safety() async throws {
    let backend = try Backend()
    let revision = try await backend.revision
    for path in ["", "/diff", "/diff?since=\(revision)", "/revisions", "?at=\(revision)"] {
      await backend.get(Backend.viewModel + path)
      await backend.call(.head, Backend.viewModel + path)
    }
    backend.scheduler.advance(by: .seconds(60))
    #expect(try await backend.revision == revision)
  }

  @Test(
    "is 304 for a client that has it, whatever the form of the condition",
    arguments: [
      ("\"R\"", 304), ("W/\"R\"", 304), ("*", 304), ("\"x\", \"R\"", 304),
      (" , \"x\",,\"R\" ", 304),
      ("\"x\"", 200), ("R", 200), ("\"R", 200), ("\"R\" \"R\"", 200), ("", 200), ("*, \"x\"", 200),
      ("w/\"R\"", 200),
    ])
  func conditions(condition: String, status: Int) async throws {
    let backend = try Backend()
    let revision = try await backend.revision
    let value = condition.replacing("R", with: revision)
    let answer = await backend.get(Backend.viewModel, [.ifNoneMatch: value])
    #expect(answer.status == status)
    #expect(answer["ETag"] == "\"\(revision)\"")
    #expect(answer["View-Revision"] == revision)
    #expect(answer.body.isEmpty == (status == 304))
  }

  @Test("is still to be had at each kept revision, with its very bytes, to be cached for good")
  func pinned() async throws {
    let backend = try Backend()
    var bytes: [String: [UInt8]] = [:]
    for command in ["loadPosts", "loadProfile", "cancelPosts", "loadPosts", "cancelProfile"] {
      let answer = await backend.get(Backend.viewModel)
      bytes[try answer.string("revision")] = answer.body
      await backend.send(command)
    }
    #expect(bytes.count == 5)
    for (revision, body) in bytes {
      let answer = await backend.get("\(Backend.viewModel)?at=\(revision)")
      #expect(answer.status == 200)
      #expect(answer.body == body)
      #expect(answer["Cache-Control"] == "max-age=31536000, immutable")
      #expect(answer["ETag"] == "\"\(revision)\"")
      let again = await backend.get(
        "\(Backend.viewModel)?at=\(revision)", [.ifNoneMatch: "\"\(revision)\""])
      #expect(again.status == 304)
    }
  }

  @Test("is 410 at a revision that is not kept, with the reason, and 400 at no revision")
  func unknown() async throws {
    let backend = try Backend(logLimits: .init(count: 2, age: .zero))
    let first = try await backend.revision
    await backend.load()
    let other = try await backend.get("/v1/view-models/profile/2").string("revision")
    let epoch = first.split(separator: ".")[0]
    for (revision, reason) in [
      (first, "history-expired"), (other, "other-screen"), ("\(epoch).99", "future-revision"),
      ("00000000.0", "epoch-changed"), ("not-ours", "epoch-changed"),
    ] {
      let answer = await backend.get("\(Backend.viewModel)?at=\(revision)")
      #expect(answer.status == 410)
      #expect(answer.code == "revision-expired")
      #expect(try answer.string("reason") == reason)
    }
    for query in ["at=", "at=a%20b", "at=\(first)&at=\(first)"] {
      #expect(await backend.get("\(Backend.viewModel)?\(query)").status == 400)
    }
  }

  @Test(
    "is 404 for what never was and 410 for what was deleted",
    arguments: [
      ("/v1/view-models/nope/1", 404, "unknown-screen"),
      ("/v1/view-models/profile/99", 404, "unknown-key"),
      ("/v1/view-models/profile/a%2fb", 404, "unknown-key"),
      ("/v1/view-models/profile/2", 410, "key-deleted"),
      ("/v1/view-models/profile/2/diff", 410, "key-deleted"),
      ("/v1/view-models/profile/2/revisions", 410, "key-deleted"),
    ])
  func absence(path: String, status: Int, code: String) async throws {
    let backend = try Backend()
    await backend.get("/v1/view-models/profile/2")
    #expect(await backend.call(.delete, "/v1/users/2").status == 204)
    let answer = await backend.get(path)
    #expect(answer.status == status)
    #expect(answer.code == code)
    #expect(answer["Cache-Control"] == "no-store")
  }

  @Test("stands in the list of screens with its path, sources and commands")
  func list() async throws {
    let backend = try Backend(.all)
    let answer = await backend.get("/v1/view-models")
    let tag = try #require(answer["ETag"])
    #expect(await backend.get("/v1/view-models", [.ifNoneMatch: tag]).status == 304)
    let screens = try answer.json.member("screens").elements()
    let names = try screens.map { try $0.member("name").string().string }
    #expect(names.first == "profile" && Set(names).count == names.count)
    #expect(try screens[0].member("path").string() == "/v1/view-models/profile/{userID}")
    let commands = try screens[0].member("commands").elements()
    #expect(
      try commands.map { try $0.member("type").string().string }
        == ["appear", "loadPosts", "cancelPosts", "loadProfile", "cancelProfile"])
    for command in commands {
      let properties = try command.member("schema").member("properties").member("type")
      #expect(
        try properties.member("const").string().string == command.member("type").string().string)
    }
  }
}
