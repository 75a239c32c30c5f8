import CanonicalJSON
import HTTPTypes
import Snapshots
import TestSupport
import Testing
import ViewDeltaServer
import ViewState

/// A screen with a source outside of the engine, and a part that writes back to it.
private struct Diary: Screen {
  struct State: ScreenState {
    var days = LoadState<[Int]>()
    var notes = SaveState<Text>()
  }

  static let name: Text = "diary"
  static let summary = "Notes."
  static let write = Command("write", "Writes a note.", .text("note")) {
    (state: inout State, note) in try state.notes.save(note)
  }

  var commands: [AnyCommand<State>] { Self.write }
  var parts: [any ScreenPart<State>] {
    [
      Loading("days", \.days, from: Source { _ in [1] }) { _, _ in [Row]() },
      Saving("notes", \.notes, to: { _, _ in }, failure: { "Couldn't write “\($0)”." }),
    ]
  }

  func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> State {
    guard key == "1" else { throw .unknownKey }
    return State()
  }
}

@Suite("A fault")
struct FaultEndpointTests {
  static func script(
    _ backend: Backend, _ source: String, _ script: JSONValue
  ) async throws {
    let answer = await backend.call(.put, "/v1/faults/\(source)/1", body: script)
    #expect(answer.status == 200)
  }

  @Test("is scripted, shown, used up and taken away")
  func life() async throws {
    let backend = try Backend()
    #expect(await backend.get("/v1/faults/posts/1").text == #"{"outcomes":[],"then":"succeed"}"#)
    try await Self.script(
      backend, "posts", ["outcomes": ["fail", "hang"], "latencyMilliseconds": 10])
    await backend.send("loadPosts")
    backend.scheduler.advance(by: .milliseconds(10))
    let states = try await backend.get(Backend.viewModel).json.member("states")
    #expect(try states.member("posts").string() == "failed")
    #expect(
      await backend.get("/v1/faults/posts/1").text
        == #"{"latencyMilliseconds":10,"outcomes":["hang"],"then":"succeed"}"#)
    #expect(await backend.call(.delete, "/v1/faults/posts/1").status == 204)
    #expect(await backend.get("/v1/faults/posts/1").text == #"{"outcomes":[],"then":"succeed"}"#)
  }

  @Test("of a source outside of the server is scripted like any other, and so is a write")
  func outside() async throws {
    let scheduler = ManualScheduler()
    var configuration = ApplicationConfiguration(
      environment: ScreenEnvironment(scheduler: scheduler))
    configuration.allowsFaults = true
    let backend = Backend(
      scheduler: scheduler, application: try Application(configuration) { Diary() })
    let viewModel = "/v1/view-models/diary/1"
    #expect(
      try await backend.get("/v1/view-models/diary").json.member("faults").value
        == ["days", "notes"])
    try await Self.script(
      backend, "days",
      ["outcomes": [["code": "torn", "detail": "A page is torn out."]], "latencyMilliseconds": 20])
    try await Self.script(backend, "notes", ["outcomes": ["fail"]])
    func send(_ body: JSONValue) async {
      await backend.call(.post, viewModel + "/commands", body: body)
    }
    await send(["type": "loadDays"])
    let note = Text(String(repeating: "Rain. ", count: 166))
    await send(["type": "write", "note": .string(note)])
    scheduler.advance(by: .milliseconds(20))
    let text = await backend.get(viewModel).text
    #expect(text.contains(#""code":"torn","detail":"A page is torn out.","id":"days/error""#))
    // A failure has at most 1,000 characters.
    let change = String("Couldn't write “\(note)".prefix(999)) + "…"
    #expect(
      text.contains(
        #""code":"unavailable","detail":"The source is unavailable.","id":"notes/error","moreActions":[{"command":{"attempt":1,"type":"discardNotes"},"title":"Discard"}],"text":"\#(change)""#
      ))
    let incidents = try await IncidentEndpointTests.incidents(backend, of: viewModel)
    #expect(incidents.map { $0["kind"] } == ["loadFailure", "saveFailure"])
    #expect(incidents.last?["change"] == .string(Text(change)))

    #expect(
      await backend.get("/v1/faults/days/1").text
        == #"{"latencyMilliseconds":20,"outcomes":[],"then":"succeed"}"#)
    #expect(await backend.call(.delete, "/v1/faults/days/1").status == 204)
    #expect(await backend.get("/v1/faults/days/1").text == #"{"outcomes":[],"then":"succeed"}"#)
    #expect(await backend.get("/v1/faults/days/2").code == "unknown-key")
    #expect(await backend.call(.put, "/v1/faults/days/2", body: [:]).code == "unknown-key")
  }

  @Test("of a deleted key can be ended, and no new one begun")
  func deleted() async throws {
    let backend = try Backend()
    let faults = "/v1/faults/posts/1"
    try await Self.script(backend, "posts", ["then": "fail"])
    await backend.call(.delete, "/v1/users/1")
    #expect(await backend.get(faults).text == #"{"outcomes":[],"then":"fail"}"#)
    #expect(await backend.call(.delete, faults).status == 204)
    #expect(await backend.call(.put, faults, body: ["then": "fail"]).code == "key-deleted")
  }

  @Test("of one half leaves the other alone")
  func independence() async throws {
    let backend = try Backend()
    try await Self.script(backend, "profile", ["then": "fail"])
    await backend.load()
    let states = try await backend.get(Backend.viewModel).json.member("states").value
    #expect(states == ["posts": "loaded", "profile": "failed"])
  }

  @Test("is 404 for an unknown source or user, and where the server does not allow faults")
  func absence() async throws {
    let backend = try Backend(.forms)
    for path in ["/v1/faults/likes/1", "/v1/faults/posts/99"] {
      #expect(await backend.get(path).status == 404)
      #expect(await backend.call(.put, path, body: [:]).status == 404)
      #expect(await backend.call(.delete, path).status == 404)
    }
    // Loads of a personal screen ask by the key without its session.
    for (key, status) in [("1", 200), ("1@0123456789abcdefghijkl", 404)] {
      let script: JSONValue = ["then": "fail"]
      #expect(
        await backend.call(.put, "/v1/faults/registry/\(key)", body: script).status == status)
    }
    let closed = try Backend(allowsFaults: false)
    #expect(await closed.get("/v1/faults/posts/1").code == "not-found")
  }

  @Test("is for all sessions of an element, whose id may have an @ that begins none")
  func sessions() async throws {
    let backend = try Backend(.forms)
    let form: JSONValue = ["id": "@a", "title": "A", "sections": []]
    #expect(await backend.call(.post, "/v1/forms", body: form).status == 201)
    let script: JSONValue = ["then": "fail"]
    #expect(await backend.call(.put, "/v1/faults/activity/%40a", body: script).status == 200)
    let session = "/v1/view-models/form/%40a%400123456789abcdefghijkl"
    await backend.call(.post, session + "/commands", body: ["type": "loadActivity"])
    backend.scheduler.advance(by: .seconds(10))
    #expect(
      try await backend.get(session).json.member("states").member("activity").value == "failed")
    #expect(await backend.call(.delete, "/v1/faults/activity/%40a").status == 204)
  }

  @Test("is refused if all scripts have too many outcomes, until one is shorter or ends")
  func limit() async throws {
    let backend = try Backend()
    let body: JSONValue = ["outcomes": .array(Array(repeating: "fail", count: 999))]
    let paths = (101...111).map { "/v1/faults/posts/\($0)" }
    for id in 101...111 {
      let user: JSONValue = ["id": .integer(id), "name": "A"]
      #expect(await backend.call(.post, "/v1/users", body: user).status == 201)
    }
    for path in paths.prefix(10) {
      #expect(await backend.call(.put, path, body: body).status == 200)
    }
    #expect(await backend.call(.put, paths[10], body: body).code == "store-full")
    #expect(await backend.get(paths[10]).text == #"{"outcomes":[],"then":"succeed"}"#)
    // One of the same size may take the place of another.
    #expect(await backend.call(.put, paths[0], body: body).status == 200)
    #expect(await backend.call(.put, paths[0], body: ["then": "fail"]).status == 200)
    #expect(await backend.call(.delete, paths[0]).status == 204)
    #expect(await backend.call(.put, paths[10], body: body).status == 200)
  }

  @Test("with a bad member is 422 and changes nothing")
  func refusal() async throws {
    let backend = try Backend()
    try await Self.script(backend, "posts", ["then": "fail"])
    let answer = await backend.call(.put, "/v1/faults/posts/1", body: ["then": "succeed", "x": 1])
    #expect(answer.status == 422)
    #expect(answer.pointer == "/x")
    #expect(await backend.get("/v1/faults/posts/1").text == #"{"outcomes":[],"then":"fail"}"#)
  }
}
