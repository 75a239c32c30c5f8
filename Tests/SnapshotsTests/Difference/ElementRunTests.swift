import Snapshots
import TestSupport
import Testing

/// The difference of the runs between known equal passages is that of the whole lists.
@Suite struct ElementRunTests {
  @Test func `the runs between known passages give the difference of the whole lists`() throws {
    try withSeeds(1000) { random in
      // Edited runs, and between them passages that are the same.
      let edited = random.tokenLists(maximumRows: 20)
      let lengths = edited.old.indices.map { _ in random.number(in: 0...40) }
      var old: [Token] = []
      var new: [Token] = []
      var bounds: [(old: Range<Int>, new: Range<Int>)] = []
      for (index, origin) in edited.origins.enumerated() {
        let passage = (0..<lengths[index]).map { Token(id: -1_000 * (index + 1) - $0) }
        old += passage
        new += passage
        bounds.append(
          (
            old.count..<(old.count + edited.old[origin].count),
            new.count..<(new.count + edited.new[index].count)
          ))
        old += edited.old[origin]
        new += edited.new[index]
      }
      let whole = TokenLists(old: [old], new: [new])
      try whole.checkLaws()
      let script = Self.editScript(from: old, to: new, bounds: bounds)
      try require(script == whole.editScript(), "\(script) of \(bounds)")
    }
  }

  @Test func `a known passage counts as many rows as it has`() {
    // One row passes a passage of 100,000: the row moves, and not the passage.
    let passage = (1...100_000).map { Token(id: $0) }
    let old = [Token(id: 0)] + passage + [Token(id: -1)]
    let new = [Token(id: -1)] + passage + [Token(id: 0)]
    let script = Self.editScript(
      from: old, to: new, bounds: [(0..<1, 0..<1), (100_001..<100_002, 100_001..<100_002)])
    #expect(script.operationCount == 2)
    #expect(script.moves.map(\.from.row) == [100_001, 0])
  }

  private static func editScript(
    from old: [Token], to new: [Token], bounds: [(old: Range<Int>, new: Range<Int>)]
  ) -> EditScript {
    old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        EditScript(
          runs: bounds.map {
            ElementRun(
              oldStart: ElementPosition(section: 0, row: Int32($0.old.lowerBound)),
              newStart: ElementPosition(section: 0, row: Int32($0.new.lowerBound)),
              old: UnsafeBufferPointer(rebasing: old[$0.old]),
              new: UnsafeBufferPointer(rebasing: new[$0.new]))
          })
      }
    }
  }
}
