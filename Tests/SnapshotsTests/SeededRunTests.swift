import TestSupport
import Testing

/// Replays of random runs that failed.
@Suite struct SeededRunTests {
  @Test func `a failure prints the seed that reproduces it`() throws {
    var drawn: UInt64?
    let failure = #expect(throws: SeededFailure.self) {
      try withSeeds(3) { random in
        drawn = random.next()
        throw LawViolation("broken")
      }
    }
    let seed = try #require(failure?.seed)
    #expect(failure?.description == "broken\nreplay with VIEWDELTA_SEED=\(seed)")
    var replay = SeededGenerator(seed: seed)
    #expect(replay.next() == drawn)
  }

  @Test func `the generator is SplitMix64`() {
    // The reference implementation's first numbers for the seed 1234567.
    var random = SeededGenerator(seed: 1_234_567)
    let numbers = (0..<3).map { _ in random.next() }
    #expect(
      numbers == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
  }
}
