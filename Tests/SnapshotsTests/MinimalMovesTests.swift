import CanonicalJSON
import Snapshots
import TestSupport
import Testing

/// The number of moves is minimal: the kept rows minus a longest increasing subsequence.
@Suite struct MinimalMovesTests {
  @Test func `all permutations of up to five sections have the fewest possible moves`() throws {
    for count in 0...5 {
      let old = try Self.sections(Array(0..<count))
      for permutation in NaiveSubsequence.permutations(of: Array(0..<count)) {
        let changeset = try Self.sections(permutation).difference(from: old)
        let staying = NaiveSubsequence.length(of: permutation.map(Int32.init))
        #expect(changeset.sections.moves.count == count - staying)
        #expect(changeset.operationCount == changeset.sections.moves.count)
      }
    }
  }

  @Test func `random pairs have the fewest operations that the rules allow`() throws {
    try withSeeds(600) { random in
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
        changeset.sections.moves.count
          == kept.count - NaiveSubsequence.length(of: kept.map(Int32.init)),
        "section moves of \(changeset)")
    }
  }

  /// Returns the numbers of row operations by the rules alone, in quadratic time.
  private static func expectedCounts(
    from old: Snapshot, to new: Snapshot
  ) -> (deletes: Int, inserts: Int, moves: Int, updates: Int) {
    var counts = (deletes: 0, inserts: 0, moves: 0, updates: 0)
    let keptSections = Set(old.sections.map(\.id)).intersection(new.sections.map(\.id))
    var keptRows = 0
    for section in new.sections where keptSections.contains(section.id) {
      var stayers: [Int32] = []
      for row in section.rows {
        guard let origin = old.sections.first(where: { $0.rows.contains { $0.id == row.id } }),
          let oldIndex = origin.rows.firstIndex(where: { $0.id == row.id }),
          keptSections.contains(origin.id), origin.rows[oldIndex].type == row.type
        else {
          counts.inserts += 1
          continue
        }
        keptRows += 1
        if origin.id == section.id { stayers.append(Int32(oldIndex)) } else { counts.moves += 1 }
        if origin.rows[oldIndex].encoded != row.encoded { counts.updates += 1 }
      }
      counts.moves += stayers.count - NaiveSubsequence.length(of: stayers)
    }
    let oldRows = old.sections.filter { keptSections.contains($0.id) }.map(\.rows.count)
    counts.deletes = oldRows.reduce(0, +) - keptRows
    return counts
  }

  private static func sections(_ ids: [Int]) throws -> Snapshot {
    try Snapshot(
      sections: ids.map { Section(id: "\($0)", rows: [Row(id: "row/\($0)", type: "t")]) })
  }
}
