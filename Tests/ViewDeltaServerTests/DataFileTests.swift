import CanonicalJSON
import TestSupport
import Testing
import ViewDeltaServer
import ViewState

@Suite("A data file")
struct DataFileTests {
  /// A backend on a file with these members beside no users and posts.
  static func backend(_ members: [Text: JSONValue]) throws -> Backend {
    let scheduler = ManualScheduler()
    let file = JSONValue.object(members.merging(["users": [], "posts": []]) { given, _ in given })
    return Backend(scheduler: scheduler, application: try application(file, scheduler))
  }

  private static func application(
    _ file: JSONValue, _ scheduler: ManualScheduler
  ) throws -> Application {
    var demo = DemoApplication(ScreenEnvironment(scheduler: scheduler))
    demo.configuration.data = file
    return try demo.make()
  }

  @Test("starts each store that it names with what it holds")
  func stores() async throws {
    let members: [Text: JSONValue] = [
      "users": [["id": 1, "username": "ada"]],
      "listeners": [["id": 1, "name": "Ada", "podcasts": [["id": 1, "title": "One"]]]],
      "scoreboards": [["id": 1, "players": [["id": 1, "name": "A", "score": 3]], "title": "B"]],
      "catalogs": [["id": 1, "sections": [["id": "a", "items": []]]]],
      "forms": [
        [
          "id": 1, "title": "F", "sections": [],
          "activity": [["id": 1, "text": "T", "date": "2026-01-01T00:00:00Z"]],
        ]
      ],
      "companies": [["id": 1, "taxNumber": "DE136695976", "name": "N", "city": "C"]],
    ]
    let backend = try Self.backend(members)
    for path: Text in ["users", "scoreboards", "companies"] {
      #expect(try await backend.get("/v1/\(path)").json.value == members[path])
    }
    #expect(try await backend.get("/v1/listeners/1/podcasts").json.elements().count == 1)
    #expect(try await backend.get("/v1/forms/1/entries").json.elements().count == 1)
    #expect(
      try await backend.get("/v1/catalogs/1/sections").json.member("numberOfSections").value == 1)
  }

  @Test(
    "leaves a store empty that it does not name, or names as null",
    arguments: [[:], ["listeners": nil, "scoreboards": nil, "catalogs": nil, "comments": [1]]]
      as [[Text: JSONValue]])
  func absence(members: [Text: JSONValue]) async throws {
    let backend = try Self.backend(members)
    for path in ["users", "listeners", "scoreboards", "catalogs", "forms", "companies"] {
      #expect(try await backend.get("/v1/\(path)").json.value == [], "\(path)")
    }
    #expect(await backend.get("/v1/view-models/scoreboards/all").status == 200)
  }

  @Test("may say more than is known, at every depth")
  func unknownMembers() async throws {
    let backend = try Self.backend([
      "scoreboards": [["id": 1, "title": "B", "colour": "red", "players": []]],
      "catalogs": [
        ["id": 1, "sections": [["id": "a", "items": [["id": "i", "title": "I", "x": 1]]]]]
      ],
      "forms": [
        [
          "id": 1, "title": "F",
          "sections": [
            ["id": "s", "rows": [["id": "h", "kind": "header", "text": "H", "x": [:]]]]
          ],
        ]
      ],
    ])
    #expect(
      try await backend.get("/v1/scoreboards").json.value
        == [["id": 1, "title": "B", "players": []]])
    for viewModel in ["catalog/1", "form/1"] {
      #expect(await backend.get("/v1/view-models/\(viewModel)").status == 200, "\(viewModel)")
    }
  }

  @Test("has what is not known of it noted, once for each kind")
  func notes() throws {
    let file: JSONValue = [
      "users": [
        ["id": 1, "name": "A", "phone": "1", "address": ["city": "C", "street": "S"]],
        ["id": 2, "name": "B", "phone": "2", "image": nil],
      ],
      "posts": [["id": 1, "userId": 1, "title": "T", "body": "B", "tags": []]],
      "comments": [1],
      "listeners": [
        [
          "id": 1, "name": "A", "since": 2020,
          "podcasts": [["id": 1, "url": "U", "latestEpisode": ["title": "T", "length": 1]]],
        ]
      ],
      "scoreboards": [["id": 1, "title": "B", "players": [["id": 1, "name": "P", "team": "T"]]]],
      "catalogs": [["id": 1, "sections": [["id": "a", "colour": "red", "items": []]]]],
      "forms": [
        [
          "id": 1, "title": "F", "x": 1, "sections": [],
          "activity": [["id": 1, "text": "T", "date": "2026-01-01", "by": "me"]],
        ]
      ],
      "companies": [
        ["id": 1, "taxNumber": "DE136695976", "name": "N", "city": "C", "country": "DE"]
      ],
    ]
    let ignored = try Self.application(file, ManualScheduler()).ignoredData
    #expect(
      Set(ignored.split(separator: ", ")) == [
        "/comments", "/users/0/phone (2 times)", "/users/0/address/street", "/posts/0/tags",
        "/listeners/0/since", "/listeners/0/podcasts/0/url",
        "/listeners/0/podcasts/0/latestEpisode/length", "/scoreboards/0/players/0/team",
        "/catalogs/0/sections/0/colour", "/forms/0/x", "/forms/0/activity/0/by",
        "/companies/0/country",
      ])
  }

  @Test(
    "is refused with the place of the first fault",
    arguments: [
      ("users", 1, "/users"), ("listeners", [:], "/listeners"),
      ("listeners", [["id": 1]], "/listeners/0/name"),
      ("listeners", [["id": 1, "name": "A"], ["id": "1", "name": "B"]], "/listeners/1/id"),
      (
        "listeners",
        [["id": 1, "name": "A", "podcasts": [["id": 1], ["id": 1]]]], "/listeners/0/podcasts/1/id"
      ),
      ("scoreboards", [["id": 1]], "/scoreboards/0/title"),
      ("scoreboards", [["id": 1, "title": "T"], ["id": 1, "title": "T"]], "/scoreboards/1/id"),
      (
        "scoreboards", [["id": 1, "title": "T", "players": [["id": 1, "name": 7]]]],
        "/scoreboards/0/players/0/name"
      ),
      (
        "catalogs", [["id": 1, "sections": [["id": "a"], ["id": "a"]]]], "/catalogs/0/sections/1/id"
      ),
      ("catalogs", [["id": 1], ["id": 1]], "/catalogs/1/id"),
      ("forms", [["id": 1]], "/forms/0/title"),
      (
        "forms", [["id": 1, "title": "T", "activity": [["id": 1, "text": "T"]]]],
        "/forms/0/activity/0/date"
      ),
      (
        "companies", [["id": 1, "name": "N", "city": "C", "taxNumber": "1"]],
        "/companies/0/taxNumber"
      ),
    ] as [(Text, JSONValue, String)])
  func refusals(member: Text, value: JSONValue, place: String) throws {
    let error = try #require(throws: JSONShapeError.self) { try Self.backend([member: value]) }
    #expect(error.pointer.description == place)
  }
}
