import CanonicalJSON
import HTTPTypes
import Testing

@Suite("The scoreboards")
struct ScoreboardEndpointTests {
  static let boards = "/v1/scoreboards"
  static let list = "/v1/view-models/scoreboards/all"

  @Test("are shown in both view models as they are written")
  func viewModels() async throws {
    let backend = try Backend(.scoreboards)
    let created = await backend.call(.post, Self.boards, body: ["title": "Go"])
    #expect(created.text == #"{"id":5,"players":[],"title":"Go"}"#)
    let location = Self.boards + "/5"
    let players: JSONValue = ["title": "Go", "players": [["id": 1, "name": "A", "score": 3]]]
    #expect(await backend.call(.put, location, body: players).status == 200)
    #expect(await backend.call(.patch, location, body: ["title": "Go!"]).status == 200)
    for path in [Self.list, "/v1/view-models/scoreboard/5"] {
      #expect(await backend.get(path).text.contains(#""title":"Go!""#))
    }
    #expect(await backend.call(.delete, location).status == 204)
    #expect(await !backend.get(Self.list).text.contains(#""board/5""#))
  }

  @Test("have players, whose writes make no revision of a view model that nobody has asked for")
  func players() async throws {
    let backend = try Backend(.scoreboards)
    let players = "\(Self.boards)/4/players"
    let created = await backend.call(.post, players, body: ["name": "A", "score": 3])
    #expect(await backend.get(players).text == "[\(created.text)]")
    let revisions = try await backend.get("/v1/view-models/scoreboard/4/revisions").json
      .member("revisions").elements()
    #expect(revisions.count == 1)
  }

  @Test("are refused with the member at fault, and nothing changes")
  func refusals() async throws {
    let backend = try Backend(.scoreboards)
    let before = await backend.get(Self.boards).text
    for (method, path, body, status, pointer) in [
      (.post, "", ["name": "T"], 422, "/name"), (.post, "", ["title": 1], 422, "/title"),
      (.post, "", [:], 422, "/title"), (.post, "", ["title": "T", "id": 1], 409, "/id"),
      (.put, "/1", ["title": "T", "id": 2], 422, "/id"),
      (
        .put, "/1",
        ["title": "T", "players": [["id": 1, "name": "A"], ["id": "1", "name": "B"]]], 422,
        "/players/1/id"
      ),
      (.patch, "/1", ["title": nil], 422, "/title"),
      (.post, "/1/players", ["name": "A", "score": 0.5], 422, "/score"),
      (.post, "/1/players", ["name": "A", "id": 1], 409, "/id"),
      (.post, "/99/players", ["name": "A"], 404, nil),
      (.patch, "/1/players/99", ["name": "A"], 404, nil),
    ] as [(HTTPRequest.Method, String, JSONValue, Int, String?)] {
      let answer = await backend.call(method, Self.boards + path, body: body)
      #expect(answer.status == status, "\(method) \(path) \(body)")
      #expect(answer.pointer == pointer, "\(method) \(path) \(body)")
    }
    #expect(await backend.get(Self.boards).text == before)
  }

  @Test("are never seen to disagree by a client that syncs while another one writes")
  func sync() async throws {
    let backend = try Backend(.scoreboards)
    let body: JSONValue = ["screens": ["scoreboards/all": [:], "scoreboard/1": [:]]]
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 0..<300 {
          await backend.call(
            .patch, Self.boards + "/1", body: ["title": .string("Title \(number)")])
        }
      }
      group.addTask {
        for _ in 0..<300 {
          let screens = try await backend.call(.post, "/v1/sync", body: body).json.member("screens")
          let list = try Self.title(in: screens.member("scoreboards/all"), section: 0, row: 1)
          let board = try Self.title(in: screens.member("scoreboard/1"), section: 0, row: 0)
          #expect(list == board)
        }
      }
      try await group.waitForAll()
    }
  }

  private static func title(in viewModel: JSONReader, section: Int, row: Int) throws -> String {
    let sections = try viewModel.member("sections").elements()
    return try sections[section].member("rows").elements()[row].member("title").string().string
  }
}
