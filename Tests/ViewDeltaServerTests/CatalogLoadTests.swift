import CanonicalJSON
import HTTPTypes
import Screens
import TestSupport
import Testing
import ViewDeltaClient
import ViewDeltaServer

@Suite("The items below an item of a catalog that loads them")
struct CatalogLoadTests {
  private typealias Outline = CatalogOutline

  /// The section `s` with the items a (b, c), of which those below a are to be loaded, and d.
  private static func unloaded(_ backend: Backend) async throws {
    let items: JSONValue = [
      Outline.item("a", Outline.item("b"), Outline.item("c")).mergePatched(with: [
        "loadsChildren": true
      ]), Outline.item("d"),
    ]
    let body: JSONValue = ["sections": [["id": "s", "items": items]]]
    let answer = await backend.call(.put, Outline.catalog, body: body)
    try require(answer.status == 200, "\(answer.text)")
  }

  @Test("are loaded if they are to be, while it is expanded, and shown at the end of the load")
  func loading() async throws {
    let backend = try Backend(.catalogs) {
      $0.configuration.latencies["children"] = .milliseconds(1)
    }
    try await Self.unloaded(backend)
    #expect(try await Outline.shown(backend) == "a- d |")
    #expect(try await Outline.state(backend) == "notRequested")
    var replica = try Replica(document: await backend.get(Outline.viewModel).body)
    _ = await Outline.apply(Outline.fold("expandItems", "a"), to: backend)
    #expect(try await Outline.shown(backend) == "a- a/loading1 d |")
    #expect(try await Outline.state(backend) == "isLoading")
    // Again: the load that runs goes on.
    _ = await Outline.apply(Outline.fold("expandItems", "a"), to: backend)
    backend.scheduler.advance(by: .milliseconds(1))
    #expect(try await Outline.shown(backend) == "a+ b1 c1 d |")
    #expect(try await Outline.state(backend) == "notRequested")
    let diff = await backend.get("\(Outline.viewModel)/diff?since=\(replica.revision)")
    let loaded = try Replica(document: await backend.get(Outline.viewModel).body)
    try replica.apply(document: diff.body)
    #expect(replica.snapshot == loaded.snapshot)
    // They are there from then on, for all.
    let whole = await backend.get(Outline.catalog).text
    #expect(!whole.contains("loadsChildren") && whole.contains(#""isExpanded":true"#))
    _ = await Outline.apply(Outline.fold("collapseItems", "a"), to: backend)
    _ = await Outline.apply(Outline.fold("expandItems", "a"), to: backend)
    #expect(try await Outline.shown(backend) == "a+ b1 c1 d |")
  }

  @Test("are hidden before, although a body says that the item is expanded")
  func expandedBody() async throws {
    let backend = try Backend(.catalogs)
    let expanded: JSONValue = ["loadsChildren": true, "isExpanded": true]
    let items = [Outline.item("a", Outline.item("b")), Outline.item("c")]
    let body: JSONValue = [
      "sections": [
        ["id": "s", "items": .array(items.map { $0.mergePatched(with: expanded) })]
      ]
    ]
    let answer = await backend.call(.put, Outline.catalog, body: body)
    try require(answer.status == 200, "\(answer.text)")
    #expect(try await Outline.shown(backend) == "a- c- |")
    for row in try await Outline.rows(backend) {
      #expect(try row.member("action").member("title").string() == "Expand")
    }
  }

  @Test("are not shown if the load fails or is cancelled, until another one ends")
  func failedLoad() async throws {
    let backend = try Backend(.catalogs)
    try await Self.unloaded(backend)
    try await FaultEndpointTests.script(backend, "children", ["outcomes": ["fail", "hang"]])
    _ = await Outline.apply(Outline.fold("expandItems", "a"), to: backend)
    backend.scheduler.advance(by: .zero)
    #expect(try await Outline.shown(backend) == "a- a/error1 d |")
    #expect(try await Outline.state(backend) == "failed")
    let failed = try await Outline.rows(backend)[1]
    #expect(try failed.member("text").string() == "Couldn't load the items.")
    #expect(try failed.member("code").string() == "unavailable")
    for (row, title, expected): (Int, Text, String) in [
      (1, "Retry", "a- a/loading1 d |"), (1, "Cancel", "a- d |"), (0, "Expand", "a+ b1 c1 d |"),
      (0, "Collapse", "a- d |"), (0, "Expand", "a+ b1 c1 d |"),
    ] {
      let action = try await Outline.rows(backend)[row].member("action")
      #expect(try action.member("title").string() == title)
      let command = try action.member("command").value
      #expect(await backend.call(.post, Outline.viewModel + "/commands", body: command).code == nil)
      backend.scheduler.advance(by: .zero)
      #expect(try await Outline.shown(backend) == expected)
    }
  }

  @Test("are loaded again or no longer, by the actions of the row that says that a load failed")
  func failedLoadActions() async throws {
    let backend = try Backend(.catalogs)
    try await Self.unloaded(backend)
    try await FaultEndpointTests.script(backend, "children", ["outcomes": ["fail", "fail"]])
    for (title, expected): (Text, String) in [
      ("Collapse", "a- d |"), ("Retry", "a+ b1 c1 d |"),
    ] {
      _ = await Outline.apply(Outline.fold("expandItems", "a"), to: backend)
      backend.scheduler.advance(by: .zero)
      let row = try await Outline.rows(backend)[1]
      let actions = try [row.member("action")] + row.member("moreActions").elements()
      #expect(try actions.map { try $0.member("title").string() } == ["Retry", "Collapse"])
      let action = try actions.first { try $0.member("title").string() == title }
      let command = try action?.member("command").value
      #expect(await backend.call(.post, Outline.viewModel + "/commands", body: command).code == nil)
      backend.scheduler.advance(by: .zero)
      #expect(try await Outline.shown(backend) == expected)
    }
    #expect(try await Outline.state(backend) == "notRequested")
  }

  @Test("are not loaded any longer if it is deleted, moved into a collapsed one, or replaced")
  func endedLoad() async throws {
    let backend = try Backend(.catalogs) {
      $0.configuration.latencies["children"] = .seconds(1)
    }
    for (operation, during, after) in [
      (Outline.fold("deleteItems", "a"), "d |", "d |"),
      (["operation": "deleteAllItems"], "|", "|"),
      // It is hidden, and is loaded.
      (
        ["operation": "appendItems", "items": [Outline.item("e", Outline.item("f"))]],
        "a- a/loading1 d e- |", "a+ b1 c1 d e- |"
      ),
      (["operation": "moveItem", "id": "a", "after": "d"], "d a- a/loading1 |", "d a+ b1 c1 |"),
      (
        ["operation": "reconfigureItems", "items": [["id": "a", "loadsChildren": false]]],
        "a- d |", "a- d |"
      ),
      (
        ["operation": "reloadItems", "items": [["id": "d", "title": "D", "loadsChildren": true]]],
        "a- a/loading1 d- |", "a+ b1 c1 d- |"
      ),
      (["operation": "reloadSections", "sections": [["id": "s"]]], "|", "|"),
    ] as [(JSONValue, String, String)] {
      try await Self.unloaded(backend)
      _ = await Outline.apply(Outline.fold("expandItems", "a"), to: backend)
      #expect(await Outline.apply(operation, to: backend).status == 200, "\(operation)")
      #expect(try await Outline.shown(backend) == during, "\(operation)")
      backend.scheduler.advance(by: .seconds(1))
      #expect(try await Outline.shown(backend) == after, "\(operation)")
    }
  }

  @Test("are to be loaded again if the item is reloaded so, and keep what has changed before")
  func loadingAgain() async throws {
    let backend = try Backend(.catalogs)
    try await Self.unloaded(backend)
    // Written before the load, and shown after it.
    _ = await Outline.apply(
      ["operation": "appendItems", "items": [Outline.item("n")], "to": "b"],
      ["operation": "deleteItems", "ids": ["c"]], to: backend)
    #expect(try await Outline.shown(backend) == "a- d |")
    _ = await Outline.apply(Outline.fold("expandItems", "a", "b"), to: backend)
    backend.scheduler.advance(by: .zero)
    #expect(try await Outline.shown(backend) == "a+ b+1 n2 d |")
    _ = await Outline.apply(
      ["operation": "reloadItems", "items": [["id": "a", "title": "A", "loadsChildren": true]]],
      to: backend)
    #expect(try await Outline.shown(backend) == "a- d |")
    _ = await Outline.apply(Outline.fold("expandItems", "a"), to: backend)
    backend.scheduler.advance(by: .zero)
    #expect(try await Outline.shown(backend) == "a+ b+1 n2 d |")
    // One that has none after the load is like any other.
    _ = await Outline.apply(
      ["operation": "reconfigureItems", "items": [["id": "d", "loadsChildren": true]]],
      Outline.fold("expandItems", "d"), to: backend)
    #expect(try await Outline.shown(backend) == "a+ b+1 n2 d- d/loading1 |")
    backend.scheduler.advance(by: .zero)
    #expect(try await Outline.shown(backend) == "a+ b+1 n2 d |")
  }

  @Test("are loaded for at most 100 items at a time")
  func mostLoads() async throws {
    let backend = try Backend(.catalogs) {
      $0.configuration.latencies["children"] = .seconds(1)
    }
    let items = (0...100).map { number -> JSONValue in
      Outline.item("i\(number)").mergePatched(with: ["loadsChildren": true])
    }
    let body: JSONValue = ["sections": [["id": "s", "items": .array(items)]]]
    _ = await backend.call(.put, Outline.catalog, body: body)
    let ids = (0...100).map { Text("i\($0)") }
    let fold: (ArraySlice<Text>) -> JSONValue = {
      ["operation": "expandItems", "ids": .array($0.map { .string($0) })]
    }
    let refused = await Outline.apply(fold(ids[...]), to: backend)
    #expect(refused.status == 422 && refused.pointer == "/operations")
    #expect(try await Outline.state(backend) == "notRequested")
    let accepted = await Outline.apply(fold(ids.dropLast()), to: backend)
    #expect(accepted.status == 202)
    #expect(try await Outline.rows(backend).count == 201)
  }

  @Test("have actions in the language of the server, whoever has written them")
  func language() async throws {
    let backend = try Backend(.catalogs) { $0.catalogs.language = .de }
    func titles() async throws -> [String] {
      try await Outline.rows(backend).map {
        try $0.member("action").member("title").string().string
      }
    }
    try await Self.unloaded(backend)
    #expect(try await titles() == ["Aufklappen", "Entfernen"])
    _ = await Outline.apply(Outline.fold("expandItems", "a"), to: backend)
    backend.scheduler.advance(by: .zero)
    #expect(try await titles() == ["Zuklappen", "Entfernen", "Entfernen", "Entfernen"])
    let whole = await backend.get(Outline.catalog)
    #expect(!whole.text.contains("language"))
    let tag = whole["ETag"]
    #expect(await backend.call(.put, Outline.catalog, body: try whole.json.value)["ETag"] == tag)
    let created = await backend.call(.post, "/v1/catalogs", body: try whole.json.value)
    #expect(created.status == 409)
    let body = try whole.json.omitting("id").value
    #expect(await backend.call(.post, "/v1/catalogs", body: body).status == 201)
    let other = await backend.get("/v1/view-models/catalog/3").text
    #expect(other.contains("Zuklappen") && !other.contains("Collapse"))
  }
}
