import CanonicalJSON
import HTTPTypes
import Screens
import TestSupport
import Testing
import ViewDeltaServer
import ViewState

@Suite("An application of features")
struct FeatureTests {
  static func backend(
    _ configure: (inout ApplicationConfiguration) -> Void = { _ in },
    @FeatureBuilder features: () throws -> [any Feature]
  ) throws -> Backend {
    let scheduler = ManualScheduler()
    var configuration = ApplicationConfiguration(
      environment: ScreenEnvironment(scheduler: scheduler))
    configure(&configuration)
    return Backend(
      scheduler: scheduler, application: try Application(configuration, features: features))
  }

  @Test("has the screens of all, in their order, and of no other")
  func order() async throws {
    let isShown = false
    let backend = try Self.backend {
      NotesFeature()
      Groceries()
      if isShown { ProfileFeature() }
      for feature in [CatalogFeature(), ScoreboardFeature()] as [any Feature] { [feature] }
    }
    let screens = try await backend.get("/v1/view-models").json.member("screens").elements()
    #expect(
      try screens.map { try $0.member("name").string() }
        == ["notes", "note", "groceries", "catalog", "scoreboards", "scoreboard"])
    #expect(await backend.get("/v1/users").status == 404)
  }

  @Test(
    "serves the collection of a store: pages, conditions, problems, and the screens that show it")
  func collection() async throws {
    let backend = try Self.backend { NotesFeature() }
    let path = "/v1/notes"
    for text in ["One", "Two"] {
      let answer = await backend.call(.post, path, body: ["text": .string(text)])
      #expect(answer.status == 201)
    }
    let page = await backend.get(path + "?limit=1")
    #expect(try page.json.value == [["id": 1, "text": "One"]])
    #expect(try page.nextPage == path + "?limit=1&after=1")
    #expect(try await backend.get("/v1/notes-count").json.value == ["count": 2])

    let tag = try #require(await backend.get(path + "/1")["ETag"])
    let viewModel = "/v1/view-models/note/1"
    let since = try await backend.get(viewModel).string("revision")
    let patch: JSONValue = ["text": "Changed"]
    #expect(await backend.call(.patch, path + "/1", [.ifMatch: tag], body: patch).status == 200)
    #expect(await backend.call(.patch, path + "/1", [.ifMatch: tag], body: patch).status == 412)
    let diff = await backend.get(viewModel + "/diff?since=\(since)")
    #expect(diff.text.contains(#""set":{"text":"Changed"}"#))
    let list = "/v1/view-models/notes"
    let row = #"{"id":"note/1","text":"Changed","to":"note/1","type":"link"}"#
    #expect(await backend.get(list + "/all").text.contains(row))
    #expect(await backend.get(list + "/1").code == "unknown-key")

    #expect(await backend.call(.delete, path + "/2").status == 204)
    #expect(await backend.get(path + "/2").code == "unknown-note")
    let twice = await backend.call(.post, path, body: ["id": 1, "text": "Again"])
    #expect(twice.status == 409 && twice.code == "duplicate-id")
  }

  @Test("has a command with several writes, all of which take effect, or none")
  func severalWrites() async throws {
    let backend = try Self.backend {
      $0.data = ["notes": [["id": 1, "text": "One"], ["id": 2, "text": "Two"]]]
    } features: {
      NotesFeature()
    }
    func merge(_ other: JSONValue) async -> Answer {
      await backend.call(
        .post, "/v1/view-models/note/1/commands", body: ["type": "merge", "other": other])
    }
    for other in ["1", "3"] as [JSONValue] { #expect(await merge(other).status == 422) }
    #expect(try await backend.get("/v1/notes").json.elements().count == 2)
    #expect(await merge("2").status == 200)
    #expect(try await backend.get("/v1/notes").json.value == [["id": 1, "text": "One Two"]])
    #expect(await backend.get("/v1/view-models/note/1").text.contains("One Two"))
    #expect(await merge("2").status == 422)
  }

  @Test("gives each feature the members of the data file that it takes, and lists the others")
  func data() async throws {
    let backend = try Self.backend {
      $0.data = ["notes": [["id": 7, "text": "Seven"]], "users": 1, "albums": nil]
    } features: {
      NotesFeature()
    }
    #expect(try await backend.get("/v1/notes").json.value == [["id": 7, "text": "Seven"]])
    #expect(backend.application.ignoredData == "/albums, /users")
  }

  @Test("does not start with a member of the data file that its feature cannot read")
  func invalidData() throws {
    let error = try #require(throws: JSONShapeError.self) {
      try Self.backend {
        $0.data = ["notes": [["id": 7]]]
      } features: {
        NotesFeature()
      }
    }
    #expect(error.pointer.description == "/notes/0/text")
  }

  @Test(
    "loads in the time that the configuration says for the source, or else for all",
    arguments: [([:], 2, 2), (["podcasts": 3], 0, 3), (["podcasts": 3], 2, 3)]
      as [([Text: Int], Int, Int)])
  func latency(latencies: [Text: Int], others: Int, expected: Int) async throws {
    let backend = try Self.backend {
      $0.latencies = Latencies(latencies.mapValues { .seconds($0) }, others: .seconds(others))
    } features: {
      PodcastsFeature()
    }
    let viewModel = "/v1/view-models/podcasts/1"
    await backend.call(.post, viewModel + "/commands", body: ["type": "load"])
    backend.scheduler.advance(by: .seconds(expected) - .milliseconds(1))
    #expect(await backend.get(viewModel).text.contains(#""podcasts":"isLoading""#))
    backend.scheduler.advance(by: .milliseconds(1))
    #expect(await backend.get(viewModel).text.contains(#""podcasts":"loaded""#))
  }

  @Test("does not start with a latency of a source that no screen has")
  func unknownSource() throws {
    #expect(throws: ApplicationError.unknownSource("likes", known: ["podcasts"])) {
      try Self.backend {
        $0.latencies["likes"] = .zero
      } features: {
        PodcastsFeature()
      }
    }
  }
}
