import CanonicalJSON
import HTTPTypes
import Screens
import Snapshots
import TestSupport
import Testing
import ViewDeltaClient

@Suite("A random walk over a rich catalog")
struct CatalogWalkTests {
  private static let path = "/v1/view-models/catalog/1"

  @Test("keeps a replica, the judge of batch updates and plain trees of one mind")
  func walk() async throws {
    try await withSeeds(5) { generator in
      let (backend, start) = try Self.start()
      var model = start
      var replica = try Replica(document: await backend.get(Self.path).body)
      var history = [(replica: replica, model: start)]
      var (done, refused, rowCount, deepest) = (0, 0, 0, 0)
      for _ in 0..<50 {
        let batch = Self.batch(on: model, &generator)
        let answer = await backend.call(
          .post, Self.path + "/commands", body: ["type": "apply", "operations": .array(batch)])
        do {
          try model.apply(batch)
          try require(answer.status == 200, "\(batch) is refused: \(answer.text)")
          let ignored = try answer.json.member("details").member("ignored").integer()
          try require(ignored == model.ignored, "\(ignored) ids are ignored by \(batch)")
          done += 1
        } catch is CatalogModel.Refusal {
          try require(answer.status == 422, "\(batch) is not refused")
          try require(answer.pointer?.hasPrefix("/operations") == true, "no place: \(answer.text)")
          refused += 1
        }
        try await backend.follow(Self.path, &replica)
        try await Self.check(backend, replica.snapshot, model, &generator)
        rowCount += replica.snapshot.rowCount
        deepest = max(deepest, model.height)
        // From any revision that was kept there is a way, in either direction.
        let older = generator.pick(history)
        var follower = older.replica
        try await backend.follow(Self.path, &follower)
        try await Self.checkReloads(backend, older, (replica, model))
        try await Self.checkReloads(backend, (replica, model), older)
        history.append((replica, model))
      }
      try require(done > 25 && refused > 3, "\(done) batches are done, \(refused) are refused")
      try require(rowCount > 50 * 20, "the catalog gets poor: \(rowCount) rows in 50 states")
      try require(deepest > 2, "the catalog has \(deepest) levels")
    }
  }

  /// Compares what is shown, kept and answered with the model.
  private static func check(
    _ backend: Backend, _ snapshot: Snapshot, _ model: CatalogModel,
    _ generator: inout SeededGenerator
  ) async throws {
    let shown = snapshot.sections.map { section in
      section.rows.map { row -> String in
        var mark = ""
        if case .bool(let isExpanded)? = row.fields["isExpanded"] { mark = isExpanded ? "+" : "-" }
        let level = row.fields["level"].map { "\($0)" } ?? "0"
        return "\(row.id)\(mark) \(level) \(row.fields["title"]?.text ?? "")"
      }
    }
    let expected = model.sections.map { $0.nodes.flatMap { $0.shown() } }
    try require(shown == expected, "\(shown) is shown instead of \(expected)")
    try require(
      snapshot.sections.map(\.id) == model.sections.map(\.id), "the sections have other ids")
    let whole = await backend.get("/v1/catalogs/1")
    try require(
      try whole.json.member("sections").value == model.document, "\(whole.text) is kept")
    guard let node = model.all.isEmpty ? nil : generator.pick(model.all) else { return }
    let outline = try await backend.get("/v1/catalogs/1/items/\(node.id)/outline?limit=1000").json
    let ids = try outline.member("items").elements().map { try $0.member("id").string() }
    try require(ids == node.all.dropFirst().map(\.id), "\(ids) are below \(node)")
    let place = try await backend.get("/v1/catalogs/1/items/\(node.id)").json
    let isVisible = snapshot.path(ofRow: node.id) != nil
    try require(try place.member("isVisible").bool() == isVisible, "\(node.id): \(place.value)")
    let parent = model.all.first { $0.children.contains { $0.id == node.id } }?.id
    try require(try place.optionalMember("parent")?.string() == parent, "\(place.value)")
  }

  /// Checks that the diff of two revisions reloads the items that were reloaded in between and have not been
  /// deleted: alone, or with a section.
  private static func checkReloads(
    _ backend: Backend, _ old: (replica: Replica, model: CatalogModel),
    _ new: (replica: Replica, model: CatalogModel)
  ) async throws {
    let answer = await backend.get(
      path + "/diff?since=\(old.replica.revision)&until=\(new.replica.revision)")
    var replica = old.replica
    let changes = try replica.apply(document: answer.body)
    try BatchUpdateSimulator(
      before: old.replica.snapshot, after: new.replica.snapshot, changeset: changes
    ).run()
    let reloaded = Set(changes.rows.reloads.map(\.id))
    for (id, life) in new.model.lives {
      guard let before = old.model.lives[id], before.number == life.number,
        let from = old.replica.snapshot.path(ofRow: id)?.section,
        let to = new.replica.snapshot.path(ofRow: id)?.section
      else { continue }
      // A row that leaves a deleted section, or goes into an inserted one, is drawn again by that.
      let isReloaded =
        reloaded.contains(id)
        || changes.sections.reloads.contains { $0.from == from && $0.to == to }
        || changes.rows.inserts.contains { $0.row.id == id }
        || changes.sections.inserts.contains { $0.at == to }
      try require(
        before.reloads == life.reloads || isReloaded, "\(id) is not drawn again: \(answer.text)")
      try require(
        before.reloads != life.reloads || !reloaded.contains(id), "\(id) is drawn again")
    }
  }

  /// Eight sections, the first with no item, the last with seven.
  private static func start() throws -> (Backend, CatalogModel) {
    let sections = sectionIDs.enumerated().map { number, id -> JSONValue in
      let items = (0..<number).map { item -> JSONValue in
        ["id": .string("\(number * 8 + item)"), "title": "T"]
      }
      return ["id": .string(id), "items": .array(items)]
    }
    var model = CatalogModel()
    try model.apply([["operation": "appendSections", "sections": .array(sections)]])
    let data = try CatalogData(
      JSONReader(["catalogs": [["id": 1, "sections": .array(sections)]]]))
    return (try Backend(.catalogs) { $0.catalogs.data = data }, model)
  }

  private static let sectionIDs: [Text] = ["a", "b", "c", "d", "e", "f", "g", "h"]

  /// Up to thirty operations. Most batches have only such as can be done where they stand: of
  /// thirty operations drawn blindly one is always refused, and all with it.
  private static func batch(
    on model: CatalogModel, _ generator: inout SeededGenerator
  ) -> [JSONValue] {
    let mayFail = generator.chance(0.25)
    var (state, batch) = (model, [JSONValue]())
    for _ in 0..<generator.number(in: 1...30) {
      var next = operation(on: state, &generator)
      while (try? state.apply([next])) == nil, !mayFail { next = operation(on: state, &generator) }
      batch.append(next)
    }
    return batch
  }

  /// A section with its items in the other order, of which each is expanded that was not.
  private static func turned(_ section: (id: Text, nodes: [CatalogModel.Node])) -> JSONValue {
    let items = section.nodes.reversed().map { node in
      var node = node
      node.isExpanded = !node.isExpanded && !node.children.isEmpty
      return node.json
    }
    return ["id": .string(section.id), "items": .array(items)]
  }

  private static func item(_ generator: inout SeededGenerator, below depth: Int = 2) -> JSONValue {
    var members: [Text: JSONValue] = [
      "id": id(&generator), "title": .string(generator.pick(["T", "U"])),
    ]
    if depth > 0, generator.chance(0.2) {
      members["children"] = [item(&generator, below: depth - 1)]
      members["isExpanded"] = .bool(generator.chance(0.5))
    }
    return .object(members)
  }

  private static func id(_ generator: inout SeededGenerator) -> JSONValue {
    .string("\(generator.number(in: 1...120))")
  }

  private static func operation(
    on model: CatalogModel, _ generator: inout SeededGenerator
  ) -> JSONValue {
    let section = { (generator: inout SeededGenerator) -> JSONValue in
      .string(generator.pick(sectionIDs))
    }
    let items = JSONValue.array((0..<generator.number(in: 1...4)).map { _ in item(&generator) })
    let titles = JSONValue.array(
      (0..<generator.number(in: 1...3)).map { _ in
        ["id": id(&generator), "title": .string(generator.pick(["T", "U"]))]
      })
    let place: Text = generator.pick(["before", "after"])
    let sections: JSONValue = [["id": section(&generator), "items": items]]
    return switch generator.number(in: 0...22) {
    case 0, 1: ["operation": "appendSections", "sections": sections]
    case 2: ["operation": "insertSections", "sections": sections, place: section(&generator)]
    case 3 where generator.chance(0.3):
      ["operation": "deleteSections", "ids": [section(&generator)]]
    case 4:
      ["operation": "moveSection", "id": section(&generator), place: section(&generator)]
    case 5: ["operation": "reloadSections", "sections": sections]
    case 20:
      [
        "operation": "reloadSections",
        "sections": model.sections.isEmpty ? [] : [turned(generator.pick(model.sections))],
      ]
    case 6: ["operation": "appendItems", "items": items]
    case 7: ["operation": "appendItems", "items": items, "section": section(&generator)]
    case 8, 9: ["operation": "appendItems", "items": items, "to": id(&generator)]
    case 10, 11: ["operation": "insertItems", "items": items, place: id(&generator)]
    case 12: ["operation": "deleteItems", "ids": [id(&generator), id(&generator)]]
    case 13 where generator.chance(0.03): ["operation": "deleteAllItems"]
    case 14: ["operation": "reloadItems", "items": titles]
    case 15: ["operation": "reconfigureItems", "items": titles]
    case 16, 17: ["operation": "expandItems", "ids": [id(&generator)]]
    case 18: ["operation": "collapseItems", "ids": [id(&generator)]]
    default: ["operation": "moveItem", "id": id(&generator), place: id(&generator)]
    }
  }
}
