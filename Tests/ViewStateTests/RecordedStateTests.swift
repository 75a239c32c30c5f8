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
  /// Reads a state as a program does that starts.
  private func read(_ json: JSONValue) throws -> MigratedScreen.State? {
    let bytes = try JSONValue(parsing: json.canonicalBytes())
    return try DeclaredScreen(MigratedScreen()).state(
      bytes.decode(RecordedState.self), byOther: false, for: "home", in: Stores()
    )?.state.value(as: MigratedScreen.State.self)
  }

  @Test("is canonical JSON with the version of its form")
  func form() throws {
    let json = try JSONValue(encoding: RecordedState(MigratedScreen.State()))
    #expect(json.description == #"{"state":{"items":[],"lastID":0},"version":2}"#)
  }

  @Test("keeps a number that is not finite, so that a checkpoint has it")
  func infiniteNumber() async throws {
    let journal = MemoryJournal()
    func start() throws -> (Engine, ScreenRegistry) {
      let engine = try Engine(
        environment: ScreenEnvironment(scheduler: ManualScheduler()), journal: journal)
      let registry = ScreenRegistry(engine, of: QuotientScreen())
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

  @Test("starts over if its migration gives nothing")
  func noVersion() throws {
    for version in [0, 3] {
      let record: JSONValue = ["version": .integer(version), "state": ["items": ["a"]]]
      #expect(try read(record) == nil)
    }
  }

  @Test(
    "is an error if its migration throws, or if this version cannot read its own form",
    arguments: [
      ["version": 1, "state": ["items": "a"]], ["version": 1, "state": nil],
      ["version": 2, "state": ["items": ["a"]]],
    ] as [JSONValue])
  func unreadable(record: JSONValue) throws {
    #expect(throws: JSONShapeError.self) { try read(record) }
  }
}
