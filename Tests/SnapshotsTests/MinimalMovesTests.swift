import CanonicalJSON
import Snapshots
import TestSupport
import Testing

/// The number of moves is minimal: the kept rows minus a longest increasing subsequence.
@Suite struct MinimalMovesTests {
  @Test func `all permutations of up to six rows have the fewest possible moves`() throws {
    for count in 0...6 {
      let old = try Self.list((0..<count).map { Text("\($0)") })
      for permutation in Self.permutations(of: Array(0..<count)) {
        let new = try Self.list(permutation.map { Text("\($0)") })
        let changeset = try new.provenDifference(from: old)
        #expect(changeset.rows.moves.count == count - Self.longestIncreasing(permutation))
        #expect(changeset.operationCount == changeset.rows.moves.count)
      }
    }
  }

  @Test func `all permutations of up to five sections have the fewest possible moves`() throws {
    for count in 0...5 {
      let old = try Self.sections(Array(0..<count))
      for permutation in Self.permutations(of: Array(0..<count)) {
        let changeset = try Self.sections(permutation).difference(from: old)
        #expect(changeset.sections.moves.count == count - Self.longestIncreasing(permutation))
        #expect(changeset.operationCount == changeset.sections.moves.count)
      }
    }
  }

  @Test func `random pairs have the fewest operations that the rules allow`() throws {
    try withSeeds(1500) { random in
      let old = try random.snapshot()
      let new =
        random.chance(0.5)
        ? try random.snapshot()
        : try random.mutation(of: old, edits: random.number(in: 0...10))
      let changeset = new.difference(from: old)
      let oracle = Self.expectedCounts(from: old, to: new)
      try require(changeset.rows.deletes.count == oracle.deletes, "deletes of \(changeset)")
      try require(changeset.rows.inserts.count == oracle.inserts, "inserts of \(changeset)")
      try require(changeset.rows.moves.count == oracle.moves, "moves of \(changeset)")
      try require(changeset.rows.updates.count == oracle.updates, "updates of \(changeset)")
      let kept = new.sections.compactMap { old.index(ofSection: $0.id) }
      try require(
        changeset.sections.moves.count == kept.count - Self.longestIncreasing(kept),
        "section moves of \(changeset)")
    }
  }

  /// Returns the numbers of row operations by the rules alone, in quadratic time and without
  /// tables.
  private static func expectedCounts(
    from old: Snapshot, to new: Snapshot
  ) -> (deletes: Int, inserts: Int, moves: Int, updates: Int) {
    var counts = (deletes: 0, inserts: 0, moves: 0, updates: 0)
    let keptSections = Set(old.sections.map(\.id)).intersection(new.sections.map(\.id))
    var keptRows = 0
    for section in new.sections where keptSections.contains(section.id) {
      var stayers: [Int] = []
      for row in section.rows {
        guard let origin = old.sections.first(where: { $0.rows.contains { $0.id == row.id } }),
          let oldIndex = origin.rows.firstIndex(where: { $0.id == row.id }),
          keptSections.contains(origin.id), origin.rows[oldIndex].type == row.type
        else {
          counts.inserts += 1
          continue
        }
        keptRows += 1
        if origin.id == section.id { stayers.append(oldIndex) } else { counts.moves += 1 }
        if origin.rows[oldIndex].encoded != row.encoded { counts.updates += 1 }
      }
      counts.moves += stayers.count - longestIncreasing(stayers)
    }
    let oldRows = old.sections.filter { keptSections.contains($0.id) }.map(\.rows.count)
    counts.deletes = oldRows.reduce(0, +) - keptRows
    return counts
  }

  /// Returns the length of a longest increasing subsequence by the textbook's quadratic recurrence.
  private static func longestIncreasing(_ values: [Int]) -> Int {
    var best: [Int] = []
    for (index, value) in values.enumerated() {
      let before = values[..<index].indices.filter { values[$0] < value }.map { best[$0] }
      best.append((before.max() ?? 0) + 1)
    }
    return best.max() ?? 0
  }

  private static func permutations(of values: [Int]) -> [[Int]] {
    guard let first = values.first else { return [[]] }
    return permutations(of: Array(values.dropFirst())).flatMap { rest in
      (0...rest.count).map { Array(rest[..<$0]) + [first] + rest[$0...] }
    }
  }

  private static func list(_ ids: [Text]) throws -> Snapshot {
    try Snapshot(sections: [Section(id: "s", rows: ids.map { Row(id: $0, type: "t") })])
  }

  private static func sections(_ ids: [Int]) throws -> Snapshot {
    try Snapshot(
      sections: ids.map { Section(id: "\($0)", rows: [Row(id: "row/\($0)", type: "t")]) })
  }
}
