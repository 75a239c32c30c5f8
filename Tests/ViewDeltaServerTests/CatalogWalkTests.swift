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

  @Test("keeps a replica, the judge of batch updates and plain arrays of one mind")
  func walk() async throws {
    try await withSeeds(8) { generator in
      let (backend, start) = try Self.start()
      var oracle = start
      var replica = try Replica(document: await backend.get(Self.path).body)
      var history = [(replica: replica, oracle: start)]
      var (done, refused, rowCount) = (0, 0, 0)
      for _ in 0..<50 {
        let batch = Self.batch(on: oracle, &generator)
        let answer = await backend.call(
          .post, Self.path + "/commands", body: ["type": "apply", "operations": .array(batch)])
        do {
          try oracle.apply(batch)
          try require(answer.status == 200, "\(batch) is refused: \(answer.text)")
          let ignored = try answer.json.member("details").member("ignored").integer()
          try require(ignored == oracle.ignored, "\(ignored) ids are ignored by \(batch)")
          done += 1
        } catch is CatalogOracle.Refusal {
          try require(answer.status == 422, "\(batch) is not refused")
          try require(
            answer.pointer?.hasPrefix("/operations/") == true, "no place: \(answer.text)")
          refused += 1
        }
        try await backend.follow(Self.path, &replica)
        try Self.compare(replica.snapshot, with: oracle)
        rowCount += replica.snapshot.rowCount
        // From any revision that was kept there is a way, in either direction.
        let older = generator.pick(history)
        var follower = older.replica
        try await backend.follow(Self.path, &follower)
        try await Self.checkReloads(backend, older, (replica, oracle))
        try await Self.checkReloads(backend, (replica, oracle), older)
        history.append((replica, oracle))
      }
      try require(done > 25 && refused > 5, "\(done) batches are done, \(refused) are refused")
      try require(rowCount > 50 * 20, "the catalog gets poor: \(rowCount) rows in 50 states")
    }
  }

  /// Checks that the diff of two revisions reloads the items that were reloaded in between and have not been
  /// deleted: alone, or with a section.
  private static func checkReloads(
    _ backend: Backend, _ old: (replica: Replica, oracle: CatalogOracle),
    _ new: (replica: Replica, oracle: CatalogOracle)
  ) async throws {
    let answer = await backend.get(
      path + "/diff?since=\(old.replica.revision)&until=\(new.replica.revision)")
    var replica = old.replica
    let changes = try replica.apply(document: answer.body)
    try BatchUpdateSimulator(
      before: old.replica.snapshot, after: new.replica.snapshot, changeset: changes
    ).run()
    func isCovered(_ id: Text) -> Bool {
      guard let from = old.replica.snapshot.path(ofRow: id)?.section,
        let to = new.replica.snapshot.path(ofRow: id)?.section
      else { return false }
      // A row that leaves a deleted section, or goes into an inserted one, is drawn again by that.
      return changes.sections.reloads.contains { $0.from == from && $0.to == to }
        || changes.rows.inserts.contains { $0.row.id == id }
        || changes.sections.inserts.contains { $0.at == to }
    }
    let reloaded = Set(changes.rows.reloads.map(\.id))
    for (id, life) in new.oracle.lives {
      guard let before = old.oracle.lives[id], before.number == life.number else { continue }
      let isReloaded = reloaded.contains(id) || isCovered(id)
      try require(
        before.reloads == life.reloads || isReloaded, "\(id) is not drawn again: \(answer.text)")
      try require(
        before.reloads != life.reloads || !reloaded.contains(id), "\(id) is drawn again")
    }
  }

  /// Eight sections, the first with no item, the last with seven.
  private static func start() throws -> (Backend, CatalogOracle) {
    let sections = sectionIDs.enumerated().map { number, id -> JSONValue in
      let items = (0..<number).map { item -> JSONValue in
        ["id": .string("\(number * 8 + item)"), "title": "T"]
      }
      return ["id": .string(id), "items": .array(items)]
    }
    var oracle = CatalogOracle()
    try oracle.apply([["operation": "appendSections", "sections": .array(sections)]])
    let data = try CatalogData(
      JSONReader(["catalogs": [["id": 1, "sections": .array(sections)]]]))
    return (try Backend(.catalogs) { $0.catalogs.data = data }, oracle)
  }

  private static let sectionIDs: [Text] = ["a", "b", "c", "d", "e", "f", "g", "h"]

  /// Up to thirty operations. Most batches have only such as can be done where they stand: of
  /// thirty operations drawn blindly one is always refused, and all with it.
  private static func batch(
    on oracle: CatalogOracle, _ generator: inout SeededGenerator
  ) -> [JSONValue] {
    let mayFail = generator.chance(0.25)
    var (state, batch) = (oracle, [JSONValue]())
    for _ in 0..<generator.number(in: 1...30) {
      var next = operation(&generator)
      while (try? state.apply([next])) == nil, !mayFail { next = operation(&generator) }
      batch.append(next)
    }
    return batch
  }

  private static func compare(_ snapshot: Snapshot, with oracle: CatalogOracle) throws {
    let shown = snapshot.sections.map {
      CatalogOracle.Section(id: $0.id, items: $0.rows.map(\.id))
    }
    try require(shown == oracle.sections, "\(shown) is shown instead of \(oracle.sections)")
    for row in snapshot.sections.flatMap(\.rows) {
      let title = oracle.titles[row.id].map(JSONValue.string)
      try require(row.fields["title"] == title, "\(row) has another title")
    }
  }

  private static func operation(_ generator: inout SeededGenerator) -> JSONValue {
    let section = { (generator: inout SeededGenerator) -> JSONValue in
      .string(generator.pick(sectionIDs))
    }
    let item = { (generator: inout SeededGenerator) -> JSONValue in
      .string(String(generator.number(in: 1...120)))
    }
    let items = { (generator: inout SeededGenerator) -> JSONValue in
      .array(
        (0..<generator.number(in: 1...4)).map { _ in
          ["id": item(&generator), "title": .string(generator.pick(["T", "U"]))]
        })
    }
    let place: Text = generator.pick(["before", "after"])
    let sections: JSONValue = [["id": section(&generator), "items": items(&generator)]]
    return switch generator.number(in: 0...15) {
    case 0, 1: ["operation": "appendSections", "sections": sections]
    case 2: ["operation": "insertSections", "sections": sections, place: section(&generator)]
    case 3 where generator.chance(0.3):
      ["operation": "deleteSections", "ids": [section(&generator)]]
    case 4:
      ["operation": "moveSection", "id": section(&generator), place: section(&generator)]
    case 5: ["operation": "reloadSections", "sections": sections]
    case 6: ["operation": "appendItems", "items": items(&generator)]
    case 7:
      ["operation": "appendItems", "items": items(&generator), "section": section(&generator)]
    case 8: ["operation": "insertItems", "items": items(&generator), place: item(&generator)]
    case 9: ["operation": "deleteItems", "ids": [item(&generator), item(&generator)]]
    case 10 where generator.chance(0.03): ["operation": "deleteAllItems"]
    case 14:
      ["operation": "insertItems", "items": items(&generator), "after": item(&generator)]
    case 11: ["operation": "reloadItems", "items": items(&generator)]
    case 12: ["operation": "reconfigureItems", "items": items(&generator)]
    default: ["operation": "moveItem", "id": item(&generator), place: item(&generator)]
    }
  }
}
