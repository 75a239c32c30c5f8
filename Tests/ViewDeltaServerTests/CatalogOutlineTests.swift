import CanonicalJSON
import HTTPTypes
import Screens
import TestSupport
import Testing
import ViewDeltaClient

@Suite("The items below an item of a catalog")
struct CatalogOutlineTests {
  private typealias Outline = CatalogOutline

  /// The section `s` with the items a (b (c), d) and e, of which none is expanded.
  private static func start() async throws -> Backend {
    let backend = try Backend(.catalogs)
    let items: JSONValue = [
      Outline.item("a", Outline.item("b", Outline.item("c")), Outline.item("d")), Outline.item("e"),
    ]
    let body: JSONValue = ["sections": [["id": "s", "items": items], ["id": "t"]]]
    let answer = await backend.call(.put, Outline.catalog, body: body)
    try require(answer.status == 200, "\(answer.text)")
    return backend
  }

  @Test("are hidden until it is expanded, and are shown again as they were")
  func folding() async throws {
    let backend = try await Self.start()
    #expect(try await Outline.shown(backend) == "a- e | |")
    let before = try Replica(document: await backend.get(Outline.viewModel).body)
    _ = await Outline.apply(Outline.fold("expandItems", "a"), to: backend)
    #expect(try await Outline.shown(backend) == "a+ b-1 d1 e | |")
    _ = await Outline.apply(Outline.fold("expandItems", "b"), to: backend)
    #expect(try await Outline.shown(backend) == "a+ b+1 c2 d1 e | |")
    let opened = await backend.get(Outline.viewModel)
    _ = await Outline.apply(Outline.fold("collapseItems", "a"), to: backend)
    #expect(try await Outline.shown(backend) == "a- e | |")
    let diff = await backend.get("\(Outline.viewModel)/diff?since=\(before.revision)")
    #expect(try diff.json.optionalMember("rows") == nil)
    _ = await Outline.apply(Outline.fold("expandItems", "a"), to: backend)
    #expect(
      try await backend.get(Outline.viewModel).json.member("sections").value
        == opened.json.member("sections").value)
    // A hidden item folds, too.
    _ = await Outline.apply(
      Outline.fold("collapseItems", "a", "b"), Outline.fold("expandItems", "a"), to: backend)
    #expect(try await Outline.shown(backend) == "a+ b-1 d1 e | |")
    // One without items below it has nothing to show.
    let nothing = await Outline.apply(Outline.fold("expandItems", "e"), to: backend)
    #expect(try nothing.json.member("accepted").bool() == false)
  }

  @Test("are folded by the action of its row, which removes an item without any")
  func action() async throws {
    let backend = try await Self.start()
    for expected in ["a+ b-1 d1 e | |", "a- e | |"] {
      let rows = try await Outline.rows(backend)
      let command = try rows[0].member("action").member("command").value
      #expect(
        await backend.call(.post, Outline.viewModel + "/commands", body: command).status == 200)
      #expect(try await Outline.shown(backend) == expected)
    }
    let rows = try await Outline.rows(backend)
    #expect(try rows[0].member("action").member("title").string() == "Expand")
    let command = try rows[1].member("action").member("command").value
    _ = await backend.call(.post, Outline.viewModel + "/commands", body: command)
    #expect(try await Outline.shown(backend) == "a- | |")
  }

  @Test("are appended, inserted beside others, moved and deleted with it")
  func operations() async throws {
    let backend = try await Self.start()
    _ = await Outline.apply(
      Outline.fold("expandItems", "a", "b"),
      ["operation": "appendItems", "items": [Outline.item("n")], "to": "c"],
      ["operation": "insertItems", "items": [Outline.item("o", Outline.item("p"))], "after": "b"],
      to: backend)
    #expect(try await Outline.shown(backend) == "a+ b+1 c-2 o-1 d1 e | |")
    // Across sections, with all below it, and on the level of its new neighbour.
    _ = await Outline.apply(
      [
        "operation": "appendItems", "items": [Outline.item("q", Outline.item("r"))], "section": "t",
      ],
      Outline.fold("expandItems", "q"), ["operation": "moveItem", "id": "b", "before": "r"],
      to: backend)
    #expect(try await Outline.shown(backend) == "a+ o-1 d1 e | q+ b+1 c-2 r1 |")
    _ = await Outline.apply(["operation": "moveItem", "id": "b", "after": "e"], to: backend)
    #expect(try await Outline.shown(backend) == "a+ o-1 d1 e b+ c-1 | q+ r1 |")
    let reply = await Outline.apply(
      ["operation": "deleteItems", "ids": ["a", "p", "r"]], to: backend)
    #expect(try reply.json.member("details").member("ignored").integer() == 1)
    #expect(try await Outline.shown(backend) == "e b+ c-1 | q |")
    let changed = await Outline.apply(
      ["operation": "reconfigureItems", "items": [["id": "c", "badge": "B"]]],
      ["operation": "reloadItems", "items": [["id": "n", "title": "N"]]],
      Outline.fold("expandItems", "c"), to: backend)
    #expect(changed.status == 200)
    #expect(try await Outline.shown(backend) == "e b+ c+1 n2 | q |")
  }

  @Test("are in the catalog, which reads back as the same")
  func document() async throws {
    let backend = try await Self.start()
    _ = await Outline.apply(Outline.fold("expandItems", "a"), to: backend)
    let whole = await backend.get(Outline.catalog)
    #expect(
      whole.text
        == #"{"id":1,"sections":[{"id":"s","items":[{"children":[{"children":[{"id":"c","title":"c","#
        + #""type":"catalogItem"}],"id":"b","title":"b","type":"catalogItem"},{"id":"d","title":"d","#
        + #""type":"catalogItem"}],"id":"a","isExpanded":true,"title":"a","type":"catalogItem"},"#
        + #"{"id":"e","title":"e","type":"catalogItem"}]},{"id":"t","items":[]}]}"#)
    let viewModel = await backend.get(Outline.viewModel)
    #expect(await backend.call(.put, Outline.catalog, body: try whole.json.value).status == 200)
    #expect(await backend.get(Outline.viewModel).body == viewModel.body)
    #expect(await backend.get("/v1/catalogs").text.contains(#"{"id":1,"numberOfItems":5,"#))
  }

  @Test("answer every question, shown or not")
  func queries() async throws {
    let backend = try await Self.start()
    _ = await Outline.apply(Outline.fold("expandItems", "a"), to: backend)
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
      #expect(await backend.get(Outline.catalog + path).text == expected, "\(path)")
    }
    #expect(
      try await backend.get(Outline.catalog + "/sections/s/outline?limit=3").nextPage
        == "/v1/catalogs/1/sections/s/outline?limit=3&after=c")
    #expect(await backend.get(Outline.catalog + "/items/x/outline").code == "unknown-item")
    #expect(await backend.get(Outline.catalog + "/sections/x/outline").code == "unknown-section")
    #expect(await backend.get(Outline.catalog + "/items/a/outline?after=e").code == "after-gone")
    // Also if another spelling was refused before, and the reply is kept.
    for path in ["/sections/%78/outline", "/sections/x/outline", "/sections/x/outline?limit=100"] {
      let refusal = try await backend.get(Outline.catalog + path).json
      #expect(
        try refusal.member("instance").string().string == Outline.catalog + "/sections/x/outline")
    }
  }

  @Test(
    "are refused with the place and the ids, and nothing of the batch is done",
    arguments: [
      (Outline.fold("expandItems", "a", "x"), "/ids/1", "x"),
      (Outline.fold("collapseItems", "y"), "/ids/0", "y"),
      (["operation": "appendItems", "items": [Outline.item("n")], "to": "x"], "/to", "x"),
      (
        ["operation": "appendItems", "items": [Outline.item("n")], "to": "a", "section": "s"],
        "/to",
        "not both"
      ),
      (
        ["operation": "appendItems", "items": [Outline.item("n", Outline.item("c"))]],
        "/items/0/children/0/id", "c"
      ),
      (["operation": "appendItems", "items": [Outline.item("c")], "to": "e"], "/items/0/id", "c"),
      (["operation": "moveItem", "id": "a", "after": "c"], "/after", "a"),
      (
        ["operation": "insertItems", "items": [Outline.item("c")], "before": "e"], "/items/0/id",
        "c"
      ),
      (
        ["operation": "reloadItems", "items": [Outline.item("a", Outline.item("n"))]],
        "/items/0/children", "below"
      ),
      (
        ["operation": "reconfigureItems", "items": [["id": "c", "isExpanded": true]]],
        "/items/0/isExpanded", ""
      ),
    ] as [(JSONValue, String, String)])
  func refusals(operation: JSONValue, place: String, word: String) async throws {
    let backend = try await Self.start()
    let before = await backend.get(Outline.viewModel)
    let answer = await Outline.apply(
      Outline.fold("expandItems", "a"), ["operation": "deleteItems", "ids": ["d"]], operation,
      to: backend)
    #expect(answer.status == 422)
    #expect(answer.pointer == "/operations/2" + place)
    #expect(word.isEmpty || answer.text.contains(word))
    #expect(await backend.get(Outline.viewModel).body == before.body)
  }

  @Test("are at most eight levels deep, and count for the limits")
  func limits() async throws {
    let backend = try await Self.start()
    let chain = (0..<9).reversed().reduce(nil as JSONValue?) { below, level in
      below.map { Outline.item("l\(level)", $0) } ?? Outline.item("l\(level)")
    }
    let deepest = try #require(chain)
    let deep = await Outline.apply(["operation": "appendItems", "items": [deepest]], to: backend)
    #expect(deep.status == 200)
    let deeper = await Outline.apply(
      ["operation": "appendItems", "items": [Outline.item("m")], "to": "l8"], to: backend)
    #expect(deeper.status == 422 && deeper.pointer == "/operations")
    let small = try Backend(.catalogs) {
      $0.catalogs.data = .demo(limits: CatalogLimits(itemsPerCatalog: 11))
    }
    let many = await Outline.apply(
      [
        "operation": "appendItems", "items": [Outline.item("m"), Outline.item("n")], "to": "knots",
      ],
      to: small)
    #expect(many.status == 422 && many.text.contains("at most 11 items"))
  }

  @Test("are shown for a limited number of rows in a batch, because others wait for it")
  func batchLimit() async throws {
    let backend = try Backend(.catalogs) {
      $0.catalogs.data = .demo(limits: CatalogLimits(rowsPerBatch: 8))
    }
    let body: JSONValue = [
      "sections": [["id": "s", "items": [Outline.item("a", Outline.item("b"))]]]
    ]
    _ = await backend.call(.put, Outline.catalog, body: body)
    // Each expands one row and shows another one, or collapses one.
    let folding = [Outline.fold("expandItems", "a"), Outline.fold("collapseItems", "a")]
    func batch(_ count: Int) -> JSONValue {
      ["type": "apply", "operations": .array((0..<count).map { folding[$0 % 2] })]
    }
    let refused = await backend.call(.post, Outline.viewModel + "/commands", body: batch(6))
    #expect(refused.status == 422 && refused.text.contains("more than 8 rows"))
    #expect(refused.pointer == "/operations")
    #expect(try await Outline.shown(backend) == "a- |")
    #expect(
      await backend.call(.post, Outline.viewModel + "/commands", body: batch(5)).status == 200)
    #expect(try await Outline.shown(backend) == "a+ b1 |")
  }

  @Test("are changed by fewer operations of a batch the more items a section has")
  func readLimit() async throws {
    let backend = try Backend(.catalogs)
    // Each operation searches the items, which counts a quarter of them, and changes their section.
    for (count, isAccepted) in [(999, true), (1_000, false)] {
      let children = (0..<count).map { Outline.item("i\($0)") }
      let body: JSONValue = [
        "sections": [
          ["id": "s", "items": [["id": "p", "title": "T", "children": .array(children)]]]
        ]
      ]
      #expect(await backend.call(.put, Outline.catalog, body: body).status == 200)
      let operations = (0..<200).map { number -> JSONValue in
        let item: JSONValue = ["id": "i\(number)", "title": "N"]
        return ["operation": "reconfigureItems", "items": [item]]
      }
      let answer = await backend.call(
        .post, Outline.viewModel + "/commands",
        body: ["type": "apply", "operations": .array(operations)])
      #expect(answer.status == (isAccepted ? 200 : 422))
      guard !isAccepted else { continue }
      #expect(answer.pointer == "/operations" && answer.text.contains("more than 250000 items"))
    }
  }

  @Test("are searched by fewer operations of a batch the more of them have levels")
  func searchLimit() async throws {
    let backend = try Backend(.catalogs)
    let children = (0..<6_000).map { Outline.item("i\($0)") }
    let body: JSONValue = [
      "sections": [
        ["id": "s", "items": [["id": "p", "title": "T", "children": .array(children)]]],
        ["id": "t", "items": [Outline.item("q", Outline.item("r"), Outline.item("u"))]],
      ]
    ]
    #expect(await backend.call(.put, Outline.catalog, body: body).status == 200)
    let hidden: [Text] = ["r", "u"]
    let operations: [@Sendable (Int) -> JSONValue] = [
      { ["operation": "expandItems", "ids": [.string(hidden[$0 % 2])]] },
      { number in
        let item: JSONValue = ["id": "r", "title": .string("T\(number)")]
        return ["operation": "reconfigureItems", "items": [item]]
      },
      {
        [
          "operation": "moveItem", "id": .string(hidden[$0 % 2]),
          "before": .string(hidden[($0 + 1) % 2]),
        ]
      },
      { ["operation": "deleteItems", "ids": [.string("x\($0)")]] },
      { ["operation": "appendItems", "section": "t", "items": [Outline.item("n\($0)")]] },
      { ["operation": "appendSections", "sections": [["id": .string("n\($0)")]]] },
    ]
    func apply(_ batch: [JSONValue]) async -> Answer {
      await backend.call(
        .post, Outline.viewModel + "/commands",
        body: ["type": "apply", "operations": .array(batch)])
    }
    for operation in operations {
      let answer = await apply((0..<200).map(operation))
      #expect(answer.status == 422 && answer.pointer == "/operations")
    }
    // If one of them counted twice, these would be too many.
    let batch = (0..<150).map { operations[$0 % operations.count]($0 / operations.count) }
    #expect(await apply(batch).status == 200)
  }

  @Test("are named by an operation in lists of limited length")
  func listLimits() async throws {
    let backend = try await Self.start()
    let ids = (0...10_000).map { JSONValue.integer($0) }
    let items = ids.map { ["id": $0, "title": "T"] as JSONValue }
    for (name, member, list) in [
      ("deleteItems", "ids", ids), ("expandItems", "ids", ids), ("reloadItems", "items", items),
      ("reconfigureItems", "items", items),
      ("appendSections", "sections", ids.prefix(1_001).map { ["id": $0] }),
    ] as [(Text, Text, [JSONValue])] {
      let answer = await Outline.apply(
        ["operation": .string(name), member: .array(list)], to: backend)
      #expect(answer.status == 422 && answer.pointer == "/operations/0/\(member)", "\(name)")
      #expect(answer.text.contains("expected at most \(list.count - 1) elements"))
    }
    let most = await Outline.apply(
      ["operation": "deleteItems", "ids": .array(Array(ids.dropLast()))], to: backend)
    #expect(most.status == 200)
  }
}
