import TestSupport
import Testing

@testable import Snapshots

/// The join finds for each new hash the first equal old one, and hardly ever another one instead; an empty
/// list if it finds none.
@Suite struct HashJoinTests {
  @Test(arguments: [
    0, 1, 2, HashJoin.clusterSize - 1, HashJoin.clusterSize, HashJoin.clusterSize + 1,
    3 * HashJoin.clusterSize, 40_000,
  ])
  func `lists of one cluster and of many`(count: Int) throws {
    try withSeeds(4) { random in
      let old = (0..<count).map { _ in UInt64.random(in: 0...UInt64(2 * count), using: &random) }
      let new = (0..<random.number(in: 0...(2 * count))).map { _ in
        UInt64.random(in: 0...UInt64(2 * count), using: &random)
      }
      try Self.check(old, new, key: .random(in: .min ... .max, using: &random))
    }
  }

  @Test(arguments: [1, 2, 100])
  func `many elements of few hashes`(hashCount: UInt64) throws {
    try withSeeds(4) { random in
      let count = 2 * HashJoin.clusterSize + 1
      let old = (0..<count).map { _ in UInt64.random(in: 0..<hashCount, using: &random) }
      let new = (0..<count).map { _ in UInt64.random(in: 0...hashCount, using: &random) }
      try Self.check(old, new, key: .random(in: .min ... .max, using: &random))
    }
  }

  @Test func `hashes that differ in their lowest or in their highest bits only`() throws {
    try withSeeds(4) { random in
      for shift in [0, 47] as [UInt64] {
        let hashes = (0..<10_000).map { UInt64($0) << shift }
        try Self.check(
          hashes.shuffled(using: &random), hashes.shuffled(using: &random),
          key: .random(in: .min ... .max, using: &random))
      }
    }
  }

  @Test(arguments: [HashJoin.clusterSize, 1 << 24, Int(Int32.max)])
  func `the ordinal changes neither the hash nor the cluster of a word`(count: Int) {
    let join = HashJoin(oldCount: count, newCount: count, key: 7)
    #expect(join.ordinalMask >> UInt64(UInt64.bitWidth - join.clusterBits) == 0)
    let areAlike = (0..<100_000 as Range<UInt64>).allSatisfy { hash in
      let words = (join.word(hash: hash, ordinal: 0), join.word(hash: hash, ordinal: count - 1))
      return (words.0 ^ words.1) & ~join.ordinalMask == 0
    }
    #expect(areAlike)
  }

  private static func check(_ old: [UInt64], _ new: [UInt64], key: UInt64) throws {
    let join = HashJoin(oldCount: old.count, newCount: new.count, key: key)
    let candidates = join.candidates(of: old, new)
    let firsts = Dictionary(zip(old, 0...), uniquingKeysWith: min)
    if candidates.isEmpty {
      try require(new.allSatisfy { firsts[$0] == nil }, "no candidates of \(new)")
    } else {
      try require(candidates.count == new.count, "\(candidates.count) candidates of \(new.count)")
    }
    var strangers = 0
    for (hash, candidate) in zip(new, candidates) {
      let first = firsts[hash] ?? -1
      if Int(candidate) != first, candidate >= 0, old[Int(candidate)] != hash {
        strangers += 1
        continue
      }
      try require(
        Int(candidate) == first,
        "the candidate of \(hash) is \(candidate) and not \(first), key \(key)")
    }
    try require(strangers <= 4, "\(strangers) candidates have another hash, key \(key)")
  }
}
