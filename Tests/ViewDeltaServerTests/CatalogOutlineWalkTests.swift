import CanonicalJSON
import HTTPTypes
import Screens
import Snapshots
import TestSupport
import Testing
import ViewDeltaClient

/// The sections of a catalog as trees, changed by the plainest code there is.
private struct OutlineModel: Equatable {
  struct Node: Equatable {
    var id: Text
    var title: Text
    var isExpanded = false
    var children: [Node] = []

    var all: [Node] { [self] + children.flatMap(\.all) }
    var height: Int { 1 + (children.map(\.height).max() ?? 0) }

    var settled: Node {
      var copy = self
      copy.children = children.map(\.settled)
      copy.isExpanded = isExpanded && !children.isEmpty
      return copy
    }

    var json: JSONValue {
      var members: [Text: JSONValue] = [
        "id": .string(id), "title": .string(title), "type": "catalogItem",
      ]
      if !children.isEmpty { members["children"] = .array(children.map(\.json)) }
      if isExpanded { members["isExpanded"] = true }
      return .object(members)
    }

    func shown(_ level: Int) -> [String] {
      let mark = children.isEmpty ? "" : isExpanded ? "+" : "-"
      return ["\(id)\(mark) \(level) \(title)"]
        + (isExpanded ? children.flatMap { $0.shown(level + 1) } : [])
    }
  }

  struct Refusal: Error {}

  var sections: [(id: Text, nodes: [Node])] = []
  var ignored = 0

  static func == (left: OutlineModel, right: OutlineModel) -> Bool {
    left.document == right.document
  }

  var document: JSONValue {
    .array(
      sections.map { ["id": .string($0.id), "items": .array($0.nodes.map(\.json))] })
  }

  var all: [Node] { sections.flatMap(\.nodes).flatMap(\.all) }

  mutating func apply(_ batch: [JSONValue]) throws {
    var copy = self
    copy.ignored = 0
    for operation in batch {
      try copy.apply(JSONReader(operation))
      let ids = copy.all.map(\.id)
      guard Set(ids).count == ids.count else { throw Refusal() }
      for index in copy.sections.indices {
        copy.sections[index].nodes = copy.sections[index].nodes.map(\.settled)
      }
    }
    guard copy.sections.flatMap(\.nodes).allSatisfy({ $0.height <= 9 }) else { throw Refusal() }
    self = copy
  }

  private mutating func apply(_ operation: JSONReader) throws {
    let text = { (name: Text) in try operation.optionalMember(name)?.string() }
    let ids = try (operation.optionalMember("ids")?.elements() ?? []).map { try $0.string() }
    let items = try (operation.optionalMember("items")?.elements() ?? []).map(Self.node)
    let anchor = try text("before") ?? text("after") ?? ""
    let shift = try text("after") == nil ? 0 : 1
    switch try operation.member("operation").string() {
    case "appendItems":
      if let parent = try text("to") {
        try change(parent) { $0[$1].children += items }
      } else {
        let id = try text("section") ?? sections.last?.id
        guard let index = sections.firstIndex(where: { $0.id == id }) else { throw Refusal() }
        sections[index].nodes += items
      }
    case "insertItems": try change(anchor) { $0.insert(contentsOf: items, at: $1 + shift) }
    case "deleteItems":
      for id in ids {
        do { try change(id) { $0.remove(at: $1) } } catch { ignored += 1 }
      }
    case "moveItem":
      let id = try text("id") ?? ""
      guard let node = all.first(where: { $0.id == id }), all.contains(where: { $0.id == anchor }),
        !node.all.contains(where: { $0.id == anchor })
      else { throw Refusal() }
      try change(id) { $0.remove(at: $1) }
      try change(anchor) { $0.insert(node, at: $1 + shift) }
    case "reloadSections":
      for section in try operation.member("sections").elements() {
        let id = try section.member("id").string()
        guard let index = sections.firstIndex(where: { $0.id == id }) else { throw Refusal() }
        sections[index].nodes = try section.member("items").elements().map(Self.node)
      }
    case "expandItems": for id in ids { try change(id) { $0[$1].isExpanded = true } }
    case "collapseItems": for id in ids { try change(id) { $0[$1].isExpanded = false } }
    default:
      guard Set(items.map(\.id)).count == items.count else { throw Refusal() }
      for item in items { try change(item.id) { $0[$1].title = item.title } }
    }
    // Only what has items below it can be expanded.
    for index in sections.indices { sections[index].nodes = sections[index].nodes.map(\.settled) }
  }

  private static func node(_ json: JSONReader) throws -> Node {
    Node(
      id: try json.member("id").string(), title: try json.member("title").string(),
      isExpanded: try json.optionalMember("isExpanded")?.bool() ?? false,
      children: try (json.optionalMember("children")?.elements() ?? []).map(node))
  }

  /// Changes the list that a node is in.
  private mutating func change(_ id: Text, _ edit: (inout [Node], Int) -> Void) throws {
    for index in sections.indices where Self.change(&sections[index].nodes, id, edit) { return }
    throw Refusal()
  }

  private static func change(
    _ nodes: inout [Node], _ id: Text, _ edit: (inout [Node], Int) -> Void
  ) -> Bool {
    if let index = nodes.firstIndex(where: { $0.id == id }) {
      edit(&nodes, index)
      return true
    }
    return nodes.indices.contains { change(&nodes[$0].children, id, edit) }
  }
}

@Suite("A random walk over a catalog of outlines")
struct CatalogOutlineWalkTests {
  private static let path = "/v1/view-models/catalog/1"

  @Test("keeps a replica, the judge of batch updates and plain trees of one mind")
  func walk() async throws {
    try await withSeeds(6) { generator in
      let sections: JSONValue = [["id": "a"], ["id": "b"]]
      let data = try CatalogData(
        JSONReader(["catalogs": [["id": 1, "sections": sections]]]))
      let backend = try Backend(.catalogs) { $0.catalogs.data = data }
      var model = OutlineModel(sections: [("a", []), ("b", [])])
      var replica = try Replica(document: await backend.get(Self.path).body)
      var (done, refused, deepest) = (0, 0, 0)
      for _ in 0..<60 {
        let mayFail = generator.chance(0.2)
        let batch = (0..<generator.number(in: 1...6)).reduce(into: [JSONValue]()) { batch, _ in
          var next: JSONValue
          repeat {
            next = Self.operation(&generator)
            var attempt = model
            if mayFail || (try? attempt.apply(batch + [next])) != nil { break }
          } while true
          batch.append(next)
        }
        let answer = await backend.call(
          .post, Self.path + "/commands", body: ["type": "apply", "operations": .array(batch)])
        do {
          try model.apply(batch)
          try require(answer.status == 200, "\(batch) is refused: \(answer.text)")
          let ignored = try answer.json.member("details").member("ignored").integer()
          try require(ignored == model.ignored, "\(ignored) ids are ignored by \(batch)")
          done += 1
        } catch is OutlineModel.Refusal {
          try require(answer.status == 422, "\(batch) is not refused")
          try require(answer.pointer?.hasPrefix("/operations") == true, "\(answer.text)")
          refused += 1
        }
        deepest = max(deepest, model.sections.flatMap(\.nodes).map(\.height).max() ?? 0)
        try await Self.check(backend, model, &replica, &generator)
      }
      try require(done > 30 && refused > 2 && deepest > 2, "\(done) \(refused) \(deepest)")
    }
  }

  private static func check(
    _ backend: Backend, _ model: OutlineModel, _ replica: inout Replica,
    _ generator: inout SeededGenerator
  ) async throws {
    try await backend.follow(path, &replica)
    let shown = replica.snapshot.sections.map { section in
      section.rows.map { row -> String in
        var mark = ""
        if case .bool(let isExpanded)? = row.fields["isExpanded"] { mark = isExpanded ? "+" : "-" }
        let level = row.fields["level"].map { "\($0)" } ?? "0"
        guard case .string(let title)? = row.fields["title"] else { return "" }
        return "\(row.id)\(mark) \(level) \(title)"
      }
    }
    let expected = model.sections.map { $0.nodes.flatMap { $0.shown(0) } }
    try require(shown == expected, "\(shown) is shown instead of \(expected)")
    let whole = await backend.get("/v1/catalogs/1")
    try require(
      try whole.json.member("sections").value == model.document, "\(whole.text) is kept")

    guard let node = model.all.isEmpty ? nil : generator.pick(model.all) else { return }
    let outline = try await backend.get("/v1/catalogs/1/items/\(node.id)/outline").json
    let ids = try outline.member("items").elements().map { try $0.member("id").string() }
    try require(ids == node.all.dropFirst().map(\.id), "\(ids) are below \(node)")
    let place = try await backend.get("/v1/catalogs/1/items/\(node.id)").json
    let isVisible = expected.joined().contains {
      $0.prefix { $0.isNumber } == node.id.string
    }
    try require(try place.member("isVisible").bool() == isVisible, "\(node.id): \(place.value)")
    let parent = model.all.first { $0.children.contains { $0.id == node.id } }?.id
    try require(try place.optionalMember("parent")?.string() == parent, "\(place.value)")
  }

  private static func operation(_ generator: inout SeededGenerator) -> JSONValue {
    func id(_ generator: inout SeededGenerator) -> JSONValue {
      .string("\(generator.number(in: 1...30))")
    }
    func item(_ generator: inout SeededGenerator, _ depth: Int = 0) -> JSONValue {
      var members: [Text: JSONValue] = [
        "id": id(&generator), "title": .string(generator.pick(["T", "U"])),
      ]
      if depth < 2, generator.chance(0.2) {
        members["children"] = [item(&generator, depth + 1)]
        members["isExpanded"] = .bool(generator.chance(0.5))
      }
      return .object(members)
    }
    let place: Text = generator.pick(["before", "after"])
    let section: JSONValue = .string(generator.pick(["a", "b"]))
    return switch generator.number(in: 0...13) {
    case 0, 1: ["operation": "appendItems", "items": [item(&generator)], "section": section]
    case 2, 3, 4: ["operation": "appendItems", "items": [item(&generator)], "to": id(&generator)]
    case 5:
      ["operation": "insertItems", "items": [item(&generator)], place: id(&generator)]
    case 6: ["operation": "deleteItems", "ids": [id(&generator), id(&generator)]]
    case 7, 8: ["operation": "moveItem", "id": id(&generator), place: id(&generator)]
    case 9, 10: ["operation": "expandItems", "ids": [id(&generator)]]
    case 11: ["operation": "collapseItems", "ids": [id(&generator)]]
    case 12:
      [
        "operation": .string(generator.pick(["reloadItems", "reconfigureItems"])),
        "items": [["id": id(&generator), "title": .string(generator.pick(["T", "U"]))]],
      ]
    default:
      if generator.chance(0.2) {
        [
          "operation": "reloadSections",
          "sections": [["id": section, "items": [item(&generator), item(&generator)]]],
        ]
      } else {
        ["operation": "expandItems", "ids": [id(&generator), id(&generator)]]
      }
    }
  }
}
