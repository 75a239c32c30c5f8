import TestSupport
import Testing
import ViewState

@Suite("A revision token")
struct RevisionTokenTests {
  @Test("is its epoch and its number, and reads back as itself")
  func roundTrip() throws {
    let engine = Engine.still()
    for number in [0, 1, 9, 10, 127, 4_096, 1_000_000, Int.max] {
      let token = RevisionToken(epoch: engine.epoch(of: "screen/\(number)"), number: number)
      #expect(RevisionToken(token.description) == token)
      #expect(RevisionToken.isWellFormed(token.description))
      #expect(token.description.utf8.count <= 28)
    }
  }

  @Test("gives every birth of a key an epoch of its own, with its own text")
  func distinct() {
    let engine = Engine.still()
    let texts = Set(
      (0..<500).flatMap { key in
        [0, 1].map { engine.epoch(of: "screen/\(key)", born: $0).description }
      })
    #expect(texts.count == 1_000)
    #expect(texts.allSatisfy { $0.utf8.count == RevisionEpoch.length })
  }

  @Test(
    "is not read from what no server writes",
    arguments: [
      "", "abc", "aaaaaaaa", "aaaaaaaa.", "aaaaaaaa.-1", "aaaaaaaa.+1", "aaaaaaaa.01",
      "aaaaaaaa.1.2", "aaaaaaa.1", "aaaaaaaaa.1", "aaaaaaa_.1", "aaaaaaaa.99999999999999999999",
      "aaaaaaaa.9223372036854775808", "aaaaaaaa.00", "aaaaaaaa.1:", "aaaaaaaa.\u{301}1",
      "äaaaaaa.1", "zzzzzzzz.1 ", "aaaaaaaa.x",
    ])
  func unreadable(text: String) {
    #expect(RevisionToken(text) == nil)
  }

  @Test(
    "is malformed where it has other characters, none, or more than 64",
    arguments: ["", "a b", "a/b", "ä", "a\n", String(repeating: "a", count: 65), "a%20"])
  func malformed(text: String) {
    #expect(!RevisionToken.isWellFormed(text))
  }

  @Test(
    "may be well-formed and still not be one of ours",
    arguments: ["a", "A.b_c-9", String(repeating: "a", count: 64)])
  func wellFormed(text: String) {
    #expect(RevisionToken.isWellFormed(text))
  }
}
