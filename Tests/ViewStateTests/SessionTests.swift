import CanonicalJSON
import Snapshots
import Synchronization
import TestSupport
import Testing

@testable import ViewState

/// A personal screen: a number of a store, and a count of one's own.
private struct DeskScreen: Screen {
  struct State: Codable, Equatable {
    var number: Int
    var count = 0
    var isMarked = false
  }

  static let name: Text = "desk"
  static let summary = "A number and a count."
  static let isPersonal = true

  let store: Store<Counters>
  /// Greater numbers are shown alike.
  var greatest = 50

  static let row = RowType("desk", of: State.self) {
    Field("number", \.number)
    Field("count", \.count)
  }

  var commands: [AnyCommand<State>] {
    Command("add", "Adds one.") { (state: inout State) in state.count += 1 }
    Command("mark", "Changes nothing that is shown.") { (state: inout State) in
      state.isMarked = true
    }
  }

  var shownStores: [ShownStore] { [.element(of: store)] }

  var rowTypes: [RowTypeDescriptor] { Self.row }

  func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> State {
    guard let number = stores[store].numbers[key] else { throw .unknownKey }
    return State(number: min(number, greatest))
  }

  func follow(
    _ stores: Stores, on state: inout State, for key: Text
  ) throws(ScreenLookupError) {
    state.number = try initialState(for: key, in: stores).number
  }

  func body(_ state: State) -> [ListSection] { ListSection("desk") { Self.row("desk", state) } }
}

@Suite("A session on a personal screen")
struct SessionTests {
  let scheduler = ManualScheduler()
  let store: Store<Counters>
  let registry: ScreenRegistry
  let engine: Engine

  static let ada: Text = "a@AAAAAAAAAAAAAAAAAAAAAA"
  static let bea: Text = "a@bbbbbbbbbbbbbbbbbbbbbb"

  let environment: ScreenEnvironment

  init() {
    var environment = ScreenEnvironment(scheduler: scheduler)
    environment.sessionLifetime = .seconds(86_400)
    self.environment = environment
    engine = Engine(environment: environment, seed: [1])
    (store, registry) = Self.world(engine)
  }

  static func world(
    _ engine: Engine, _ numbers: [Text: Int] = ["a": 1, "b": 1], greatest: Int = 50
  ) -> (Store<Counters>, ScreenRegistry) {
    let store = Store("numbers", Counters(numbers), in: engine)
    let registry = ScreenRegistry(
      engine, of: DeskScreen(store: store, greatest: greatest), CounterScreen(store: store))
    return (store, registry)
  }

  /// A world with its own limits of histories.
  func world(historyCount: Int) -> (store: Store<Counters>, registry: ScreenRegistry) {
    var environment = environment
    environment.logLimits = RevisionLogLimits(count: historyCount)
    return Self.world(Engine(environment: environment, seed: [1]))
  }

  /// An engine that has started with a journal.
  static func start(
    _ environment: ScreenEnvironment, _ journal: MemoryJournal, greatest: Int = 50
  ) throws -> (engine: Engine, store: Store<Counters>, registry: ScreenRegistry) {
    let engine = try Engine(environment: environment, journal: journal)
    let (store, registry) = world(engine, greatest: greatest)
    try engine.start()
    return (engine, store, registry)
  }

  /// Adds to the count of a session, and holds it no longer.
  static func add(_ key: Text, in registry: ScreenRegistry) async throws {
    try await InstanceKeepingTests.add(to: registry.instance(screen: "desk", key: key))
  }

  func instance(_ key: Text) throws -> Instance {
    try registry.instance(screen: "desk", key: key)
  }

  func add(_ keys: Text...) async throws {
    for key in keys { try await Self.add(key, in: registry) }
  }

  func fields(_ key: Text) throws -> [JSONValue?] {
    let fields = try instance(key).current.snapshot.sections[0].rows[0].fields
    return [fields["number"], fields["count"]]
  }

  @Test("has a state and revisions of its own, beside those of the key that all share")
  func own() async throws {
    try await add(Self.ada, Self.ada, Self.bea)
    #expect(try [Self.ada, Self.bea, "a"].map(fields) == [[1, 2], [1, 1], [1, 0]])
    let names = try [Self.ada, Self.bea, "a"].map { try instance($0) }
    #expect(Set(names.map(\.epoch)).count == 3)
    #expect(names[0].loggedName == "desk/a@…", "it is secret")
    #expect(names.map(\.name) == ["desk/\(Self.ada)", "desk/\(Self.bea)", "desk/a"])
  }

  @Test("of an element that is named like a session of another one shows nothing of that")
  func namedLikeSession() throws {
    let engine = Engine(environment: environment, seed: [1])
    let (_, registry) = Self.world(engine, ["a": 1, Self.bea: 2])
    func number(_ key: Text) throws -> JSONValue? {
      let current = try registry.instance(screen: "desk", key: key).current
      return current.snapshot.sections[0].rows[0].fields["number"]
    }
    let session: Text = "@cccccccccccccccccccccc"
    // Read before, and not changed since.
    #expect(try [Self.ada, Self.bea].map(number) == [1, 1])
    #expect(try number("\(Self.bea)\(session)") == 2)
    #expect(throws: ScreenLookupError.unknownKey) { try number("\(Self.ada)\(session)") }
  }

  @Test("takes up to three quarters of the memory of states, so that shared view models can change")
  func sharedRoom() async throws {
    var environment = environment
    environment.settings.stateByteCount = 20_000
    let engine = Engine(environment: environment, seed: [1])
    let (_, registry) = Self.world(engine)
    var count = 0
    await #expect(throws: CommandFailure.full) {
      while true {
        let key = Text("a@xxxxxxxxxxxxxxxxxxxxx\(1_000 + count)")
        try await Self.add(key, in: registry)
        count += 1
      }
    }
    #expect(count > 5 && engine.stateByteCount.load(ordering: .relaxed) <= 15_000)
    for key: Text in ["a", "b"] { try await Self.add(key, in: registry) }
  }

  @Test("shows writes to its element, at rest too, and ends with it")
  func writes() async throws {
    try await add(Self.ada, Self.bea, "b@cccccccccccccccccccccc")
    try await store.write(["a": 5])
    #expect(
      try [Self.ada, Self.bea, "b@cccccccccccccccccccccc"].map(fields) == [
        [5, 1], [5, 1], [1, 1],
      ])
    scheduler.advance(by: .seconds(3_600))
    try await store.write(["a": 6])
    #expect(try [Self.ada, "a"].map(fields) == [[6, 1], [6, 0]])
    scheduler.advance(by: .seconds(3_600))
    let epoch = try instance(Self.bea).epoch
    try await store.write(["a": nil])
    #expect(!registry.contains(epoch))
    for key in [Self.ada, Self.bea, "a"] {
      #expect(throws: ScreenLookupError.unknownKey) { try instance(key) }
    }
    #expect(try fields("b@cccccccccccccccccccccc") == [1, 1])
  }

  @Test("goes on unseen if its first state of its own looks like that which the store gives")
  func unseenStart() async throws {
    let before = try instance(Self.ada).current
    _ = try await instance(Self.ada).send(
      SentCommand(JSONReader(["type": "mark"])), expecting: [before.token])
    let after = try instance(Self.ada).current
    #expect(after.token != before.token && after.isShown(as: before))
    #expect(try instance(Self.ada).revision(before.token).isShown(as: after))
    scheduler.advance(by: .seconds(3_600))
    #expect(try instance(Self.ada).current.token == after.token)
  }

  @Test(
    "goes on with what a checkpoint has of it, also in a program that gives another state before any input"
  )
  func recorded() async throws {
    let journal = MemoryJournal()
    func seen(_ registry: ScreenRegistry) throws -> [Revision] {
      try [Self.ada, Self.bea].map { try registry.instance(screen: "desk", key: $0).current }
    }
    let (engine, store, registry) = try Self.start(environment, journal)
    try await store.write(["a": 60])
    for key in [Self.ada, Self.bea, Self.bea] { try await Self.add(key, in: registry) }
    let checkpoint = try engine.checkpoint()
    func record(_ checkpoint: Checkpoint) throws -> JSONValue {
      let part = try #require(checkpoint.parts["screen/desk"])
      return try JSONReader(part).member(Self.bea).member("state").value
    }
    #expect(try record(checkpoint) == ["changes": ["count": [2]], "version": 1])
    try journal.write(checkpoint)
    journal.trim(to: engine.position)
    let before = try seen(registry)
    let after = try seen(Self.start(environment, journal, greatest: 10).registry)
    #expect(after.map(\.token) == before.map(\.token))
    #expect(after.map(\.snapshot) == before.map(\.snapshot))
    let (next, _, others) = try Self.start(environment, journal)
    #expect(try record(next.checkpoint()) == record(checkpoint))
    #expect(try seen(others).map(\.snapshot) == before.map(\.snapshot))
  }

  @Test("prevents a start if a checkpoint has changes of it alone")
  func damagedCheckpoint() async throws {
    let (engine, _, registry) = try Self.start(environment, MemoryJournal())
    try await Self.add(Self.ada, in: registry)
    var parts = try engine.checkpoint().parts
    for initial: JSONValue? in [
      nil, ["b": ["state": [:], "version": 1]], ["a": ["changes": [:], "version": 1]],
    ] {
      parts["initial/desk"] = initial
      let journal = MemoryJournal()
      try journal.write(Checkpoint(position: engine.position, parts: parts))
      let next = try Engine(environment: environment, journal: journal)
      _ = Self.world(next)
      #expect(throws: JournalError.self) { try next.start() }
    }
  }

  @Test(
    "must be long and of letters, digits, - and _",
    arguments: [
      "a@", "a@me", "a@AAAAAAAAAAAAAAAAAAAAA", "a@AAAAAAAAAAAAAAAAAAAAA+",
      "a@AAAAAAAAAAAAAAAAAAAAAé",
    ])
  func malformed(key: String) throws {
    #expect(throws: ScreenLookupError.malformedSession) { try instance(Text(key)) }
    // A screen for each key has none for what is no id: it would stand in the log.
    for wrong in ["\n", "a\u{1B}", "b/c", "..", String(repeating: "a", count: 129)] {
      #expect(throws: ScreenLookupError.unknownKey) { try instance(Text(wrong)) }
      #expect(throws: ScreenLookupError.unknownKey) {
        try instance("\(Text(wrong))@AAAAAAAAAAAAAAAAAAAAAA")
      }
    }
    // Another screen has no sessions.
    #expect(throws: ScreenLookupError.unknownKey) {
      try registry.instance(screen: "counter", key: Text(key))
    }
  }

  @Test("comes to rest like any view model that has changed, if clients have seen nothing of it")
  func unseen() async throws {
    let command = try SentCommand(JSONReader(["type": "mark"]))
    _ = try await registry.send(command, to: "desk", "b")
    #expect(registry.keeper.kept.count == 1)
    scheduler.advance(by: .seconds(900))
    #expect(registry.keeper.kept.count == 0)
  }

  @Test("follows the writes to its element at rest, and after a start", arguments: [1, 2])
  func writesAtRest(starts: Int) async throws {
    let journal = MemoryJournal()
    var environment = environment
    environment.logLimits = RevisionLogLimits(count: 1)
    for start in 1...starts {
      let (engine, store, registry) = try Self.start(environment, journal)
      if start == 1 { try await Self.add(Self.ada, in: registry) }
      // What upkeep posts comes after it.
      for _ in 1...20 {
        scheduler.advance(by: .seconds(60))
        await engine.settle()
      }
      #expect(registry.keeper.kept.count == 0)
      if start < starts {
        try journal.write(engine.checkpoint())
        journal.trim(to: engine.position)
        continue
      }
      try await store.write(["a": 7])
      let fields = try registry.instance(screen: "desk", key: Self.ada).current.snapshot
        .sections[0].rows[0].fields
      #expect(fields["number"] == 7 && fields["count"] == 1)
    }
  }
}
