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

  var shownParts: [StorePart] { [.element(of: store)] }

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

  private let environment: ScreenEnvironment

  init() {
    var environment = ScreenEnvironment(scheduler: scheduler)
    environment.sessionLifetime = .seconds(86_400)
    self.environment = environment
    engine = Engine(environment: environment, seed: [1])
    (store, registry) = Self.world(engine)
  }

  static func world(
    _ engine: Engine, greatest: Int = 50
  ) -> (Store<Counters>, ScreenRegistry) {
    let store = Store("numbers", Counters(["a": 1, "b": 1]), in: engine)
    var registry = ScreenRegistry(engine)
    registry.register(DeskScreen(store: store, greatest: greatest))
    registry.register(CounterScreen(store: store))
    return (store, registry)
  }

  func screen(_ key: Text) throws -> Instance {
    try registry.instance(screen: "desk", key: key)
  }

  func add(_ keys: Text...) async throws {
    for key in keys { try await ScreenKeepingTests.add(to: screen(key)) }
  }

  func fields(_ key: Text) throws -> [JSONValue?] {
    let fields = try screen(key).current.snapshot.sections[0].rows[0].fields
    return [fields["number"], fields["count"]]
  }

  @Test("has a state and revisions of its own, beside those of the key that all share")
  func own() async throws {
    try await add(Self.ada, Self.ada, Self.bea)
    #expect(try [Self.ada, Self.bea, "a"].map(fields) == [[1, 2], [1, 1], [1, 0]])
    let names = try [Self.ada, Self.bea, "a"].map { try screen($0) }
    #expect(Set(names.map(\.epoch)).count == 3)
    #expect(names[0].loggedName == "desk/a@…", "it is secret")
    #expect(names.map(\.name) == ["desk/\(Self.ada)", "desk/\(Self.bea)", "desk/a"])
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
        try await ScreenKeepingTests.add(to: registry.instance(screen: "desk", key: key))
        count += 1
      }
    }
    #expect(count > 5 && engine.stateByteCount.load(ordering: .relaxed) <= 15_000)
    for key: Text in ["a", "b"] {
      try await ScreenKeepingTests.add(to: registry.instance(screen: "desk", key: key))
    }
  }

  @Test("shows writes to its element, at rest too, and ends with it")
  func writes() async throws {
    try await add(Self.ada, Self.bea, "b@cccccccccccccccccccccc")
    _ = try await store.write(["a": 5])
    #expect(
      try [Self.ada, Self.bea, "b@cccccccccccccccccccccc"].map(fields) == [
        [5, 1], [5, 1], [1, 1],
      ])
    scheduler.advance(by: .seconds(3_600))
    _ = try await store.write(["a": 6])
    #expect(try [Self.ada, "a"].map(fields) == [[6, 1], [6, 0]])
    scheduler.advance(by: .seconds(3_600))
    let epoch = try screen(Self.bea).epoch
    _ = try await store.write(["a": nil])
    #expect(!registry.contains(epoch))
    for key in [Self.ada, Self.bea, "a"] {
      #expect(throws: ScreenLookupError.unknownKey) { try screen(key) }
    }
    #expect(try fields("b@cccccccccccccccccccccc") == [1, 1])
  }

  @Test(
    "is forgotten in the second day after it was last in use, and begins anew under another revision"
  )
  func forgotten() async throws {
    try await add(Self.ada, Self.bea)
    let before = try screen(Self.ada).current.token
    for _ in 1...60 {
      scheduler.advance(by: .seconds(3_600))
      if try fields(Self.bea) != [1, 1] { Issue.record("a session in use is forgotten") }
    }
    #expect(!registry.contains(before.epoch))
    let again = try screen(Self.ada)
    #expect(try fields(Self.ada) == [1, 0] && again.current.token != before)
    #expect(throws: ResetReason.self) { try again.revision(before) }
    #expect(scheduler.upkeepCount > 0)
    scheduler.advance(by: .seconds(300_000))
    #expect(scheduler.upkeepCount == 0, "nothing is left to forget")
    #expect(try fields(Self.bea) == [1, 0])
  }

  @Test("has no revision again that it had before it was forgotten, whatever writes have named it")
  func formerNames() async throws {
    var names: [RevisionToken] = []
    func note() throws {
      let current = try screen(Self.ada).current.token
      if names.last != current { names.append(current) }
    }
    func check(_ place: String) throws {
      let again = try screen(Self.ada)
      for name in names {
        #expect(throws: ResetReason.historyExpired, "\(name) \(place)") {
          try registry.revision(named: Text(name.description), of: again)
        }
        #expect(again.watch(after: name, ClosureWatcher()) == nil, "\(name) \(place)")
      }
    }
    for round in 1...2 {
      try await add(Self.ada)
      try note()
      // The last one changes nothing that clients see.
      for number in [2, 60, 70] {
        _ = try await store.write(["a": number + round])
        try note()
      }
      let epoch = try #require(names.last).epoch
      scheduler.advance(by: .seconds(300_000))
      #expect(!registry.contains(epoch))
      try check("after the session is forgotten")
      _ = try await store.write(["a": 80 + round])
      try check("after a write that clients do not see")
      _ = try await store.write(["a": 3])
      try check("after a write")
      let before = try screen(Self.ada).current
      try await add(Self.ada)
      try check("after a command")
      let current = try screen(Self.ada).current
      #expect(try fields(Self.ada) == [3, 1])
      #expect(try screen(Self.ada).revision(before.token).snapshot == before.snapshot)
      #expect(current.follows(before) && current.token != before.token)
      scheduler.advance(by: .seconds(300_000))
    }
  }

  @Test("goes on unseen if its first state of its own looks like that which the store gives")
  func unseenStart() async throws {
    let before = try screen(Self.ada).current
    _ = try await screen(Self.ada).send(
      SentCommand(JSONReader(["type": "mark"])), expecting: [before.token])
    let after = try screen(Self.ada).current
    #expect(after.token != before.token && after.isShown(as: before))
    #expect(try screen(Self.ada).revision(before.token).isShown(as: after))
    scheduler.advance(by: .seconds(3_600))
    #expect(try screen(Self.ada).current.token == after.token)
  }

  @Test("is looked at with few others at a time after a start, and soon enough if there are many")
  func spreadLooks() async throws {
    for (count, lifetime, batch) in [(200, 86_400, 16), (1_000, 40, 216)] {
      let journal = MemoryJournal()
      var environment = environment
      environment.sessionLifetime = .seconds(lifetime)
      func start() throws -> (Engine, ScreenRegistry) {
        let engine = try Engine(environment: environment, journal: journal)
        let (_, registry) = Self.world(engine)
        try engine.start()
        return (engine, registry)
      }
      do {
        let (engine, registry) = try start()
        for number in 1_000..<1_000 + count {
          let key = Text("a@xxxxxxxxxxxxxxxxxxxxx\(number)")
          try await ScreenKeepingTests.add(to: registry.instance(screen: "desk", key: key))
        }
        try journal.write(engine.checkpoint())
        journal.trim(to: engine.position)
      }
      let (engine, registry) = try start()
      func lookCount() throws -> Int {
        try #require(engine.moment.rests["desk"]).values.reduce(0) { $0 + ($1.unusedCount ?? 0) }
      }
      scheduler.advance(by: .seconds(lifetime) / 4)
      #expect(try lookCount() == batch)
      scheduler.advance(by: .seconds(1))
      #expect(try lookCount() == 2 * batch)
      scheduler.advance(by: .seconds(min(20, lifetime / 8)))
      #expect(try lookCount() == count)
      withExtendedLifetime(registry) {}
    }
  }

  @Test(
    "is looked at once in a while, however often it has come to rest, and is kept from its last change on"
  )
  func resting() async throws {
    for number in 1...50 {
      try await add(Self.ada)
      scheduler.advance(by: .seconds(1_800))
      #expect(registry.keeper.sessionCount == 1, "after \(number) changes")
    }
    // It was changed for 25 hours.
    scheduler.advance(by: .seconds(80_000))
    #expect(try fields(Self.ada) == [1, 50])
    scheduler.advance(by: .seconds(300_000))
    #expect(try fields(Self.ada) == [1, 0])
  }

  @Test("is kept for a day after it was read last, and not for two, whenever that was")
  func readOnce() async throws {
    for hour in 1...24 {
      try await add(Self.ada)
      scheduler.advance(by: .seconds(hour * 3_600))
      #expect(try fields(Self.ada) == [1, 1])
      let epoch = try screen(Self.ada).epoch
      scheduler.advance(by: .seconds(86_400))
      #expect(registry.contains(epoch), "after \(hour) hours")
      scheduler.advance(by: .seconds(86_400))
      #expect(!registry.contains(epoch), "after \(hour) hours")
    }
  }

  @Test("is looked after from the first input on that gives it a state of its own")
  func unowned() async throws {
    for number in 1...9 {
      // Any client can name a session.
      _ = try screen("a@\(Text(String(repeating: "x", count: 21)))\(number)").current
    }
    _ = try await store.write(["a": 2])
    #expect(registry.keeper.sessionCount == 0, "the store says all that they show")
    try await add("a@xxxxxxxxxxxxxxxxxxxxx7")
    #expect(registry.keeper.sessionCount == 1)
    scheduler.advance(by: .seconds(200_000))
    #expect(try fields("a@xxxxxxxxxxxxxxxxxxxxx7") == [2, 0])
  }

  @Test("leaves nothing to look at when its element is deleted, and is looked at when it is back")
  func deleted() async throws {
    try await add(Self.bea, "b@cccccccccccccccccccccc")
    for _ in 1...9 {
      try await add(Self.ada, Self.bea)
      #expect(registry.keeper.sessionCount == 3)
      _ = try await store.write(["a": nil])
      #expect(registry.keeper.sessionCount == 1, "any client may do so again and again")
      _ = try await store.write(["a": 1])
    }
    try await add(Self.ada)
    for _ in 1...9 {
      scheduler.advance(by: .seconds(30_000))
      _ = try fields(Self.ada)
      #expect(registry.keeper.sessionCount <= 2)
    }
    #expect(try fields(Self.ada) == [1, 1])
    scheduler.advance(by: .seconds(300_000))
    #expect(registry.keeper.sessionCount == 0 && scheduler.upkeepCount == 0)
  }

  @Test("comes to rest minutes after its history, long before it is looked at")
  func restsBeforeLook() async throws {
    var environment = environment
    environment.logLimits = RevisionLogLimits(count: 1)
    let (_, registry) = Self.world(Engine(environment: environment, seed: [1]))
    try await ScreenKeepingTests.add(to: registry.instance(screen: "desk", key: Self.ada))
    #expect(registry.keeper.kept.count == 1)
    scheduler.advance(by: .seconds(900))
    #expect(registry.keeper.kept.count == 0 && registry.keeper.sessionCount == 1)
  }

  @Test("is forgotten although there were writes to its element that it does not show")
  func unseenWrites() async throws {
    _ = try await store.write(["a": 60])
    try await add(Self.ada)
    scheduler.advance(by: .seconds(3_600))
    _ = try await store.write(["a": 70])
    scheduler.advance(by: .seconds(200_000))
    #expect(try fields(Self.ada) == [50, 0])
    scheduler.advance(by: .seconds(200_000))
    #expect(scheduler.upkeepCount == 0)
  }

  @Test("is forgotten although its server is started anew each day")
  func restarts() async throws {
    let journal = MemoryJournal()
    var epochs: Set<RevisionEpoch> = []
    for day in 0...3 {
      let scheduler = ManualScheduler()
      let start = JournalWorld.start + .seconds(day * 86_400)
      var environment = ScreenEnvironment(scheduler: scheduler, now: { start + scheduler.now })
      environment.sessionLifetime = .seconds(86_400)
      let engine = try Engine(environment: environment, journal: journal)
      let (_, registry) = Self.world(engine)
      try engine.start()
      if day == 0 {
        let session = try registry.instance(screen: "desk", key: Self.ada)
        try await ScreenKeepingTests.add(to: session)
        epochs.insert(session.epoch)
      }
      #expect(epochs.allSatisfy(registry.contains) == (day < 3), "on day \(day)")
      for _ in 1...20 {
        scheduler.advance(by: .seconds(3_600))
        try await ScreenKeepingTests.add(to: registry.instance(screen: "desk", key: "b"))
        try journal.write(engine.checkpoint())
      }
    }
  }

  @Test(
    "goes on with what a checkpoint has of it, also in a program that gives another state before any input"
  )
  func recorded() async throws {
    let journal = MemoryJournal()
    func start(greatest: Int = 50) throws -> (Engine, Store<Counters>, ScreenRegistry) {
      let engine = try Engine(environment: environment, journal: journal)
      let (store, registry) = Self.world(engine, greatest: greatest)
      try engine.start()
      return (engine, store, registry)
    }
    func seen(_ registry: ScreenRegistry) throws -> [Revision] {
      try [Self.ada, Self.bea].map { try registry.instance(screen: "desk", key: $0).current }
    }
    let (engine, store, registry) = try start()
    _ = try await store.write(["a": 60])
    for key in [Self.ada, Self.bea, Self.bea] {
      try await ScreenKeepingTests.add(to: registry.instance(screen: "desk", key: key))
    }
    let checkpoint = try engine.checkpoint()
    func record(_ checkpoint: Checkpoint) throws -> JSONValue {
      let part = try #require(checkpoint.parts["screen/desk"])
      return try JSONReader(part).member(Self.bea).member("state").value
    }
    #expect(try record(checkpoint) == ["changes": ["count": [2]], "version": 1])
    try journal.write(checkpoint)
    journal.trim(to: engine.position)
    let before = try seen(registry)
    let after = try seen(start(greatest: 10).2)
    #expect(after.map(\.token) == before.map(\.token))
    #expect(after.map(\.snapshot) == before.map(\.snapshot))
    let (next, _, others) = try start()
    #expect(try record(next.checkpoint()) == record(checkpoint))
    #expect(try seen(others).map(\.snapshot) == before.map(\.snapshot))
  }

  @Test("prevents a start if a checkpoint has changes of it alone")
  func damagedCheckpoint() async throws {
    let engine = try Engine(environment: environment, journal: MemoryJournal())
    let (_, registry) = Self.world(engine)
    try engine.start()
    try await ScreenKeepingTests.add(to: registry.instance(screen: "desk", key: Self.ada))
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

  @Test("is forgotten by an input, which other engines take over")
  func replayed() async throws {
    let journal = MemoryJournal()
    let engine = try Engine(environment: environment, journal: journal)
    let (_, registry) = Self.world(engine)
    try engine.start()
    func add(_ key: Text) async throws {
      try await ScreenKeepingTests.add(to: registry.instance(screen: "desk", key: key))
    }
    for key in [Self.ada, Self.bea] { try await add(key) }
    for _ in 1...17 {
      scheduler.advance(by: .seconds(10_000))
      // What upkeep posts comes after it.
      for _ in 1...2 { await engine.settle() }
    }
    try await add(Self.bea)
    let other = try Engine(
      environment: ScreenEnvironment(scheduler: ManualScheduler()), journal: journal)
    let (_, others) = Self.world(other)
    _ = try other.beginReplay()
    try other.replay(until: .max) { _ in }
    for key in [Self.ada, Self.bea] {
      let seen = try [registry, others].map { try $0.instance(screen: "desk", key: key).current }
      #expect(seen[0].token == seen[1].token && seen[0].snapshot == seen[1].snapshot)
    }
    let kinds = journal.entries.map { try? JSONReader($0.input).member("kind").value }
    #expect(kinds.count { $0 == "forget" } == 2)
  }

  @Test(
    "must be long and of letters, digits, - and _",
    arguments: [
      "a@", "a@me", "a@AAAAAAAAAAAAAAAAAAAAA", "a@AAAAAAAAAAAAAAAAAAAAA+",
      "a@AAAAAAAAAAAAAAAAAAAAAé",
    ])
  func malformed(key: String) throws {
    #expect(throws: ScreenLookupError.malformedSession) { try screen(Text(key)) }
    // A screen for each key has none for what is no id: it would stand in the log.
    for wrong in ["\n", "a\u{1B}", "b/c", "..", String(repeating: "a", count: 129)] {
      #expect(throws: ScreenLookupError.unknownKey) { try screen(Text(wrong)) }
      #expect(throws: ScreenLookupError.unknownKey) {
        try screen("\(Text(wrong))@AAAAAAAAAAAAAAAAAAAAAA")
      }
    }
    // Another screen has no sessions.
    #expect(throws: ScreenLookupError.unknownKey) {
      try registry.instance(screen: "counter", key: Text(key))
    }
  }
}
