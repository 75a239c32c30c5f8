import CanonicalJSON
import HTTPTypes
import TestSupport
import Testing
import ViewState

@testable import ViewDeltaServer

@Suite("Over HTTP, the state machines of a screen")
struct MachineEndpointTests {
  private struct Cell: Hashable {
    let from: String
    let command: String
    let event: String
  }

  /// The states to which the event of each cell leads, of the events that are commands.
  private static func cells(
    _ backend: Backend, _ screen: String, _ machine: Text
  ) async throws -> [Cell: Set<String>] {
    let table = try await backend.get("/v1/view-models/\(screen)").json.member("stateMachine")
      .member(machine).member("transitions").elements().map(\.value)
    return table.reduce(into: [:]) { cells, move in
      guard let command = move["command"]?.text, let event = move["event"]?.text,
        let from = move["from"]?.text, let to = move["to"]?.text
      else { return }
      cells[Cell(from: from, command: command, event: event), default: []].insert(to)
    }
  }

  @Test(
    "name commands of the screen alone, and each state that a view model is in is one of theirs")
  func names() async throws {
    let backend = try Backend(.all)
    let keys = [
      "profile": "1", "podcasts": "1", "scoreboards": "all", "scoreboard": "1", "catalog": "1",
      "form": "1",
    ]
    for (screen, key) in keys {
      let description = try await backend.get("/v1/view-models/\(screen)").json
      let commands = try description.member("commands").elements().map { $0.value["type"]?.text }
      let machines = try description.member("stateMachine").object()
      var named: Set<String> = []
      for machine in machines.values {
        for move in machine["transitions"]?.elements ?? [] {
          guard let command = move["command"]?.text else { continue }
          named.insert(command)
          #expect(move["event"]?.text?.hasPrefix(command) == true)
        }
      }
      #expect(named.isSubset(of: commands.compactMap(\.self)) && !named.isEmpty, "\(screen)")
      let snapshot = try await backend.get("/v1/view-models/\(screen)/\(key)").json.value
      let states = try #require(snapshot["states"]?.members)
      // Each field of a form, and each of its groups, is in a state of its own.
      #expect(
        Set(states.keys) == Set(machines.keys.map(\.string)).subtracting(["field", "group"]))
      for (name, state) in states {
        #expect(machines[Text(name)]?["states"]?.elements.contains(state) == true, "\(name)")
      }
    }
  }

  @Test("follow what a client does, in diffs and snapshots alike")
  func states() async throws {
    let backend = try Backend(.all)
    func state(_ viewModel: String, _ machine: Text) async throws -> Text {
      try await backend.get("/v1/view-models/\(viewModel)").json.member("states").member(machine)
        .string()
    }
    let made = await backend.call(.post, "/v1/scoreboards", body: ["title": "T"])
    let id = try #require(made["Location"]?.split(separator: "/").last)
    let board = "scoreboard/\(id)"
    #expect(try await state(board, "scoreboard") == "no players")
    let revision = try await backend.get("/v1/view-models/\(board)").string("revision")
    await backend.call(.post, "/v1/scoreboards/\(id)/players", body: ["name": "N"])
    #expect(try await state(board, "scoreboard") == "one")
    let diff = await backend.get("/v1/view-models/\(board)/diff?since=\(revision)")
    #expect(try diff.json.member("states").value == ["scoreboard": "one"])
    #expect(try await state("scoreboards/all", "scoreboards") == "several")
    #expect(try await state("podcasts/1", "refreshPolicy") == "keepPrevious")
    await backend.call(
      .post, "/v1/view-models/podcasts/1/commands",
      body: ["type": "setRefreshPolicy", "policy": "blank"])
    #expect(try await state("podcasts/1", "refreshPolicy") == "blank")
    let catalog = await backend.call(.post, "/v1/catalogs", body: [:])
    let name = try "catalog/" + #require(catalog["Location"]?.split(separator: "/").last)
    #expect(try await state(name, "catalog") == "no sections")
    await backend.call(
      .post, "/v1/view-models/\(name)/commands",
      body: [
        "type": "apply",
        "operations": [["operation": "appendSections", "sections": [["id": "s"]]]],
      ])
    #expect(try await state(name, "catalog") == "no items")
  }

  @Test("say what a command does in each state of a source")
  func loads() async throws {
    let cells = try await Self.cells(Backend(), "profile", "posts")
    #expect(cells.count == 8)
    for (cell, ends) in cells {
      let backend = try Backend()
      func state() async throws -> String {
        try await backend.get(Backend.viewModel).json.member("states").member("posts").string()
          .string
      }
      if cell.from == "failed" {
        try await FaultEndpointTests.script(backend, "posts", ["outcomes": ["fail"]])
      }
      if cell.from != "notRequested" { await backend.send("loadPosts") }
      if cell.from != "isLoading" { backend.scheduler.advance(by: .seconds(4)) }
      #expect(try await state() == cell.from)
      await backend.send(cell.command)
      #expect(try await ends.contains(state()), "\(cell)")
    }
  }

  @Test("have a cell for a write, which is shown at once behind a load and behind a failure")
  func writes() async throws {
    let backend = try Backend()
    let moves = try await backend.get("/v1/view-models/profile").json.member("stateMachine")
      .member("posts").member("transitions").elements().map(\.value)
    for state in ["isLoading", "loaded", "failed"] {
      #expect(
        moves.contains {
          $0["event"] == "changed" && $0["from"]?.text == state && $0["to"]?.text == state
            && $0["effects"] == ["show"]
        }, "\(state)")
    }
    func posts() async throws -> [String] {
      try await backend.get(Backend.viewModel).rows.map { try $0.member("id").string().string }
        .filter { $0.hasPrefix("post") }
    }
    await backend.load()
    await backend.call(.post, "/v1/users/1/posts", body: ["title": "Two", "body": "Second."])
    #expect(try await posts() == ["posts/header", "post/2", "post/1"])
    try await FaultEndpointTests.script(backend, "posts", ["outcomes": ["fail", "hang"]])
    await backend.send("loadPosts")
    backend.scheduler.advance(by: .seconds(4))
    #expect(try await posts() == ["posts/header", "posts/error", "post/2", "post/1"])
    #expect(await backend.call(.delete, "/v1/users/1/posts/1").status == 204)
    #expect(try await posts() == ["posts/header", "posts/error", "post/2"])

    await backend.send("loadPosts")
    let loading = try await backend.revision
    #expect(await backend.call(.delete, "/v1/users/1/posts/2").status == 204)
    #expect(try await posts() == ["posts/header", "posts/loading", "posts/empty"])
    let diff = try await backend.diff("since=\(loading)").json
    #expect(diff.value["rows"]?["deletes"]?.elements.map { $0["id"] } == ["post/2"])
    #expect(try diff.optionalMember("states") == nil)
  }

  @Test("say what an event does in each state of a field of a form")
  func fields() async throws {
    let cells = try await Self.cells(Backend(.all), "form", "field")
    #expect(cells.count == 12)
    let values: [String: JSONValue] = [
      "didChange: a right value": "1", "didChange: a wrong value": "x", "didChange: nothing": "",
    ]
    let field: JSONValue = [
      "id": "f", "kind": "text", "label": "Number", "required": true, "inputType": "number",
    ]
    let backend = try Backend(.all)
    for (cell, ends) in cells {
      let made = await backend.call(
        .post, "/v1/forms",
        body: ["title": "T", "sections": [["id": "s", "rows": [field]]]])
      let viewModel =
        try "/v1/view-models/form/"
        + #require(made["Location"]?.split(separator: "/").last)
      func send(_ event: String) async {
        let body: JSONValue =
          values[event].map { ["type": "didChange", "row": "f", "value": $0] } ?? ["type": "submit"]
        await backend.call(.post, viewModel + "/commands", body: body)
      }
      if cell.from != "untouched" { await send("didChange: a \(cell.from) value") }
      await send(cell.event)
      let isWrong = await backend.get(viewModel).text.contains("fieldError")
      #expect(ends == [isWrong ? "wrong" : "right"], "\(cell)")
    }
  }
}
