import Snapshots
import TestSupport
import Testing

/// Long series of random operations. After each one the snapshot is compared with plain arrays.
@Suite struct RandomEditsTests {
  @Test func `snapshot, arrays, digest and index agree after each of thousands of operations`()
    throws
  {
    try withSeeds(5) { random in
      var script = RandomEdits(random: random)
      for _ in 0..<200 { try script.step() }
    }
  }

  @Test func `a list grows to hundreds of rows and shrinks to none, from any place`() throws {
    try withSeeds(3) { random in
      var script = RandomEdits(random: random)
      try script.grow(to: 400, by: 1...40)
      try script.shrink(to: 0, by: 1...30)
    }
  }

  @Test func `sections cross every size at which a node is split or merged, in both directions`()
    throws
  {
    try withSeeds(1) { random in
      var script = RandomEdits(random: random)
      for (border, crossings) in [(32, 6), (1_024, 2), (32, 6)] {
        try script.resizeSections(to: border - 2, by: 200...300)
        for _ in 0..<crossings {
          try script.resizeSections(to: border + random.number(in: -2...2), by: 1...2)
          try script.step()
        }
      }
      try script.resizeSections(to: 0, by: 1...3)
      try require(
        script.sectionHeights.contains(consecutive: [1, 2, 1, 0]), "\(script.sectionHeights)")
    }
  }

  @Test func `rows of one section cross every such size, in both directions`() throws {
    try withSeeds(1) { random in
      var script = RandomEdits(random: random)
      for (border, crossings) in [(32, 6), (1_024, 2), (32, 6)] {
        try script.grow(to: border, by: 200...300)
        for _ in 0..<crossings {
          try script.shrink(to: border - random.number(in: 1...2), by: 1...2)
          try script.grow(to: border + random.number(in: 1...2), by: 1...2)
        }
        try script.shrink(to: 28, by: 200...300)
      }
      try script.shrink(to: 0, by: 1...3)
      try require(script.rowHeights.contains(consecutive: [1, 2, 1, 0]), "\(script.rowHeights)")
    }
  }

  @Test func `the diff of each step leads there, by the rules of a batch update`() throws {
    try withSeeds(6) { random in
      var script = RandomEdits(random: random)
      try script.grow(to: 150, by: 20...60)
      for _ in 0..<40 {
        let old = script.snapshot
        try script.step()
        let changeset = script.snapshot.difference(from: old)
        try require(
          try old.applying(changeset).digest == script.snapshot.digest,
          "\(changeset) leads elsewhere")
        try BatchUpdateSimulator(before: old, after: script.snapshot, changeset: changeset).run()
        try SnapshotValidator.validate(try old.applying(changeset))
        try SnapshotValidator.validateCost(from: old, to: script.snapshot)
      }
    }
  }
}

extension [Int] {
  fileprivate func contains(consecutive part: [Int]) -> Bool {
    indices.contains { self[$0...].starts(with: part) }
  }
}
