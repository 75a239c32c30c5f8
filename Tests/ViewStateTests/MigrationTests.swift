import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@testable import ViewState

/// Notes, each in a row, as the first version of a program has them.
private struct FirstNotes: Screen {
  struct State: ScreenState { var notes: [Text] = [] }

  static let name: Text = "notes"
  static let summary = "Notes."
  static let note = RowType("note", of: Text.self) { Field("text", \.self) }

  /// The length of the longest note, in characters.
  var longest = 80

  var commands: [AnyCommand<State>] {
    Command("add", "Adds a note.", .text("text", 1...longest)) { (state: inout State, text) in
      state.notes.append(text)
    }
  }
  var rowTypes: [RowTypeDescriptor] { Self.note }

  func body(_ state: State) -> [ListSection] {
    ListSection("notes") { ForEach(state.notes, as: Self.note) { $0 } }
  }
}

/// The same in the second version, in which a note has a number, and the list may have a title.
private struct SecondNotes: Screen {
  struct Note: Codable, Equatable, Sendable {
    let id: Int
    let text: Text
  }

  struct State: ScreenState {
    var notes: [Note] = []
    var title: Text?

    static let version = 2

    static func migrate(_ recorded: JSONReader, from version: Int) throws -> State? {
      guard version == 1 else { return nil }
      let texts = try recorded.member("notes").decode([Text].self)
      return State(notes: zip(1..., texts).map { Note(id: $0, text: $1) })
    }
  }

  static let name: Text = "notes"
  static let summary = "Notes."
  static let note = RowType("note", of: Note.self) { Field("text", \.text) }

  var commands: [AnyCommand<State>] {
    Command("add", "Adds a note.", .text("text", 1...80)) { (state: inout State, text) in
      state.notes.append(Note(id: state.notes.count + 1, text: text))
    }
  }
  var rowTypes: [RowTypeDescriptor] { Self.note }

  func body(_ state: State) -> [ListSection] {
    ListSection("notes") { ForEach(state.notes, as: Self.note) { "note/\($0.id)" } }
  }
}

/// The same with a new member, without which no recorded state can be read, and without another version.
private struct UnversionedNotes: Screen {
  struct State: ScreenState {
    var notes: [Text] = []
    var isLocked = false
  }

  static let name: Text = "notes"
  static let summary = "Notes."
}

/// The same in the second version, in which the title comes from a store.
private struct TitledNotes: Screen {
  struct State: ScreenState {
    var notes: [Text] = []
    var title: Int?

    static let version = 2

    static func migrate(_ recorded: JSONReader, from version: Int) throws -> State? {
      State(notes: try recorded.member("notes").decode([Text].self))
    }
  }

  static let name: Text = "notes"
  static let summary = "Notes."

  let store: Store<Counters>

  var rowTypes: [RowTypeDescriptor] { FirstNotes.note }
  var shownStores: [ShownStore] { [.whole(of: store)] }

  func follow(_ stores: Stores, on state: inout State, for key: Text) {
    state.title = stores[store].numbers["title"]
  }

  func body(_ state: State) -> [ListSection] {
    ListSection("notes") {
      if let title = state.title { FirstNotes.note("title", "\(title)") }
      ForEach(state.notes, as: FirstNotes.note) { $0 }
    }
  }
}

/// The same in a version that starts over.
private struct NewNotes: Screen {
  struct State: ScreenState {
    static let version = 2

    var notes: [Text] = []
  }

  static let name: Text = "notes"
  static let summary = "Notes."

  var rowTypes: [RowTypeDescriptor] { FirstNotes.note }

  func initialState(for key: Text, in stores: Stores) -> State { State(notes: ["\(key)'s first"]) }

  func body(_ state: State) -> [ListSection] {
    ListSection("notes") { ForEach(state.notes, as: FirstNotes.note) { $0 } }
  }
}

/// The same in a version that starts over, and has nothing to show yet.
private struct NoNotes: Screen {
  struct State: ScreenState {
    static let version = 3
  }

  static let name: Text = "notes"
  static let summary = "Notes."

  func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> State {
    throw .unknownKey
  }

  func body(_ state: State) -> [ListSection] { return [] }
}

@Suite("A state that another version of a program has recorded")
struct MigrationTests {
  /// Starts a program with a screen on a journal.
  private func start(
    _ screen: some Screen, _ program: Text, on journal: MemoryJournal
  ) throws -> (engine: Engine, registry: ScreenRegistry) {
    try start(program, on: journal) { _ in screen }
  }

  private func start<S: Screen>(
    _ program: Text, on journal: MemoryJournal,
    noting incidents: Noted<JournalIncident> = Noted(), _ screen: (Engine) -> S
  ) throws -> (engine: Engine, registry: ScreenRegistry) {
    let environment = ScreenEnvironment(
      scheduler: ManualScheduler(), recordJournal: incidents.add)
    let engine = try Engine(environment: environment, journal: journal, program: program)
    let registry = ScreenRegistry(engine, of: screen(engine))
    try engine.start()
    return (engine, registry)
  }

  private func add(_ text: Text, to registry: ScreenRegistry) async throws {
    let command = try SentCommand(JSONReader(["type": "add", "text": .string(text)]))
    _ = try await registry.send(command, to: "notes", "home")
  }

  private func rows(_ registry: ScreenRegistry) throws -> [String] {
    let snapshot = try registry.instance(screen: "notes", key: "home").current.snapshot
    let document = snapshot.encoded(kind: .snapshot, screen: "notes/home", revision: "r")
    return String(decoding: document, as: UTF8.self)
      .matches(of: /{"id":"([^"]+)","text":"([^"]+)"/).map { "\($0.output.1) \($0.output.2)" }
  }

  @Test("starts over from the initial one if it has no migration, and the log says how many do")
  func unmigrated() async throws {
    let journal = MemoryJournal()
    let first = try start(FirstNotes(), "1", on: journal)
    for number in 1...200 {
      try await add("\(number) \(String(repeating: "a", count: 70))", to: first.registry)
    }
    #expect(first.engine.statistics.stateByteCount > 14_000)
    first.engine.closeJournal()
    let incidents = Noted<JournalIncident>()
    let (engine, registry) = try start("2", on: journal, noting: incidents) { _ in NewNotes() }
    #expect(try rows(registry) == ["home's first home's first"])
    #expect(engine.statistics.stateByteCount < 4_000)
    let warning =
      "1 state of notes started over, because the screen has no migration from another version"
    #expect(incidents.all == [.warning(warning)])
  }

  @Test("takes no memory if the screen starts over and has no view model for the key")
  func keyWithout() async throws {
    let first = try start(FirstNotes(), "1", on: MemoryJournal())
    try await add("a", to: first.registry)
    #expect(first.engine.statistics.stateByteCount > 0)
    let rested = MemoryJournal()
    try rested.write(first.engine.checkpoint())
    let other = try start(NoNotes(), "2", on: rested)
    #expect(throws: ScreenLookupError.unknownKey) { try rows(other.registry) }
    #expect(other.engine.statistics.stateByteCount == 0)
  }

  @Test("stays if the program refuses what the one before it took, unless that had no orderly end")
  func rules() async throws {
    let journal = MemoryJournal()
    let first = try start(FirstNotes(), "1", on: journal)
    for text: Text in ["a", "long"] { try await add(text, to: first.registry) }
    let crashed = MemoryJournal(journal.content)
    first.engine.closeJournal()
    let strict = FirstNotes(longest: 3)
    for _ in 1...2 {
      let second = try start(strict, "2", on: journal)
      #expect(try rows(second.registry) == ["a a", "long long"])
      await #expect(throws: CommandFailure.self) { try await add("more", to: second.registry) }
    }
    let incidents = Noted<JournalIncident>()
    let late = try start("2", on: crashed, noting: incidents) { _ in strict }
    #expect(try rows(late.registry) == ["a a"])
    let warning = """
      the last server of another build has not recorded its state at its end, so this build applies its last 2 inputs \
      by its own rules, and refuses 1: those that the other build had accepted are lost; the first is at position 2, \
      command notes/home: expected a text of 1 to 3 characters (/text)
      """
    #expect(incidents.all == [.warning(warning)])
  }

  @Test("follows the stores after its migration, which does not see them")
  func stores() async throws {
    let first = try start(FirstNotes(), "1", on: MemoryJournal())
    try await add("a", to: first.registry)
    let rested = MemoryJournal()
    try rested.write(first.engine.checkpoint())
    let second = try start("2", on: rested) { engine in
      TitledNotes(store: Store("numbers", Counters(["title": 7]), in: engine))
    }
    #expect(try rows(second.registry) == ["title 7", "a a"])
  }

  @Test("is not lost if it cannot be read: the program does not start")
  func unreadable() async throws {
    let journal = MemoryJournal()
    let first = try start(FirstNotes(), "1", on: journal)
    try await add("a", to: first.registry)
    first.engine.closeJournal()
    let error = JournalError.damaged(
      """
      the state of notes/home in version 1 cannot be read: the member is missing (/isLocked): \
      this build must read or migrate what the build before has recorded
      """)
    #expect(throws: error) { try start(UnversionedNotes(), "2", on: journal) }
    #expect(try rows(start(FirstNotes(), "1", on: journal).registry) == ["a a"])
  }

  @Test("is migrated as the screen says, from a checkpoint and from its commands, and goes on")
  func versions() async throws {
    let recorded = MemoryJournal()
    let first = try start(FirstNotes(), "1", on: recorded)
    for text: Text in ["a", "b"] { try await add(text, to: first.registry) }
    #expect(try rows(first.registry) == ["a a", "b b"])
    let rested = MemoryJournal()
    try rested.write(first.engine.checkpoint())
    for journal in [recorded, rested] {
      do {
        let second = try start(SecondNotes(), "2", on: journal)
        #expect(try rows(second.registry) == ["note/1 a", "note/2 b"])
        try await add("c", to: second.registry)
      }
      let third = try start(SecondNotes(), "2", on: journal)
      #expect(try rows(third.registry) == ["note/1 a", "note/2 b", "note/3 c"])
    }
  }
}
