import Gzip
import Testing

@Suite("Equal bytes")
struct DeterminismTests {
  @Test("have a header without time, name and flags")
  func header() {
    // RFC 1952 §2.3: magic, DEFLATE, no flags, no time, no extra flags, an unknown system.
    #expect(
      Gzip.compress(Samples.document(20_000)).prefix(10)
        == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
  }

  private static let samples =
    Samples.sizes.dropLast().flatMap { [Samples.random($0), Samples.repetitive($0)] }
    + [Samples.document(300_000)]

  @Test("give equal results, whatever was compressed before", arguments: Gzip.levels)
  func doNotDependOnThePast(level: Int) {
    let first = Self.samples.map { Gzip.compress($0, level: level) }
    for index in Self.samples.indices.reversed() {
      let again = Gzip.compress(Self.samples[index], level: level)
      #expect(again == first[index])
    }
  }

  @Test("give equal results on several threads at a time")
  func doNotDependOnTheThread() async {
    let bytes = Samples.document(200_000)
    let expected = Gzip.compress(bytes)
    let results = await withTaskGroup { group in
      for _ in 0..<16 { group.addTask { Gzip.compress(bytes) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count == 16)
    #expect(results.allSatisfy { $0 == expected })
  }
}
