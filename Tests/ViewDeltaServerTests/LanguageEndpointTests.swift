import CanonicalJSON
import HTTPTypes
import Screens
import TestSupport
import Testing
import ViewDeltaServer
import ViewState

@Suite("The language of a server")
struct LanguageEndpointTests {
  /// A server with a language, or one that leaves it to the features.
  static func backend(
    _ language: Language?, configure: (inout DemoApplication) -> Void = { _ in }
  ) throws -> Backend {
    try Backend(.all) { demo in
      demo.configuration.environment.settings.language = language
      configure(&demo)
    }
  }

  /// The rows of a view model, by their ids.
  static func rows(_ backend: Backend, _ name: String) async throws -> [Text: JSONValue] {
    let rows = try await backend.get("/v1/view-models/\(name)").rows
    return try Dictionary(
      uniqueKeysWithValues: rows.map { (try $0.member("id").string(), $0.value) })
  }

  @discardableResult
  static func send(_ backend: Backend, _ name: String, _ body: JSONValue) async -> Answer {
    await backend.call(.post, "/v1/view-models/\(name)/commands", body: body)
  }

  @Test("is that of all texts that the server puts into the rows of a profile")
  func profile() async throws {
    for (language, friends, date, heading, place) in [
      (Language.en, "42 friends", "1 January 2026", "Posts", "Location"),
      (.de, "42 Freunde", "1. Januar 2026", "Beiträge", "Ort"),
    ] as [(Language, JSONValue, JSONValue, JSONValue, JSONValue)] {
      let backend = try Self.backend(language)
      await backend.load()
      let rows = try await Self.rows(backend, "profile/1")
      #expect(rows["profile/header"]?["friendsCountText"] == friends)
      #expect(rows["profile/header"]?["friendsCount"] == ["isLoading": false, "text": "42"])
      #expect(rows["post/1"]?["dateText"] == date)
      #expect(rows["post/1"]?["date"] == "2026-01-01T00:00:00Z")
      #expect(rows["posts/header"]?["text"] == heading)
      #expect(rows["profile/location"]?["name"] == place)
    }
  }

  @Test("is that of empty lists, of what is loading, and of failures with their retries")
  func placeholders() async throws {
    let backend = try Self.backend(.de)
    await Self.send(backend, "profile/2", ["type": "loadPosts"])
    #expect(try await Self.rows(backend, "profile/2")["posts/loading"]?["text"] == "Wird geladen …")
    backend.scheduler.advance(by: .seconds(4))
    #expect(
      try await Self.rows(backend, "profile/2")["posts/empty"]?["text"] == "Noch keine Beiträge")
    await backend.call(.put, "/v1/faults/posts/2", body: ["outcomes": ["fail"]])
    await Self.send(backend, "profile/2", ["type": "loadPosts"])
    backend.scheduler.advance(by: .seconds(4))
    let error = try await Self.rows(backend, "profile/2")["posts/error"]
    #expect(error?["text"] == "Die Beiträge konnten nicht geladen werden.")
    #expect(error?["detail"] == "Die Quelle ist nicht erreichbar.")
    #expect(error?["code"] == "unavailable")
    #expect(
      error?["action"] == ["title": "Erneut versuchen", "command": ["type": "loadPosts"]])
    // What a client has scripted stays as it is.
    await backend.call(
      .put, "/v1/faults/posts/2", body: ["outcomes": [["code": "fog", "detail": "Fog."]]])
    await Self.send(backend, "profile/2", ["type": "loadPosts"])
    backend.scheduler.advance(by: .seconds(4))
    #expect(try await Self.rows(backend, "profile/2")["posts/error"]?["detail"] == "Fog.")
  }

  @Test("is that of the counts, numbers and ranks of scoreboards, which follow each write")
  func scoreboards() async throws {
    let backend = try Self.backend(.de)
    await Self.send(
      backend, "scoreboard/1", ["type": "setScore", "player": 2, "score": 1_305])
    let list = try await Self.rows(backend, "scoreboards/all")
    #expect(list["scoreboards/header"]?["text"] == "Ranglisten")
    #expect(list["board/1"]?["leaderText"] == "Jonas führt mit 1.305")
    #expect(list["board/1"]?["leader"] == ["name": "Jonas", "score": 1_305])
    #expect(list["board/1"]?["playerCountText"] == "4 Spieler")
    #expect(list["board/4"]?["leaderText"] == nil)
    #expect(list["board/4"]?["playerCountText"] == "0 Spieler")
    let board = try await Self.rows(backend, "scoreboard/1")
    #expect(board["player/2"]?["scoreText"] == "1.305" && board["player/2"]?["score"] == 1_305)
    #expect(board["player/2"]?["rankText"] == "Platz 1" && board["player/2"]?["rank"] == 1)
    #expect(
      try await Self.rows(Self.backend(.en), "scoreboard/3")["scoreboard/header"]?[
        "playerCountText"] == "1 player")
  }

  @Test("is that of a podcast's dates, and of what the refresh policy does")
  func podcasts() async throws {
    for (language, policy, title) in [
      (Language.en, "Disappears while it is refreshed", "Keep rows on refresh"),
      (.de, "Verschwindet, während neu geladen wird", "Zeilen beim Neuladen behalten"),
    ] as [(Language, JSONValue, JSONValue)] {
      let backend = try Self.backend(language)
      await Self.send(backend, "podcasts/1", ["type": "setRefreshPolicy", "policy": "blank"])
      await Self.send(backend, "podcasts/1", ["type": "load"])
      backend.scheduler.advance(by: .seconds(1))
      let rows = try await Self.rows(backend, "podcasts/1")
      #expect(rows["podcasts/header"]?["refreshPolicyText"] == policy)
      #expect(rows["podcasts/header"]?["action"]?["title"] == title)
      let dates = rows.values.compactMap { $0["latestEpisode"]?["dateText"] }
      #expect(!dates.isEmpty)
      for case .string(let date) in dates {
        #expect(date.string.contains(". ") == (language == .de), "\(date)")
      }
    }
  }

  @Test("is that of what cannot be shown of a podcast")
  func podcastFailures() async throws {
    for (language, detail) in [
      (Language.en, "The latest episode of podcast 7 has an invalid date."),
      (.de, "Das Datum der neuesten Folge des Podcasts 7 ist ungültig."),
    ] as [(Language, JSONValue)] {
      let backend = try Self.backend(language)
      await Self.send(backend, "podcasts/5", ["type": "load"])
      backend.scheduler.advance(by: .seconds(1))
      #expect(try await Self.rows(backend, "podcasts/5")["podcasts/error"]?["detail"] == detail)
    }
  }

  @Test("is in Content-Language of each reply with rows, and in the description of the screen")
  func fields() async throws {
    for language in Language.allCases {
      let backend = try Self.backend(language)
      let name = language.rawValue
      let since = try await backend.revision
      let command = await backend.send("loadPosts", query: "?since=\(since)")
      #expect(command["Content-Language"] == name)
      for target in [
        Backend.viewModel, Backend.viewModel + "?at=\(since)",
        Backend.viewModel + "/diff?since=\(since)",
        Backend.viewModel + "/diff", Backend.viewModel + "/diff?since=AAAAAAAA.1",
        Backend.viewModel + "/rows?path=0,0", "/v1/view-models/scoreboards/all",
        "/v1/view-models/podcasts/1",
      ] {
        #expect(await backend.get(target)["Content-Language"] == name, "\(target)")
      }
      let sync = await backend.call(
        .post, "/v1/sync", body: ["screens": ["profile/1": [:], "scoreboard/1": [:]]])
      #expect(sync["Content-Language"] == name)
      let stream = await backend.call(.head, Backend.viewModel + "/events")
      #expect(stream.status == 200 && stream["Content-Language"] == name)
      let screen = try await backend.get("/v1/view-models/profile").json
      #expect(try screen.member("language").string().string == name)
    }
  }

  @Test(
    "is not in replies without rows, in problem details, or in those of a screen that names none")
  func absence() async throws {
    let backend = try Backend(.all, data: ["albums": [["id": 1, "title": "One"]]]) { demo in
      demo.configuration.data = ["albums": [["id": 1, "title": "One"]]]
      demo.configuration.environment.settings.language = .de
    }
    for target in [
      "/v1/view-models/collection/albums", "/v1/view-models/profile/9", "/v1/users",
      "/v1/collections/albums", "/healthz",
    ] {
      #expect(await backend.get(target)["Content-Language"] == nil, "\(target)")
    }
    let problem = await backend.get("/v1/view-models/profile/9")
    #expect(problem.status == 404 && problem.code == "unknown-key")
    #expect(try problem.string("title").allSatisfy(\.isASCII))
  }

  @Test("of features holds unless the server has one")
  func features() async throws {
    for (server, shown) in [(nil, "de"), (Language.en, "en")] {
      let backend = try Self.backend(server) { demo in
        demo.scoreboards.language = .de
      }
      let list = await backend.get("/v1/view-models/scoreboards/all")
      #expect(list["Content-Language"] == shown)
      #expect(list.text.contains(#""text":"Ranglisten""#) == (shown == "de"))
      let both = await backend.call(
        .post, "/v1/sync", body: ["screens": ["profile/1": [:], "scoreboards/all": [:]]])
      #expect(both["Content-Language"] == (shown == "de" ? "de, en" : "en"))
    }
  }
}
