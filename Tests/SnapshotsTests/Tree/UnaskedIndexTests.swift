import CanonicalJSON
import TestSupport
import Testing

@testable import Snapshots

/// Histories of snapshots whose rows few readers look for by their ids, so that most indexes are made late or never.
@Suite struct UnaskedIndexTests {
  @Test func `an index that is made late has the entries of the trees`() throws {
    try withSeeds(25) { random in
      var rows: [[Row]] = Array(repeating: [], count: random.pick([1, 2, 31, 33, 70]))
      var snapshot = Snapshot.empty
      var lastID = 0
      for _ in 0..<30 {
        for _ in 0..<random.pick([1, 3, 200]) {
          let section = random.number(in: 0...rows.count - 1)
          lastID += 1
          // A section may have the id of a row.
          let row = random.row(id: "\(lastID)")
          if random.chance(0.3), !rows[section].isEmpty {
            rows[section].remove(at: random.number(in: 0...rows[section].count - 1))
          } else {
            rows[section].insert(row, at: random.number(in: 0...rows[section].count))
          }
        }
        if random.chance(0.2) { rows.shuffle(using: &random) }
        let sections = rows.enumerated().map { Section(id: "\($0)", rows: $1) }
        snapshot = try Snapshot(sections: sections, reusing: snapshot)
        try require(
          snapshot.sections.map { Array($0.rows) } == rows,
          "other rows than those that were laid out")
        if random.chance(0.05) { try SnapshotValidator.validate(snapshot) }
      }
      try SnapshotValidator.validate(snapshot)
    }
  }

  @Test func `ids that come twice are named in one order, whether the index is made or not`() throws
  {
    try withSeeds(25) { random in
      let ids = (0..<random.pick([2, 31, 33, 200, 1_100])).map { Text("\($0)") }
      func sections(_ ids: [Text]) -> [Section] {
        [ids.prefix(ids.count / 2), ids.dropFirst(ids.count / 2)].enumerated().map { number, part in
          Section(id: "\(number)", rows: part.map { Row(id: $0, type: "t") })
        }
      }
      let twice: Set<Text> = [random.pick(ids), random.pick(ids), "new"]
      var wrong = ids.filter { twice.contains($0) || random.chance(0.9) }
      for id in Array(twice) + ["new"] {
        wrong.insert(id, at: random.number(in: 0...wrong.count))
      }
      let asked = try Snapshot(sections: sections(ids))
      try require(asked.path(ofRow: "0") != nil, "no row 0")
      for snapshot in [try Snapshot(sections: sections(ids)), asked, .empty] {
        try #require(throws: SnapshotError(duplicateRowIDs: twice.sorted())) {
          try Snapshot(sections: sections(wrong), reusing: snapshot)
        }
      }
    }
  }

  @Test func `distinct numbers are told from those that come twice`() throws {
    try withSeeds(25) { random in
      let count = random.pick([0, 1, 3, 4, 5, 1_000])
      var numbers = DistinctNumbers(capacity: count)
      var model: Set<UInt64> = []
      for _ in 0..<count {
        // Neighbours, and numbers that differ in their upper bits alone.
        let number =
          UInt64(random.number(in: 1...1_000)) << UInt64(random.pick([0, 0, 32, 54]))
        try require(
          numbers.insert(number) == model.insert(number).inserted, "\(number) is taken for another")
      }
      let isZeroNew = numbers.insert(0)
      try require(!isZeroNew, "0 is taken for new")
    }
  }
}
