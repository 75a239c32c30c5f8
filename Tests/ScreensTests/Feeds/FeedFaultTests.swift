import CanonicalJSON
import Testing
import ViewState

@testable import Screens

@Suite("The failure of a feed")
struct FeedFaultTests {
  @Test(
    "is said in each language, without what is for the log",
    arguments: [
      (.notAllowed, "feed-not-allowed"), (.missing(status: 410), "missing"),
      (.status(500), "unavailable"), (.unreachable("secret"), "unavailable"),
      (.incomplete, "feed-incomplete"), (.timedOut, "timed-out"),
      (.tooManyRedirects(limit: 5), "feed-redirects"),
      (.tooLarge(limit: 1 << 20), "feed-too-large"),
      (.tooManyItems(limit: 10_000), "feed-too-large"), (.unsupportedType(nil), "feed-type"),
      (.unsupportedCharset("koi8-r"), "feed-charset"), (.malformed("secret"), "malformed"),
    ] as [(FeedFault, String)])
  func languages(fault: FeedFault, code: String) {
    let failure = fault.failure(of: 7)
    #expect(failure.code.string == code)
    let (english, german) = (failure.message(in: .en), failure.message(in: .de))
    #expect(english.hasPrefix("The feed of podcast 7 ") && english.hasSuffix("."))
    #expect(german.hasPrefix("Der Feed des Podcasts 7 ") && german.hasSuffix("."))
    #expect(!"\(english)\(german)".contains("secret"))
  }

  @Test("has numbers and sizes in the language")
  func numbers() {
    let items = FeedFault.tooManyItems(limit: 10_000).failure(of: 7)
    #expect(items.message(in: .en).hasSuffix("has more than 10,000 items."))
    #expect(items.message(in: .de).hasSuffix("hat mehr als 10.000 Einträge."))
    #expect(FeedFault.tooLarge(limit: 8 << 20).failure(of: 7).message(in: .de).contains("8 MiB"))
  }
}
