import CanonicalJSON
import HTTPTypes
import Screens
import TestSupport
import Testing
import ViewDeltaClient
import ViewDeltaServer

@Suite("The items below an item of a catalog")
struct CatalogOutlineTests {
  private static let screen = "/v1/view-models/catalog/1"
  private static let catalog = "/v1/catalogs/1"

  static func apply(_ operations: JSONValue..., to backend: Backend) async -> Answer {
    await backend.call(
      .post, screen + "/commands", body: ["type": "apply", "operations": .array(operations)])
  }

  private static func item(_ id: Text, _ children: JSONValue...) -> JSONValue {
    let item: JSONValue = ["id": .string(id), "title": .string(id)]
    return children.isEmpty ? item : item.mergePatched(with: ["children": .array(children)])
  }

  /// The section `s` with the items a (b (c), d) and e, of which none is expanded.
  private static func start() async throws -> Backend {
    let backend = try Backend()
    let items: JSONValue = [item("a", item("b", item("c")), item("d")), item("e")]
    let body: JSONValue = ["sections": [["id": "s", "items": items], ["id": "t"]]]
    let answer = await backend.call(.put, catalog, body: body)
    try require(answer.status == 200, "\(answer.text)")
    return backend
  }

  /// The rows, such as `a- b+ c2`: with `-` if it is collapsed, `+` if it is expanded, and the level.
  private static func shown(_ backend: Backend) async throws -> String {
    var words: [String] = []
    for section in try await backend.get(screen).json.member("sections").elements() {
      for row in try section.member("rows").elements() {
        let mark = try row.optionalMember("isExpanded").map { try $0.bool() ? "+" : "-" } ?? ""
        let level = try row.optionalMember("level").map { try "\($0.integer())" } ?? ""
        words.append(try row.member("id").string().string + mark + level)
      }
      words.append("|")
    }
    return words.joined(separator: " ")
  }

  private static func rows(_ backend: Backend) async throws -> [JSONReader] {
    try await backend.get(screen).json.member("sections").elements()[0].member("rows").elements()
  }

  private static func state(_ backend: Backend) async throws -> Text {
    try await backend.get(screen).json.member("states").member("children").string()
  }

  private static func fold(_ name: Text, _ ids: Text...) -> JSONValue {
    ["operation": .string(name), "ids": .array(ids.map { .string($0) })]
  }

  @Test("are hidden until it is expanded, and are shown again as they were")
  func folding() async throws {
    let backend = try await Self.start()
    #expect(try await Self.shown(backend) == "a- e | |")
    let before = try Replica(document: await backend.get(Self.screen).body)
    _ = await Self.apply(Self.fold("expandItems", "a"), to: backend)
    #expect(try await Self.shown(backend) == "a+ b-1 d1 e | |")
    _ = await Self.apply(Self.fold("expandItems", "b"), to: backend)
    #expect(try await Self.shown(backend) == "a+ b+1 c2 d1 e | |")
    let opened = await backend.get(Self.screen)
    _ = await Self.apply(Self.fold("collapseItems", "a"), to: backend)
    #expect(try await Self.shown(backend) == "a- e | |")
    let diff = await backend.get("\(Self.screen)/diff?since=\(before.revision)")
    #expect(try diff.json.optionalMember("rows") == nil)
    _ = await Self.apply(Self.fold("expandItems", "a"), to: backend)
    #expect(
      try await backend.get(Self.screen).json.member("sections").value
        == opened.json.member("sections").value)
    // A hidden item folds, too.
    _ = await Self.apply(
      Self.fold("collapseItems", "a", "b"), Self.fold("expandItems", "a"), to: backend)
    #expect(try await Self.shown(backend) == "a+ b-1 d1 e | |")
    // One without items below it has nothing to show.
    let nothing = await Self.apply(Self.fold("expandItems", "e"), to: backend)
    #expect(try nothing.json.member("accepted").bool() == false)
  }

  @Test("are folded by the action of its row, which removes an item without any")
  func action() async throws {
    let backend = try await Self.start()
    for expected in ["a+ b-1 d1 e | |", "a- e | |"] {
      let rows = try await Self.rows(backend)
      let command = try rows[0].member("action").member("command").value
      #expect(await backend.call(.post, Self.screen + "/commands", body: command).status == 200)
      #expect(try await Self.shown(backend) == expected)
    }
    let rows = try await Self.rows(backend)
    #expect(try rows[0].member("action").member("title").string() == "Expand")
    let command = try rows[1].member("action").member("command").value
    _ = await backend.call(.post, Self.screen + "/commands", body: command)
    #expect(try await Self.shown(backend) == "a- | |")
  }

  @Test("are appended, inserted beside others, moved and deleted with it")
  func operations() async throws {
    let backend = try await Self.start()
    _ = await Self.apply(
      Self.fold("expandItems", "a", "b"),
      ["operation": "appendItems", "items": [Self.item("n")], "to": "c"],
      ["operation": "insertItems", "items": [Self.item("o", Self.item("p"))], "after": "b"],
      to: backend)
    #expect(try await Self.shown(backend) == "a+ b+1 c-2 o-1 d1 e | |")
    // Across sections, with all below it, and on the level of its new neighbour.
    _ = await Self.apply(
      ["operation": "appendItems", "items": [Self.item("q", Self.item("r"))], "section": "t"],
      Self.fold("expandItems", "q"), ["operation": "moveItem", "id": "b", "before": "r"],
      to: backend)
    #expect(try await Self.shown(backend) == "a+ o-1 d1 e | q+ b+1 c-2 r1 |")
    _ = await Self.apply(["operation": "moveItem", "id": "b", "after": "e"], to: backend)
    #expect(try await Self.shown(backend) == "a+ o-1 d1 e b+ c-1 | q+ r1 |")
    let reply = await Self.apply(
      ["operation": "deleteItems", "ids": ["a", "p", "r"]], to: backend)
    #expect(try reply.json.member("details").member("ignored").integer() == 1)
    #expect(try await Self.shown(backend) == "e b+ c-1 | q |")
    let changed = await Self.apply(
      ["operation": "reconfigureItems", "items": [["id": "c", "badge": "B"]]],
      ["operation": "reloadItems", "items": [["id": "n", "title": "N"]]],
      Self.fold("expandItems", "c"), to: backend)
    #expect(changed.status == 200)
    #expect(try await Self.shown(backend) == "e b+ c+1 n2 | q |")
  }

  @Test("are in the catalog, which reads back as the same")
  func document() async throws {
    let backend = try await Self.start()
    _ = await Self.apply(Self.fold("expandItems", "a"), to: backend)
    let whole = await backend.get(Self.catalog)
    #expect(
      whole.text
        == #"{"id":1,"sections":[{"id":"s","items":[{"children":[{"children":[{"id":"c","title":"c","#
        + #""type":"catalogItem"}],"id":"b","title":"b","type":"catalogItem"},{"id":"d","title":"d","#
        + #""type":"catalogItem"}],"id":"a","isExpanded":true,"title":"a","type":"catalogItem"},"#
        + #"{"id":"e","title":"e","type":"catalogItem"}]},{"id":"t","items":[]}]}"#)
    let screen = await backend.get(Self.screen)
    #expect(await backend.call(.put, Self.catalog, body: try whole.json.value).status == 200)
    #expect(await backend.get(Self.screen).body == screen.body)
    #expect(await backend.get("/v1/catalogs").text.contains(#"{"id":1,"numberOfItems":5,"#))
  }

  @Test("answer every question, shown or not")
  func queries() async throws {
    let backend = try await Self.start()
    _ = await Self.apply(Self.fold("expandItems", "a"), to: backend)
    for (path, expected) in [
      ("/items", #"{"itemIdentifiers":["a","b","d","e"],"numberOfItems":4}"#),
      (
        "/items/d",
        #"{"id":"d","index":2,"indexInSection":2,"isVisible":true,"item":{"id":"d","title":"d","#
          + #""type":"catalogItem"},"level":1,"parent":"a","section":"s"}"#
      ),
      (
        "/items/c",
        #"{"id":"c","isVisible":false,"item":{"id":"c","title":"c","type":"catalogItem"},"#
          + #""level":2,"parent":"b","section":"s"}"#
      ),
      (
        "/items/b",
        #"{"id":"b","index":1,"indexInSection":1,"isExpanded":false,"isVisible":true,"#
          + #""item":{"id":"b","title":"b","type":"catalogItem"},"level":1,"parent":"a","section":"s"}"#
      ),
      (
        "/sections/s/outline?limit=3",
        #"{"items":[{"id":"a","isExpanded":true,"isVisible":true,"level":0},"#
          + #"{"id":"b","isExpanded":false,"isVisible":true,"level":1,"parent":"a"},"#
          + #"{"id":"c","isVisible":false,"level":2,"parent":"b"}],"numberOfItems":5}"#
      ),
      (
        "/sections/s/outline?after=c",
        #"{"items":[{"id":"d","isVisible":true,"level":1,"parent":"a"},"#
          + #"{"id":"e","isVisible":true,"level":0}],"numberOfItems":5}"#
      ),
      (
        "/items/a/outline?after=b",
        #"{"items":[{"id":"c","isVisible":false,"level":2,"parent":"b"},"#
          + #"{"id":"d","isVisible":true,"level":1,"parent":"a"}],"numberOfItems":3}"#
      ),
      ("/items/e/outline", #"{"items":[],"numberOfItems":0}"#),
      ("/sections/t/outline", #"{"items":[],"numberOfItems":0}"#),
    ] {
      #expect(await backend.get(Self.catalog + path).text == expected, "\(path)")
    }
    #expect(
      try await backend.get(Self.catalog + "/sections/s/outline?limit=3").nextPage
        == "/v1/catalogs/1/sections/s/outline?limit=3&after=c")
    #expect(await backend.get(Self.catalog + "/items/x/outline").code == "unknown-item")
    #expect(await backend.get(Self.catalog + "/sections/x/outline").code == "unknown-section")
    #expect(await backend.get(Self.catalog + "/items/a/outline?after=e").code == "after-gone")
  }

  /// The section `s` with the items a (b, c), of which those below a are to be loaded, and d.
  private static func unloaded(_ backend: Backend) async throws {
    let items: JSONValue = [
      item("a", item("b"), item("c")).mergePatched(with: ["loadsChildren": true]), item("d"),
    ]
    let body: JSONValue = ["sections": [["id": "s", "items": items]]]
    let answer = await backend.call(.put, catalog, body: body)
    try require(answer.status == 200, "\(answer.text)")
  }

  @Test("are loaded if they are to be, while it is expanded, and shown at the end of the load")
  func loading() async throws {
    let backend = try Backend { $0.catalogs.latency = .milliseconds(1) }
    try await Self.unloaded(backend)
    #expect(try await Self.shown(backend) == "a- d |")
    #expect(try await Self.state(backend) == "notRequested")
    var replica = try Replica(document: await backend.get(Self.screen).body)
    _ = await Self.apply(Self.fold("expandItems", "a"), to: backend)
    #expect(try await Self.shown(backend) == "a- a/loading1 d |")
    #expect(try await Self.state(backend) == "isLoading")
    // Again: the load that runs goes on.
    _ = await Self.apply(Self.fold("expandItems", "a"), to: backend)
    backend.scheduler.advance(by: .milliseconds(1))
    #expect(try await Self.shown(backend) == "a+ b1 c1 d |")
    #expect(try await Self.state(backend) == "notRequested")
    let diff = await backend.get("\(Self.screen)/diff?since=\(replica.revision)")
    let loaded = try Replica(document: await backend.get(Self.screen).body)
    try replica.apply(document: diff.body)
    #expect(replica.snapshot == loaded.snapshot)
    // They are there from then on, for all.
    let whole = await backend.get(Self.catalog).text
    #expect(!whole.contains("loadsChildren") && whole.contains(#""isExpanded":true"#))
    _ = await Self.apply(Self.fold("collapseItems", "a"), to: backend)
    _ = await Self.apply(Self.fold("expandItems", "a"), to: backend)
    #expect(try await Self.shown(backend) == "a+ b1 c1 d |")
  }

  @Test("are not shown if the load fails or is cancelled, until another one ends")
  func failedLoad() async throws {
    let backend = try Backend()
    try await Self.unloaded(backend)
    try await FaultEndpointTests.script(backend, "children", ["outcomes": ["fail", "hang"]])
    _ = await Self.apply(Self.fold("expandItems", "a"), to: backend)
    backend.scheduler.advance(by: .zero)
    #expect(try await Self.shown(backend) == "a- a/error1 d |")
    #expect(try await Self.state(backend) == "failed")
    let failed = try await Self.rows(backend)[1]
    #expect(try failed.member("text").string() == "Couldn't load the items.")
    #expect(try failed.member("code").string() == "unavailable")
    for (row, title, expected): (Int, Text, String) in [
      (1, "Retry", "a- a/loading1 d |"), (1, "Cancel", "a- d |"), (0, "Expand", "a+ b1 c1 d |"),
      (0, "Collapse", "a- d |"), (0, "Expand", "a+ b1 c1 d |"),
    ] {
      let action = try await Self.rows(backend)[row].member("action")
      #expect(try action.member("title").string() == title)
      let command = try action.member("command").value
      #expect(await backend.call(.post, Self.screen + "/commands", body: command).code == nil)
      backend.scheduler.advance(by: .zero)
      #expect(try await Self.shown(backend) == expected)
    }
  }

  @Test("are not loaded any longer if it is deleted, moved into a collapsed one, or replaced")
  func endedLoad() async throws {
    let backend = try Backend { $0.catalogs.latency = .seconds(1) }
    for (operation, during, after) in [
      (Self.fold("deleteItems", "a"), "d |", "d |"),
      (["operation": "deleteAllItems"], "|", "|"),
      // It is hidden, and is loaded.
      (
        ["operation": "appendItems", "items": [Self.item("e", Self.item("f"))]],
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
      _ = await Self.apply(Self.fold("expandItems", "a"), to: backend)
      #expect(await Self.apply(operation, to: backend).status == 200, "\(operation)")
      #expect(try await Self.shown(backend) == during, "\(operation)")
      backend.scheduler.advance(by: .seconds(1))
      #expect(try await Self.shown(backend) == after, "\(operation)")
    }
  }

  @Test("are to be loaded again if the item is reloaded so, and keep what has changed before")
  func loadingAgain() async throws {
    let backend = try Backend()
    try await Self.unloaded(backend)
    // Written before the load, and shown after it.
    _ = await Self.apply(
      ["operation": "appendItems", "items": [Self.item("n")], "to": "b"],
      ["operation": "deleteItems", "ids": ["c"]], to: backend)
    #expect(try await Self.shown(backend) == "a- d |")
    _ = await Self.apply(Self.fold("expandItems", "a", "b"), to: backend)
    backend.scheduler.advance(by: .zero)
    #expect(try await Self.shown(backend) == "a+ b+1 n2 d |")
    _ = await Self.apply(
      ["operation": "reloadItems", "items": [["id": "a", "title": "A", "loadsChildren": true]]],
      to: backend)
    #expect(try await Self.shown(backend) == "a- d |")
    _ = await Self.apply(Self.fold("expandItems", "a"), to: backend)
    backend.scheduler.advance(by: .zero)
    #expect(try await Self.shown(backend) == "a+ b+1 n2 d |")
    // One that has none after the load is like any other.
    _ = await Self.apply(
      ["operation": "reconfigureItems", "items": [["id": "d", "loadsChildren": true]]],
      Self.fold("expandItems", "d"), to: backend)
    #expect(try await Self.shown(backend) == "a+ b+1 n2 d- d/loading1 |")
    backend.scheduler.advance(by: .zero)
    #expect(try await Self.shown(backend) == "a+ b+1 n2 d |")
  }

  @Test("are loaded for at most 100 items at a time")
  func mostLoads() async throws {
    let backend = try Backend { $0.catalogs.latency = .seconds(1) }
    let items = (0...100).map { number -> JSONValue in
      Self.item("i\(number)").mergePatched(with: ["loadsChildren": true])
    }
    let body: JSONValue = ["sections": [["id": "s", "items": .array(items)]]]
    _ = await backend.call(.put, Self.catalog, body: body)
    let ids = (0...100).map { Text("i\($0)") }
    let fold: (ArraySlice<Text>) -> JSONValue = {
      ["operation": "expandItems", "ids": .array($0.map { .string($0) })]
    }
    let refused = await Self.apply(fold(ids[...]), to: backend)
    #expect(refused.status == 422 && refused.pointer == "/operations")
    #expect(try await Self.state(backend) == "notRequested")
    let accepted = await Self.apply(fold(ids.dropLast()), to: backend)
    #expect(accepted.status == 202)
    #expect(try await Self.rows(backend).count == 201)
  }

  @Test("have actions in the language of the server, whoever has written them")
  func language() async throws {
    let backend = try Backend { $0.catalogs.language = .de }
    func titles() async throws -> [String] {
      try await Self.rows(backend).map {
        try $0.member("action").member("title").string().string
      }
    }
    try await Self.unloaded(backend)
    #expect(try await titles() == ["Aufklappen", "Entfernen"])
    _ = await Self.apply(Self.fold("expandItems", "a"), to: backend)
    backend.scheduler.advance(by: .zero)
    #expect(try await titles() == ["Zuklappen", "Entfernen", "Entfernen", "Entfernen"])
    let whole = await backend.get(Self.catalog)
    #expect(!whole.text.contains("language"))
    let tag = whole["ETag"]
    #expect(await backend.call(.put, Self.catalog, body: try whole.json.value)["ETag"] == tag)
    let created = await backend.call(.post, "/v1/catalogs", body: try whole.json.value)
    #expect(created.status == 409)
    let body = try whole.json.omitting("id").value
    #expect(await backend.call(.post, "/v1/catalogs", body: body).status == 201)
    let other = await backend.get("/v1/view-models/catalog/3").text
    #expect(other.contains("Zuklappen") && !other.contains("Collapse"))
  }

  @Test(
    "are refused with the place and the ids, and nothing of the batch is done",
    arguments: [
      (fold("expandItems", "a", "x"), "/ids/1", "x"), (fold("collapseItems", "y"), "/ids/0", "y"),
      (["operation": "appendItems", "items": [item("n")], "to": "x"], "/to", "x"),
      (
        ["operation": "appendItems", "items": [item("n")], "to": "a", "section": "s"], "/to",
        "not both"
      ),
      (
        ["operation": "appendItems", "items": [item("n", item("c"))]], "/items/0/children/0/id", "c"
      ),
      (["operation": "appendItems", "items": [item("c")], "to": "e"], "/items/0/id", "c"),
      (["operation": "moveItem", "id": "a", "after": "c"], "/after", "a"),
      (["operation": "insertItems", "items": [item("c")], "before": "e"], "/items/0/id", "c"),
      (
        ["operation": "reloadItems", "items": [item("a", item("n"))]], "/items/0/children", "below"
      ),
      (
        ["operation": "reconfigureItems", "items": [["id": "c", "isExpanded": true]]],
        "/items/0/isExpanded", ""
      ),
    ] as [(JSONValue, String, String)])
  func refusals(operation: JSONValue, place: String, word: String) async throws {
    let backend = try await Self.start()
    let before = await backend.get(Self.screen)
    let answer = await Self.apply(
      Self.fold("expandItems", "a"), ["operation": "deleteItems", "ids": ["d"]], operation,
      to: backend)
    #expect(answer.status == 422)
    #expect(answer.pointer == "/operations/2" + place && answer.text.contains(word))
    #expect(await backend.get(Self.screen).body == before.body)
  }

  @Test("are at most eight levels deep, and count for the limits")
  func limits() async throws {
    let backend = try await Self.start()
    let chain = (0..<9).reversed().reduce(nil as JSONValue?) { below, level in
      below.map { Self.item("l\(level)", $0) } ?? Self.item("l\(level)")
    }
    let deepest = try #require(chain)
    let deep = await Self.apply(["operation": "appendItems", "items": [deepest]], to: backend)
    #expect(deep.status == 200)
    let deeper = await Self.apply(
      ["operation": "appendItems", "items": [Self.item("m")], "to": "l8"], to: backend)
    #expect(deeper.status == 422 && deeper.pointer == "/operations")
    let small = try Backend { $0.catalogs.data = .demo(limits: CatalogLimits(itemsPerCatalog: 11)) }
    let many = await Self.apply(
      ["operation": "appendItems", "items": [Self.item("m"), Self.item("n")], "to": "knots"],
      to: small)
    #expect(many.status == 422 && many.text.contains("at most 11 items"))
  }

  @Test("are shown for a limited number of rows in a batch, because others wait for it")
  func batchLimit() async throws {
    let backend = try Backend { $0.catalogs.data = .demo(limits: CatalogLimits(rowsPerBatch: 8)) }
    let body: JSONValue = ["sections": [["id": "s", "items": [Self.item("a", Self.item("b"))]]]]
    _ = await backend.call(.put, Self.catalog, body: body)
    // Each expands one row and shows another one, or collapses one.
    let folding = [Self.fold("expandItems", "a"), Self.fold("collapseItems", "a")]
    func batch(_ count: Int) -> JSONValue {
      ["type": "apply", "operations": .array((0..<count).map { folding[$0 % 2] })]
    }
    let refused = await backend.call(.post, Self.screen + "/commands", body: batch(6))
    #expect(refused.status == 422 && refused.text.contains("more than 8 rows"))
    #expect(refused.pointer == "/operations")
    #expect(try await Self.shown(backend) == "a- |")
    #expect(
      await backend.call(.post, Self.screen + "/commands", body: batch(5)).status == 200)
    #expect(try await Self.shown(backend) == "a+ b1 |")
  }
}
