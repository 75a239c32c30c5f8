import CanonicalJSON
import HTTPTypes
import Snapshots
import TestSupport
import Testing
import ViewDeltaClient

@testable import ViewDeltaServer
@testable import ViewState

@Suite("An array of a data file that no feature knows")
struct DataCollectionTests {
  private static let albums: JSONValue = [
    ["userId": 1, "id": 1, "title": "quidem"], ["id": "b", "tags": ["x", nil], "type": "live"],
    ["title": "no id", "_id": "mongo"],
  ]

  private static func backend(
    _ members: JSONValue = ["albums": albums, "empty": [], "numbers": [1]]
  ) throws -> Backend {
    let scheduler = ManualScheduler()
    var demo = DemoApplication(ScreenEnvironment(scheduler: scheduler))
    demo.configuration.data = members
    return Backend(scheduler: scheduler, application: try demo.make())
  }

  private static let viewModel = "/v1/view-models/collection/albums"
  private static let path = "/v1/collections/albums"

  @Test("is refused with the place of an element of more than 1 MiB")
  func largeElement() throws {
    func read(_ count: Int) throws {
      let text = JSONValue.string(Text(String(repeating: "x", count: count)))
      _ = try DataCollections(
        JSONReader(["list": [["id": 1], ["id": 2, "text": text]]]), besides: [])
    }
    // {"id":2,"text":""} takes 18 bytes.
    try read(1024 * 1024 - 18)
    let error = #expect(throws: JSONShapeError.self) { try read(1024 * 1024 - 17) }
    #expect(error?.pointer.description == "/list/1")
  }

  @Test("has the limits of the program, also if a journal has those of another version")
  func limits() throws {
    let list = try DataCollections(JSONReader(["list": [["id": 1]]]), besides: [])
    let limit = try list.collection("list").limits.byteCount
    let text = String(decoding: try JSONValue(encoding: list).canonicalBytes(), as: UTF8.self)
    let former = text.replacing(#""byteCount":\#(limit)"#, with: #""byteCount":1"#)
    #expect(former != text)
    let known = try JSONValue(parsing: Array(former.utf8)).decode(DataCollections.self)
    #expect(try known.collection("list").limits.byteCount == limit)
  }

  @Test("counts the tables of members that a patch copies, also of an object in an element")
  func patchedObject() throws {
    let names = (0..<1_000).map { Text("k\($0)") }
    let object = JSONValue.object(Dictionary(uniqueKeysWithValues: names.map { ($0, 0) }))
    let file: JSONValue = ["list": [["id": 1, "a": object, "b": object]]]
    var data = try DataCollections(JSONReader(file), besides: [])
    func made(_ patch: JSONValue) throws -> Int {
      let change = ResourceChange(.patch(patch))
      let write = DataCollections.Write(collection: "list", write: .change(1, change))
      return try data.apply(write, at: Timestamp(secondsSince1970: 0)).madeByteCount
    }
    #expect((1_000 * 50..<1_000 * 150).contains(try made(["a": ["k1": 1]])))
    #expect(try made(["c": 1]) < 1_000)
  }

  @Test("is a REST collection of objects as they came, with ids for those that had none")
  func collection() async throws {
    let backend = try Self.backend()
    #expect(
      try await backend.get(Self.path).json.value == [
        ["userId": 1, "id": 1, "title": "quidem"],
        ["id": "b", "tags": ["x", nil], "type": "live"],
        ["id": 2, "title": "no id", "_id": "mongo"],
      ])
    let page = await backend.get(Self.path + "?limit=1")
    #expect(try page.nextPage == Self.path + "?limit=1&after=1")
    #expect(try await backend.get("/v1/collections/empty").json.value == [])
    #expect(await backend.get("/v1/collections/numbers").code == "unknown-collection")
    #expect(await backend.get(Self.path + "/9").code == "unknown-element")
    #expect(backend.application.ignoredData == "/numbers")
  }

  @Test("counts for its limit what an element takes of the memory, however small its values are")
  func memory() throws {
    let numbers = JSONValue.array(Array(repeating: 0, count: 10_000))
    for (json, bytes) in [
      ([:], 300), (["v": numbers], 10_000 * MemoryLayout<JSONValue>.stride),
      (["v": .array(Array(repeating: [0], count: 10_000))], 640_000),
    ] as [(JSONValue, Int)] {
      let count = try DataElement(JSONReader(json), assigned: 1).byteCount
      #expect(bytes <= count && count <= 3 * bytes, "\(count) for \(bytes)")
    }
  }

  @Test("is a list screen, whose rows have the members under names of their own")
  func rows() async throws {
    let backend = try Self.backend()
    let sections = try await backend.get(Self.viewModel).json.member("sections").elements()
    #expect(
      try sections[0].member("rows").value == [
        ["id": "albums/1", "type": "element", "_id": 1, "userId": 1, "title": "quidem"],
        ["id": "albums/b", "type": "element", "_id": "b", "_type": "live", "tags": ["x", nil]],
        ["id": "albums/2", "type": "element", "_id": 2, "__id": "mongo", "title": "no id"],
      ])
    let screens = try await backend.get("/v1/view-models").json.member("screens").elements()
    let screen = try #require(
      try screens.first { try $0.member("name").string() == "collection" })
    #expect(try screen.member("keys").value == ["only": ["albums", "empty"]])
    #expect(await backend.get("/v1/view-models/collection/numbers").status == 404)
    let types = try await backend.get("/v1/view-models/collection").json.member("rowTypes")
    #expect(try types.elements().map { try $0.member("type").string() } == ["element"])
  }

  @Test("is created, patched, replaced and deleted, and each write is one diff")
  func writes() async throws {
    let backend = try Self.backend()
    var revision = try await backend.get(Self.viewModel).string("revision")
    func rows() async throws -> JSONReader {
      let diff = try await backend.get(Self.viewModel + "/diff?since=\(revision)", Self.asDiff).json
      revision = try diff.member("revision").string().string
      return try diff.member("rows")
    }

    let created = await backend.call(.post, Self.path, body: ["any": ["thing": true]])
    #expect(created.status == 201 && created["Location"] == Self.path + "/3")
    #expect(
      try await rows().member("inserts").value == [
        [
          "at": [0, 3],
          "row": ["id": "albums/3", "type": "element", "_id": 3, "any": ["thing": true]],
        ]
      ])

    let tag = try #require(await backend.get(Self.path + "/1")["ETag"])
    let patch: JSONValue = ["title": "changed", "userId": nil, "id": "1"]
    for status in [200, 412] {
      let answer = await backend.call(.patch, Self.path + "/1", [.ifMatch: tag], body: patch)
      #expect(answer.status == status)
    }
    #expect(try await backend.get(Self.path + "/1").json.value == ["id": 1, "title": "changed"])
    #expect(
      try await rows().member("updates").value == [
        [
          "from": [0, 0], "id": "albums/1", "set": ["title": "changed"], "to": [0, 0],
          "unset": ["userId"],
        ]
      ])

    #expect(await backend.call(.put, Self.path + "/b", body: ["a": 1]).status == 200)
    #expect(try await rows().member("updates").elements().count == 1)
    #expect(await backend.call(.delete, Self.path + "/2").status == 204)
    #expect(try await rows().member("deletes").value == [["at": [0, 2], "id": "albums/2"]])
    let causes = try await backend.history(Self.viewModel + "/revisions").map {
      try $0.member("cause").value
    }
    #expect(causes.last == ["kind": "storeWrite", "source": "albums"])

    let same = await backend.call(.put, Self.path + "/b", body: ["a": 1])
    #expect(same.status == 200)
    #expect(await backend.get(Self.viewModel + "/diff?since=\(revision)").status == 204)
    #expect(await backend.call(.post, Self.path, body: ["id": 1]).code == "duplicate-id")
    #expect(await backend.call(.post, Self.path, body: [1]).status == 422)
    #expect(await backend.call(.put, Self.path + "/1", body: ["id": 5]).status == 422)
  }

  @Test("reaches a client in all its depth, and in all its size")
  func extremes() async throws {
    let backend = try Self.backend()
    var deep: JSONValue = "deep"
    for _ in 1..<64 { deep = ["a": deep] }
    let large = JSONValue.string(Text(String(repeating: "x", count: 20_000)))
    var replica = try Replica(document: await backend.get(Self.viewModel).body)
    for body in [deep, ["large": large]] {
      let created = await backend.call(.post, Self.path, body: body)
      #expect(created.status == 201, "\(created.text.prefix(200))")
      let location = try #require(created["Location"])
      let read = await backend.get(location)
      #expect(read.body == created.body && read["ETag"] == created["ETag"])
      let tag = try #require(read["ETag"])
      #expect(await backend.get(location, [.ifNoneMatch: tag]).status == 304)
      #expect(await backend.get(location, [.ifMatch: "\"x\""]).status == 412)
      let since = "/diff?since=\(replica.revision)"
      try replica.apply(document: await backend.get(Self.viewModel + since, Self.asDiff).body)
      let whole = try Replica(document: await backend.get(Self.viewModel).body)
      #expect(whole.snapshot == replica.snapshot && whole.revision == replica.revision)
    }
  }

  private static let asDiff: HTTPFields = [.prefer: "return=diff"]

  @Test("leaves a write to one collection unseen by the others")
  func independence() async throws {
    let backend = try Self.backend()
    let other = "/v1/view-models/collection/empty"
    let revision = try await backend.get(other).string("revision")
    await backend.call(.post, Self.path, body: [:])
    #expect(try await backend.get(other).string("revision") == revision)
  }

  @Test("is a collection even if it is named posts, as long as there are no users")
  func posts() async throws {
    let backend = try Self.backend(["posts": [["id": "1", "title": "a title", "views": 100]]])
    #expect(
      try await backend.get("/v1/collections/posts/1").json.value
        == ["id": "1", "title": "a title", "views": 100])
    #expect(try await backend.get("/v1/users").json.value == [])
  }

  @Test("is described in the OpenAPI document, which else does not know it")
  func document() async throws {
    let document = try JSONReader(JSONValue(parsing: Self.backend().application.openAPI))
    let path = try document.member("paths").member("/v1/collections/{name}/{id}")
    #expect(try path.memberNames == ["delete", "get", "parameters", "patch", "put"])
    let schemas = try document.member("components").member("schemas")
    #expect(
      try schemas.member("Element").member("description").string()
        == "Any JSON object, with all its members as they were sent.")
    #expect(
      try schemas.member("PostInput").member("required").value == ["title", "body"])
    let plain = try JSONReader(JSONValue(parsing: Self.backend([:]).application.openAPI))
    #expect(try plain.member("paths").optionalMember("/v1/collections/{name}") == nil)
  }
}
