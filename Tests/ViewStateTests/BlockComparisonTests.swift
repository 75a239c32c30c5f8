import CanonicalJSON
import Testing

@testable import ViewState

@Suite("A comparison of servers that share a journal")
struct BlockComparisonTests {
  /// Decides after the digests of other servers have come.
  private static func isWrong(_ own: Text, others: [Text]) -> Bool {
    var blocks = BlockComparison()
    blocks.begin(at: 1_024)
    // Some come before this server has computed its own.
    let early = others.prefix(1).map { blocks.take($0, at: 1_024) } + [blocks.add(own, at: 1_024)]
    let differs = (early + others.dropFirst().map { blocks.take($0, at: 1_024) }).contains(true)
    #expect(differs == !others.allSatisfy { $0 == own } && blocks.isDoubtful == differs)
    let isWrong = blocks.settle(1_024)
    #expect(blocks.isDoubtful == isWrong && blocks.isWrong == isWrong)
    return isWrong
  }

  @Test("finds a server wrong unless more than half of all have its digest")
  func majority() {
    #expect(!Self.isWrong("a", others: ["a", "a"]))
    #expect(!Self.isWrong("a", others: ["b", "a"]))
    #expect(Self.isWrong("b", others: ["a", "a"]))
    // Of two, both may be wrong.
    #expect(Self.isWrong("a", others: ["b"]) && Self.isWrong("b", others: ["a"]))
    #expect(Self.isWrong("a", others: ["b", "c"]))
    #expect(Self.isWrong("a", others: ["a", "b", "b"]))
  }

  @Test("compares the last blocks alone, and each once")
  func blocks() {
    var blocks = BlockComparison()
    for number in 1...6 { blocks.begin(at: number * 1_024) }
    for number in 1...6 {
      let differs = blocks.add("a", at: number * 1_024)
      #expect(!differs)
    }
    #expect(!blocks.take("b", at: 2_048) && !blocks.take("b", at: 9_999) && !blocks.isDoubtful)
    #expect(blocks.take("b", at: 3_072) && !blocks.take("b", at: 3_072))
  }

  @Test("finds a server wrong once, and never right again")
  func end() {
    var blocks = BlockComparison()
    for position in [1_024, 2_048] {
      blocks.begin(at: position)
      _ = blocks.add("a", at: position)
      _ = blocks.take("b", at: position)
    }
    _ = blocks.take("a", at: 2_048)
    let found = [blocks.settle(1_024), blocks.settle(2_048)]
    #expect(found == [true, false] && blocks.isWrong)
  }
}
