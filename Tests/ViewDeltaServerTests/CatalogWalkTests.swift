import CanonicalJSON
import HTTPTypes
import Snapshots
import TestSupport
import Testing
import ViewDeltaClient

@Suite("A random walk over a catalog")
struct CatalogWalkTests {
  @Test("keeps a replica, the judge of batch updates and plain arrays of one mind")
  func walk() async throws {
    let path = "/v1/view-models/catalog/2"
    try await withSeeds(8) { generator in
      let backend = try Backend()
      var oracle = CatalogOracle()
      var replica = try Replica(document: await backend.get(path).body)
      var done = 0
      for _ in 0..<80 {
        let batch = (0..<generator.number(in: 1...2)).map { _ in Self.operation(&generator) }
        let answer = await backend.call(
          .post, path + "/commands", body: ["type": "apply", "operations": .array(batch)])
        let before = replica
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
        }
        let news = await backend.get(path + "/diff?since=\(replica.revision)")
        if news.status == 200 {
          let changes = try replica.apply(document: news.body)
          try BatchUpdateSimulator(
            before: before.snapshot, after: replica.snapshot, changeset: changes
          ).run()
        }
        try Self.compare(replica.snapshot, with: oracle)
        let snapshot = await backend.get(path)
        try require(replica.canonicalBytes() == snapshot.body, "the replica is not the snapshot")
      }
      try require(done > 3, "too few batches are done: \(done)")
    }
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
      .string(generator.pick(["a", "b", "c", "d"]))
    }
    let item = { (generator: inout SeededGenerator) -> JSONValue in
      .string(String(generator.number(in: 1...12)))
    }
    let items = { (generator: inout SeededGenerator) -> JSONValue in
      .array(
        (0..<generator.number(in: 1...2)).map { _ in
          ["id": item(&generator), "title": .string(generator.pick(["T", "U"]))]
        })
    }
    let place = generator.pick(["before", "after"])
    let sections: JSONValue = [["id": section(&generator), "items": items(&generator)]]
    return switch generator.number(in: 0...13) {
    case 0, 1: ["operation": "appendSections", "sections": sections]
    case 2: ["operation": "insertSections", "sections": sections, place: section(&generator)]
    case 3: ["operation": "deleteSections", "ids": [section(&generator)]]
    case 4:
      ["operation": "moveSection", "id": section(&generator), place: section(&generator)]
    case 5: ["operation": "reloadSections", "sections": sections]
    case 6: ["operation": "appendItems", "items": items(&generator)]
    case 7:
      ["operation": "appendItems", "items": items(&generator), "section": section(&generator)]
    case 8: ["operation": "insertItems", "items": items(&generator), place: item(&generator)]
    case 9: ["operation": "deleteItems", "ids": [item(&generator), item(&generator)]]
    case 10 where generator.chance(0.3): ["operation": "deleteAllItems"]
    case 11: ["operation": "reloadItems", "items": items(&generator)]
    case 12: ["operation": "reconfigureItems", "items": items(&generator)]
    default: ["operation": "moveItem", "id": item(&generator), place: item(&generator)]
    }
  }
}
