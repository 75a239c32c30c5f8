import CanonicalJSON
import HTTPTypes
import TestSupport
import Testing
import ViewDeltaClient

@Suite("The description of a screen")
struct ScreenDescriptionTests {
  @Test(
    "says what the list says, and how the screen moves",
    arguments: ["profile", "podcasts", "scoreboards", "scoreboard", "catalog", "form", "settings"])
  func description(screen: String) async throws {
    let backend = try Backend(.all)
    let answer = await backend.get("/v1/view-models/\(screen)")
    #expect(answer.status == 200)
    guard case .object(var members) = try answer.json.value else { throw LawViolation("no object") }
    let machines = try answer.json.member("stateMachine").object()
    #expect(!machines.isEmpty)
    #expect(try answer.string("mermaid").hasPrefix("stateDiagram-v2\n"))
    #expect(members.removeValue(forKey: "rowTypes") != nil)
    members["stateMachine"] = nil
    members["failures"] = nil
    members["mermaid"] = nil
    let listed = try await backend.get("/v1/view-models").json.member("screens").elements()
    #expect(listed.map(\.value).contains(.object(members)))
    let tag = try #require(answer["ETag"])
    #expect(await backend.get("/v1/view-models/\(screen)", [.ifNoneMatch: tag]).status == 304)
  }

  @Test("has a schema for each type of rows, with all that it refers to")
  func rowTypes() async throws {
    let backend = try Backend(.all)
    let screens = try await backend.get("/v1/view-models").json.member("screens").elements()
    var names: Set<String> = []
    for screen in screens {
      let name = try screen.member("name").string()
      let types = try await backend.get("/v1/view-models/\(name)").json.member("rowTypes")
        .elements()
      for type in types {
        let schema = try type.member("schema")
        let row = try type.member("type").string().string
        names.insert(row)
        // A screen may have several types of rows of one name.
        for option in schema.value["anyOf"]?.elements ?? [schema.value] {
          #expect(option["properties"]?["type"]?["const"]?.text == row)
        }
        #expect(try !type.member("summary").string().isEmpty)
        try Self.expectWhole(schema.value, row)
      }
    }
    let described = try await OpenAPIDocument().value(
      "/components/schemas/Row/discriminator/mapping")
    #expect(names == Set(described.members.keys) && names.count > 30)
  }

  /// Expects that a schema has all that it refers to.
  private static func expectWhole(_ schema: JSONValue, _ name: String) throws {
    var rest = [schema]
    while let value = rest.popLast() {
      rest += value.members.values + value.elements
      guard let reference = value["$ref"]?.text else { continue }
      let pointer = try #require(JSONPointer(String(reference.dropFirst())))
      #expect(schema.value(at: pointer) != nil, "\(reference) of \(name)")
    }
  }

  @Test("has a schema for each command, with all that it refers to")
  func commands() async throws {
    let screens = try await Backend(.all).get("/v1/view-models").json.member("screens").elements()
    var count = 0
    for command in try screens.flatMap({ try $0.member("commands").elements() }) {
      try Self.expectWhole(
        try command.member("schema").value, try command.member("type").string().string)
      count += 1
    }
    #expect(count > 20)
  }

  @Test("lists the failures of the screen's own, which are in the OpenAPI document, too")
  func failures() async throws {
    let backend = try Backend(.all)
    let description = try await backend.get("/v1/view-models/form").json
    #expect(
      try description.member("failures").value
        == [["code": "store-full", "detail": "The store takes no more."]])
    #expect(
      try await OpenAPIDocument().text("/components/schemas/LoadFailureCode/description")
        .contains("\n| `store-full` | The store takes no more. |"))
    #expect(
      try await backend.get("/v1/view-models/profile").json.memberNames.contains("failures")
        == false)
  }

  @Test("has a machine for each source of the profile")
  func machines() async throws {
    let answer = await (try Backend()).get("/v1/view-models/profile")
    let machines = try answer.json.member("stateMachine")
    #expect(try machines.memberNames == ["posts", "profile"])
    #expect(try machines.member("posts").member("initial").string() == "notRequested")
  }

  @Test("is 404 where there is no such screen")
  func absence() async throws {
    let answer = await (try Backend()).get("/v1/view-models/none")
    #expect(answer.status == 404 && answer.code == "unknown-screen")
  }

  @Test("is enough to keep a replica of a scoreboard through random commands")
  func replica() async throws {
    let path = "/v1/view-models/scoreboard/1"
    try await withSeeds(5) { generator in
      let backend = try Backend(.scoreboards)
      var replica = try Replica(document: await backend.get(path).body)
      for _ in 0..<60 {
        let player = JSONValue.integer(generator.number(in: 1...9))
        let number = JSONValue.integer(generator.number(in: -3...3))
        let command: JSONValue = generator.pick([
          ["type": "addPlayer", "name": "N", "score": number, "before": player],
          ["type": "addPlayer", "name": "N"], ["type": "removePlayer", "player": player],
          ["type": "adjustScore", "player": player, "by": number],
          ["type": "renameBoard", "title": .string("T\(number)")],
          ["type": "movePlayer", "player": player, "after": 1],
        ])
        await backend.call(.post, path + "/commands", body: command)
        try await backend.follow(path, &replica)
      }
    }
  }
}
