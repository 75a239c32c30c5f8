import TestSupport
import Testing

@testable import Snapshots

/// Blocks of rows that keep their order, against the rows one by one.
@Suite struct HeaviestSubsequenceTests {
  @Test func `the choice is the one that patience sorting makes of the rows`() throws {
    try withSeeds(2_000) { random in
      var position = 0
      let blocks = (0..<random.number(in: 0...12)).map { _ in
        let weight = random.number(in: 1...4)
        position += weight
        return OrderedBlock(position: position - weight, weight: weight)
      }.shuffled(using: &random)
      let rows = blocks.flatMap { $0.position..<$0.position + $0.weight }.map { Int32($0) }
      let expected = longestIncreasingSubsequence(of: rows)
      let chosen = zip(blocks, heaviestIncreasingSubsequence(of: blocks)).flatMap {
        block, isMember in
        Array(repeating: isMember, count: block.weight)
      }
      try require(chosen == expected, "\(blocks): \(chosen) instead of \(expected)")
    }
  }
}
