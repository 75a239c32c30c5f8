import CanonicalJSON
import TestSupport
import Testing

@testable import ViewState

/// A screen whose state got a member with version 2, which version 1 can be migrated to.
private struct MigratedScreen: Screen {
  struct State: ScreenState {
    var items: [Text] = []
    var lastID = 0

    static let version = 2

    static func migrate(_ recorded: JSONReader, from version: Int) throws -> State? {
      guard version == 1 else { return nil }
      var state = State()
      state.items = try recorded.member("items").decode([Text].self)
      state.lastID = state.items.count
      return state
    }
  }

  static let name: Text = "migrated"
  static let summary = "A list."
}

/// A screen whose state has no `init()`, and so no version but 1.
private struct PlainScreen: Screen {
  struct State: Codable, Equatable { var number: Int }

  static let name: Text = "plain"
  static let summary = "A number."

  struct NoNumber: Error {}

  func initialState(for key: Text, in stores: Stores) throws -> State {
    guard let number = Int(key.string) else { throw NoNumber() }
    return State(number: number)
  }
}

/// A screen whose state may become infinite, or be refused by its own encoding.
private struct QuotientScreen: Screen {
  struct State: Codable, Equatable {
    var quotient = 1.0
    var isSecret = false

    private enum CodingKeys: CodingKey { case quotient, isSecret }

    func encode(to encoder: any Encoder) throws {
      if isSecret {
        throw JSONShapeError(
          pointer: JSONPointer(tokens: ["isSecret"]), message: "the state is secret")
      }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(quotient, forKey: .quotient)
      try container.encode(isSecret, forKey: .isSecret)
    }
  }

  static let name: Text = "quotient"
  static let summary = "A quotient."

  var commands: [AnyCommand<State>] {
    Command("divide", "Divides by zero.") { (state: inout State) in state.quotient /= 0 }
    Command("hide", "Makes the state unwritable.") { (state: inout State) in state.isSecret = true }
  }

  func initialState(for key: Text, in stores: Stores) -> State { State() }
}

@Suite("A recorded state")
struct RecordedStateTests {
  private let old: JSONValue = ["version": 1, "state": ["items": ["a", "b"]]]

  /// Reads a state as a program does that starts.
  private func read<S: Screen>(_ json: JSONValue, on screen: S) throws -> S.State? {
    let bytes = try JSONValue(parsing: json.canonicalBytes())
    return try DeclaredScreen(screen).state(
      bytes.decode(RecordedState.self), byOther: false, for: "home", in: Stores()
    )?.state.value(as: S.State.self)
  }

  @Test("is canonical JSON with the version of its form")
  func form() throws {
    let json = try JSONValue(encoding: RecordedState(MigratedScreen.State()))
    #expect(json.description == #"{"state":{"items":[],"lastID":0},"version":2}"#)
    let plain = try JSONValue(encoding: RecordedState(PlainScreen.State(number: 7)))
    #expect(plain.description == #"{"state":{"number":7},"version":1}"#)
  }

  @Test("of this version is read as it was")
  func sameVersion() throws {
    var state = MigratedScreen.State()
    state.items = ["a"]
    state.lastID = 7
    let json = try JSONValue(encoding: RecordedState(state))
    #expect(try read(json, on: MigratedScreen()) == state)
    #expect(try read(["version": 1, "state": ["number": 7]], on: PlainScreen())?.number == 7)
  }

  @Test("keeps a number that is not finite, so that a checkpoint has it")
  func infiniteNumber() async throws {
    let journal = MemoryJournal()
    func start() throws -> (Engine, ScreenRegistry) {
      let engine = try Engine(
        environment: ScreenEnvironment(scheduler: ManualScheduler()), journal: journal)
      var registry = ScreenRegistry(engine)
      registry.register(QuotientScreen())
      try engine.start()
      return (engine, registry)
    }
    func send(_ command: Text, to registry: ScreenRegistry) async throws {
      let command = try SentCommand(JSONReader(["type": .string(command)]))
      _ = try await registry.send(command, to: "quotient", "a")
    }
    let (engine, registry) = try start()
    try await send("divide", to: registry)
    try journal.write(engine.checkpoint())
    journal.trim(to: engine.position)
    let (next, nextRegistry) = try start()
    let checkpoint = try next.checkpoint()
    let part = try #require(checkpoint.parts["screen/quotient"])
    let state = try JSONReader(part).member("a").member("state").member("state")
    #expect(try state.member("quotient").value == "inf")
    // A state that cannot be written at all is named.
    try await send("hide", to: nextRegistry)
    let error = try #require(throws: JournalError.self) { try next.checkpoint() }
    #expect(
      error.description
        == "the state of quotient/a cannot be written as JSON: the state is secret (/isSecret)")
  }

  @Test("with a missing member is migrated if its state says how")
  func migrated() throws {
    let state = try #require(try read(old, on: MigratedScreen()))
    #expect(state.items == ["a", "b"] && state.lastID == 2)
  }

  @Test("starts over if its migration gives nothing")
  func noVersion() throws {
    for version in [0, 3] {
      let record: JSONValue = ["version": .integer(version), "state": ["items": ["a"]]]
      #expect(try read(record, on: MigratedScreen()) == nil)
    }
  }

  @Test(
    "is an error if its migration throws, or if this version cannot read its own form",
    arguments: [
      ["version": 1, "state": ["items": "a"]], ["version": 1, "state": nil],
      ["version": 2, "state": ["items": ["a"]]],
    ] as [JSONValue])
  func unreadable(record: JSONValue) throws {
    #expect(throws: JSONShapeError.self) { try read(record, on: MigratedScreen()) }
  }

  @Test("is none if the screen has no migration")
  func noMigration() throws {
    #expect(try read(["version": 2, "state": ["number": 7]], on: PlainScreen()) == nil)
  }
}
