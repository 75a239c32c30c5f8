import ArgumentParser
import CanonicalJSON
import Snapshots
import TestSupport
import Testing
import ViewDelta
import ViewDeltaServer

@testable import ViewState

@Suite("A copy of a journal with other texts")
struct RedactedCopyTests {
  /// Shows a word, and as many stars as its first letter says.
  private struct WordScreen: Screen {
    let isMeasured: Bool

    static let name: Text = "word"
    static let keyName = "wordID"
    static let summary = "A word."

    struct State: Codable, Hashable, Sendable {
      var word: Text = ""
      var stars: Text = ""
    }

    static let word = RowType("word", of: State.self) {
      Field("word", \.word)
      Field("stars", \.stars)
    }

    var commands: [AnyCommand<State>] {
      Command("set", "Sets the word.", .text("word", 1...80)) {
        [isMeasured] (state: inout State, word) in
        let number = isMeasured ? Int(word.utf8.first ?? 0) - 96 : 1
        state = State(word: word, stars: Text(String(repeating: "*", count: max(0, number))))
      }
    }

    var rowTypes: [RowTypeDescriptor] { Self.word }

    func initialState(for key: Text, in stores: Stores) -> State { State() }

    func body(_ state: State) -> [ListSection] { ListSection("s") { Self.word("word", state) } }
  }

  /// Takes two words alone.
  private struct PairScreen: Screen {
    static let name: Text = "pair"
    static let summary = "A pair."

    struct State: Codable, Hashable, Sendable { var isSet = false }

    static let row = RowType(text: "row", "A row.")

    var commands: [AnyCommand<State>] {
      Command("set", "Sets both.", .text("first", 1...80), .text("second", 1...80)) {
        (state: inout State, first, second) in
        guard first == "Anna" else { throw Refusal("first", "another word") }
        guard second == "Otto" else { throw Refusal("second", "another word") }
        state.isSet = true
      }
    }

    var rowTypes: [RowTypeDescriptor] { Self.row }

    func initialState(for key: Text, in stores: Stores) -> State { State() }

    func body(_ state: State) -> [ListSection] {
      ListSection("s") { if state.isSet { Self.row("row", "Both") } }
    }
  }

  /// A journal with some words.
  private static func journal(
    _ screen: WordScreen, of key: String = "1"
  ) async throws -> MemoryJournal {
    let journal = MemoryJournal()
    let backend = try FeatureTests.backend {
      $0.journal = journal
    } features: {
      screen
    }
    for letter in "abcdefghij" {
      let command: JSONValue = ["type": "set", "word": .string(Text("\(letter)nna"))]
      let answer = await backend.call(.post, "/v1/view-models/word/\(key)/commands", body: command)
      #expect(answer.status == 200)
    }
    return journal
  }

  @Test("is there if it shows as much as the journal")
  func same() async throws {
    let screen = WordScreen(isMeasured: false)
    let copy = MemoryJournal()
    try await RedactionOptions.parse([]).copy(Self.journal(screen), to: copy) { screen }
    #expect(copy.content.entries.count == 10)
  }

  @Test("names a view model whose key begins with an accent, and keeps no session of it")
  func accent() async throws {
    let screen = WordScreen(isMeasured: false)
    let journal = try await Self.journal(screen, of: "%CC%81a")
    let replay = try Replay(journal) { screen }
    try replay.run { _ in }
    #expect(replay.revision(of: "word/\u{301}a")?.instanceName == "word/\u{301}a")
    let redaction = try Redaction(of: journal, names: DeclaredNames())
    let session: Text = "hT7c-0VqRk2mZ5xEo9sYwA"
    let name = redaction.name("word/\u{301}a@\(session)")
    #expect(name.hasPrefix("word/\u{301}a@") && !name.string.contains(session.string), "\(name)")
    // Clients may send it to a screen without sessions, or a part of it.
    for other: Text in ["other/1@\(session)", "word/1@hT7c-0VqRk2mZ5xEo9sY"] {
      #expect(!redaction.name(other).string.contains("hT7c"), "\(other)")
    }
    let names = DeclaredNames()
    names.insert("ida@example.org")
    #expect(
      try Redaction(of: journal, names: names).name("word/ida@example.org")
        == "word/ida@example.org")
    // They may also send it as an id, such as to `/v1/forms/1@…`.
    let key: Text = "1@\(session)"
    names.insert(key)
    let other = try Redaction(of: journal, names: names)
    #expect(other.redacted(key).hasPrefix("1@") && other.redacted(key) != key)
    #expect(other.name("word/\(key)") == "word/\(other.redacted(key))")
    // Swift takes the sign and what follows it for one character.
    let signed: Text = "word/a\u{600}@\(session)"
    #expect(redaction.name(signed).byteCount == signed.byteCount)
  }

  @Test("replaces the parts of an id by themselves, also one that begins with an accent")
  func parts() async throws {
    let journal = try await Self.journal(WordScreen(isMeasured: false))
    let redaction = try Redaction(of: journal, names: DeclaredNames())
    let ids: [Text] = ["company", "\u{301}zz", "company/\u{301}zz"]
    let redacted: [Text] = ids.map { redaction.redacted($0) }
    #expect(redacted[2] == "\(redacted[0])/\(redacted[1])")
  }

  @Test("keeps the members of a data file that rows have under other names")
  func reservedNames() async throws {
    let screen = WordScreen(isMeasured: false)
    let (journal, copy) = (MemoryJournal(), MemoryJournal())
    let backend = try FeatureTests.backend {
      $0.journal = journal
      $0.data = ["notes": [["id": 1, "_id": 2, "__type": 3]]]
    } features: {
      screen
    }
    let answer = await backend.call(.patch, "/v1/collections/notes/1", body: ["text": "Bread"])
    #expect(answer.status == 200)
    try RedactionOptions.parse([]).copy(journal, to: copy) { screen }
    #expect(copy.content.entries.count == 1)
  }

  @Test("is refused if it shows more or less, in as many rows")
  func other() async throws {
    let screen = WordScreen(isMeasured: true)
    let journal = try await Self.journal(screen)
    do {
      try RedactionOptions.parse([]).copy(journal, to: MemoryJournal()) { screen }
      Issue.record("there is a copy")
    } catch let error as JournalError {
      #expect(error.description.contains("changes other view models, or other rows"))
      #expect(error.description.hasSuffix("--keep word keeps the field that is the cause"))
    }
  }

  @Test("is refused with all fields that are the cause, if it takes several")
  func twoFields() async throws {
    let (screen, journal) = (PairScreen(), MemoryJournal())
    let backend = try FeatureTests.backend {
      $0.journal = journal
    } features: {
      screen
    }
    let command: JSONValue = ["type": "set", "first": "Anna", "second": "Otto"]
    let answer = await backend.call(.post, "/v1/view-models/pair/1/commands", body: command)
    #expect(answer.status == 200)
    do {
      try RedactionOptions.parse([]).copy(journal, to: MemoryJournal()) { screen }
      Issue.record("there is a copy")
    } catch let error as JournalError {
      #expect(
        error.description.hasSuffix(
          "--keep first --keep second keep the fields that are the cause"), "\(error)")
    }
    let keeping = try RedactionOptions.parse(["--redact", "--keep", "first", "--keep", "second"])
    try keeping.copy(journal, to: MemoryJournal()) { screen }
  }
}
