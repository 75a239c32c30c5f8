import TestSupport
import Testing

@testable import Snapshots

@Suite struct NodeTableTests {
  @Test func `a table and a dictionary agree after each of many changes`() throws {
    try withSeeds(20) { random in
      var table = NodeTable<Int>()
      var model: [Int: NodeIdentity] = [:]
      for _ in 0..<60 {
        let earlier = (table, model)
        let share = random.pick([0, 0.01, 1])
        let departures = model.keys.sorted().filter { _ in random.chance(share) }
        let arrivals = (0..<random.number(in: 0...random.pick([1, 3, 100]))).map { _ in
          (key: random.number(in: 0...500), node: NodeIdentity.unique())
        }
        for key in departures { model[key] = nil }
        let duplicates = arrivals.filter { model.updateValue($0.node, forKey: $0.key) != nil }
        try require(
          table.update(removing: departures, adding: arrivals) == duplicates.map(\.key),
          "other keys are there twice")
        try require(table.entries == model, "other entries")
        try require((0...501).allSatisfy { table[$0] == model[$0] }, "another node")
        try require(earlier.0.entries == earlier.1, "the table before has changed")
      }
    }
  }
}
