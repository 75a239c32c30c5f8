import TestSupport
import Testing

@testable import Snapshots

/// Both algorithms for a longest increasing subsequence agree with each other and with the
/// textbook.
@Suite struct LongestIncreasingSubsequenceTests {
  @Test func `both algorithms give the same result, of the greatest length`() throws {
    try withSeeds(1500) { random in
      let stretches = Self.stretches(count: random.number(in: 0...40), using: &random)
      let rowCount = stretches.reduce(0) { $0 + Int($1.count) }
      let patience = PatienceSorting.chain(of: stretches, rowCount: rowCount)
      let heaviest = HeaviestChain.chain(of: stretches)
      try require(patience == heaviest, "\(stretches) give \(patience) and \(heaviest)")

      let members = zip(stretches, longestIncreasingSubsequence(of: stretches))
        .filter(\.1).map(\.0)
      try require(
        zip(members, members.dropFirst()).allSatisfy { $0.old < $1.old },
        "\(members) of \(stretches) do not increase")
      let rows = stretches.flatMap { $0.old..<$0.oldEnd }
      try require(
        members.reduce(0) { $0 + Int($1.count) } == NaiveSubsequence.length(of: rows),
        "\(members) are not the longest of \(stretches)")
    }
  }

  @Test func `the length that laws compare with is that of the quadratic recurrence`() throws {
    try withSeeds(100) { random in
      let greatest = random.number(in: 0...100)
      let values = (0..<random.number(in: 0...80)).map { _ in
        Int32(random.number(in: 0...greatest))
      }
      var lengths: [Int] = []
      for value in values {
        let before = zip(values, lengths).filter { $0.0 < value }.map(\.1)
        lengths.append(1 + (before.max() ?? 0))
      }
      let length = NaiveSubsequence.length(of: values)
      try require(length == lengths.max() ?? 0, "\(length) of \(values)")
    }
  }

  /// Returns stretches that cover distinct old rows, in any order.
  private static func stretches(count: Int, using random: inout SeededGenerator) -> [Stretch] {
    var old: Int32 = 0
    var stretches: [Stretch] = []
    for _ in 0..<count {
      old += Int32(random.number(in: 0...2))
      let length = Int32(random.number(in: 1...(random.chance(0.2) ? 40 : 2)))
      stretches.append(Stretch(old: old, new: 0, count: length))
      old += length
    }
    return stretches.shuffled(using: &random)
  }
}
