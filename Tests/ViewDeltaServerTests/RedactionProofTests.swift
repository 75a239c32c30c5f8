import ArgumentParser
import CanonicalJSON
import TestSupport
import Testing
import ViewDelta
import ViewDeltaServer
import ViewState

/// A copy is refused only if something compares it.
@Suite("A copy of a journal with other texts is refused")
struct RedactionProofTests {
  /// Shows as many stars as the first letter of a word says, and takes one word not.
  private struct StarScreen: Screen {
    struct State: Codable, Hashable, Sendable { var word: Text = "" }

    static let name: Text = "star"
    static let summary = "Stars."
    static let stars = RowType(text: "stars", "Stars.")

    var commands: [AnyCommand<State>] {
      Command("set", "Sets the word.", .text("word", 1...80)) { (state: inout State, word) in
        guard word != "prohibited" else { throw Refusal("word", "another word") }
        state.word = word
      }
    }

    var rowTypes: [RowTypeDescriptor] { Self.stars }

    func initialState(for key: Text, in stores: Stores) -> State { State() }

    func body(_ state: State) -> [ListSection] {
      ListSection("s") {
        let count = max(0, Int(state.word.utf8.first ?? 0) - 96)
        Self.stars("row", Text(String(repeating: "*", count: count)))
      }
    }
  }

  /// One word for each letter, because a letter may stay.
  private static let words = "abcdefghij".map { Text("\($0)nna") }

  /// Sends words to view models in turn, and returns why there is no copy.
  private static func refusal(
    of words: [Text], to viewModels: Int = 1, since isEarly: ((Checkpoint.Mark) -> Bool)? = nil
  ) async throws -> String {
    let journal = MemoryJournal()
    let backend = try FeatureTests.backend {
      $0.journal = journal
    } features: {
      StarScreen()
    }
    for (number, word) in words.enumerated() {
      let command: JSONValue = ["type": "set", "word": .string(word)]
      let path = "/v1/view-models/star/\(number % viewModels)/commands"
      _ = await backend.call(.post, path, body: command)
    }
    backend.application.close()
    let error = #expect(throws: JournalError.self) {
      try RedactionOptions.parse([]).copy(journal, to: MemoryJournal(), since: isEarly) {
        StarScreen()
      }
    }
    return try #require(error).description
  }

  @Test("if it shows another view model where it begins")
  func start() async throws {
    let reason = try await Self.refusal(of: Self.words, to: 10) { _ in true }
    #expect(reason.contains(/with other texts, position 10 shows another star\/\d, so/))
  }

  @Test("if it differs only after many inputs")
  func late() async throws {
    let reason = try await Self.refusal(of: Array(repeating: "-", count: 1_030) + Self.words)
    #expect(reason.contains(/with other texts, position 10\d\d changes other view models/))
  }

  @Test("if an input is no longer refused")
  func accepted() async throws {
    #expect(
      try await Self.refusal(of: ["prohibited"])
        .hasPrefix("with other texts, position 1 is no longer refused, so there is no copy"))
  }
}
