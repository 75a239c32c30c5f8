import CanonicalJSON
import Snapshots
import Synchronization
import TestSupport
import Testing

@testable import ViewState

/// A screen that shows for ever the number that its store has at first, and raises the number there.
private struct FirstScreen: Screen {
  static let name: Text = "first"
  static let keyName = "name"
  static let summary = "The first number."

  let store: Store<Counters>

  var commands: [AnyCommand<Int>] {
    Command<Int>("raise", "Raises the number of the store.").writing {
      [store] (number: inout Int, transaction: inout Transaction) in
      _ = try? transaction.write([transaction.key: number + 1], to: store)
    }
  }
  var shownStores: [ShownStore] { [.element(of: store)] }
  var rowTypes: [RowTypeDescriptor] { TallyScreen.number }

  func initialState(for key: Text, in stores: Stores) -> Int { stores[store].numbers[key] ?? 0 }
  func follow(_ stores: Stores, on state: inout Int, for key: Text) {}

  func body(_ state: Int) -> [ListSection] {
    ListSection("s") { TallyScreen.number("r", state) }
  }
}

/// What is kept of an instance that inputs have changed and nothing reads: its state and its name.
@Suite("An instance at rest")
struct RestTests {
  let scheduler = ManualScheduler()
  let store: Store<Counters>
  let registry: ScreenRegistry

  init() {
    (store, registry) = Self.world(scheduler)
  }

  static func world(
    _ scheduler: ManualScheduler, age: Duration = .seconds(600),
    laidOut: Noted<Int> = Noted()
  ) -> (Store<Counters>, ScreenRegistry) {
    let engine = Engine(
      environment: ScreenEnvironment(
        scheduler: scheduler, settings: Settings(loadTimeout: .seconds(100_000)),
        logLimits: RevisionLogLimits(count: 1, age: age),
        now: { Timestamp(secondsSince1970: 1_800_000_000) }),
      seed: [1])
    let store = Store("numbers", Counters(["a": 1, "b": 1]), in: engine)
    let registry = ScreenRegistry(
      engine, latencies: Latencies(["work": .seconds(3_700)]),
      of: CounterScreen(store: store), TallyScreen(), NotedScreen(store: store),
      OpenScreen(store: store, isWhole: true, whileAssembling: laidOut.add), PickScreen())
    return (store, registry)
  }

  /// Adds to an instance, and holds it no longer.
  func add(_ screen: Text, _ key: Text, by: Int? = nil) async throws -> InstanceKeepingTests.Glimpse
  {
    let instance = try registry.instance(screen: screen, key: key)
    try await InstanceKeepingTests.add(by, to: instance)
    return InstanceKeepingTests.Glimpse(instance)
  }

  @Test("is made again with its state, its name and its cause; its history is expired")
  func remade() async throws {
    let seen = try await add("tally", "a")
    _ = try await add("tally", "a")
    let before = try #require(seen.instance).current
    scheduler.advance(by: .seconds(599))
    #expect(seen.instance != nil)
    scheduler.advance(by: .seconds(180))
    #expect(seen.instance == nil && scheduler.upkeepCount == 0)
    #expect(registry.contains(before.token.epoch))

    let instance = try registry.instance(screen: "tally", key: "a")
    #expect(instance.current.token == before.token && instance.current.snapshot == before.snapshot)
    #expect(instance.current.cause == before.cause && instance.current.date == before.date)
    #expect(throws: ResetReason.historyExpired) {
      try instance.revision(RevisionToken(epoch: instance.epoch, number: 1))
    }
    try await InstanceKeepingTests.add(to: instance)
    #expect(StoreTests.number(instance) == 3 && instance.current.token.number == 3)
  }

  @Test("has the id that was shown, although an equal one was sent after it")
  func equalIDs() async throws {
    func pick(_ id: JSONValue) async throws -> CommandOutcome {
      try await registry.instance(screen: "pick", key: "a").send(["type": "pick", "id": id])
    }
    let first = try await pick(1)
    let second = try await pick("1")
    #expect(first.revision == second.revision && !second.isAccepted)
    let before = try registry.instance(screen: "pick", key: "a").current
    scheduler.advance(by: .seconds(10_000))
    let after = try registry.instance(screen: "pick", key: "a").current
    #expect(before !== after && before.token == after.token && before.snapshot == after.snapshot)
    #expect(after.snapshot.sections[0].rows[0].fields == ["picked": 1])
  }

  @Test("is what no instance becomes that is read or watched, or whose work goes on")
  func inUse() async throws {
    let read = try await add("tally", "read")
    let watched = try await add("tally", "watched")
    let working = try await add("noted", "a")
    var watch = try watched.instance.map { instance in
      try #require(instance.watch(after: instance.current.token, ClosureWatcher()))
    }
    for _ in 1...60 {
      scheduler.advance(by: .seconds(55))
      _ = try registry.instance(screen: "tally", key: "read").current
    }
    #expect(read.instance?.changeCount == 1 && watched.instance?.changeCount == 1)
    #expect(working.instance?.changeCount == 1)
    watch?.cancel()
    watch = nil
    // The work ends after an hour.
    scheduler.advance(by: .seconds(5_000))
    #expect(read.instance == nil && watched.instance == nil && working.instance == nil)
    let instance = try registry.instance(screen: "noted", key: "a")
    #expect(StoreTests.number(instance) == 1 && instance.current.token.number == 4)
  }

  @Test("keeps no history, so an instance with a history comes to rest only if memory is short")
  func history() async throws {
    let engine = Engine(
      environment: ScreenEnvironment(scheduler: scheduler, touchedByteCount: 20_000), seed: [1])
    let registry = ScreenRegistry(engine, of: TallyScreen())
    let first = try registry.instance(screen: "tally", key: "first").current
    let seen = InstanceKeepingTests.Glimpse(
      try registry.instance(screen: "tally", key: "first"))
    try await InstanceKeepingTests.add(to: registry.instance(screen: "tally", key: "first"))
    scheduler.advance(by: .seconds(100_000))
    #expect(try seen.instance?.revision(first.token) === first)
    scheduler.advance(by: .seconds(100))
    for key in 1...20 {
      try await InstanceKeepingTests.add(to: registry.instance(screen: "tally", key: "\(key)"))
      scheduler.advance(by: .seconds(100))
    }
    #expect(seen.instance == nil)
    #expect(StoreTests.number(try registry.instance(screen: "tally", key: "first")) == 1)
  }

  @Test("comes early if another view model grows")
  func growth() async throws {
    let engine = Engine(
      environment: ScreenEnvironment(scheduler: scheduler, touchedByteCount: 30_000), seed: [1])
    let registry = ScreenRegistry(engine, of: EchoScreen())
    func set(_ key: Text, to text: String) async throws -> InstanceKeepingTests.Glimpse {
      let instance = try registry.instance(screen: "echo", key: key)
      _ = try await instance.send(["type": "set", "text": .string(Text(text))])
      return InstanceKeepingTests.Glimpse(instance)
    }
    let seen = try await set("a", to: "x")
    let grows = try await set("b", to: "x")
    for _ in 1...2 { scheduler.advance(by: .seconds(100)) }
    #expect(seen.instance != nil)
    _ = try await set("b", to: String(repeating: "x", count: 40_000))
    scheduler.advance(by: .seconds(1))
    #expect(seen.instance == nil && grows.instance != nil)
  }

  @Test("comes early once nobody waits for it, if memory is short, although no input comes")
  func abandoned() async throws {
    let engine = Engine(
      environment: ScreenEnvironment(scheduler: scheduler, touchedByteCount: 20_000), seed: [1])
    let registry = ScreenRegistry(engine, of: TallyScreen())
    var (seen, watches) = ([InstanceKeepingTests.Glimpse](), [any Cancellable]())
    for key in 1...20 {
      let instance = try registry.instance(screen: "tally", key: "\(key)")
      try await InstanceKeepingTests.add(to: instance)
      watches.append(try #require(instance.watch(after: instance.current.token, ClosureWatcher())))
      seen.append(InstanceKeepingTests.Glimpse(instance))
    }
    scheduler.advance(by: .seconds(1_000))
    #expect(seen.allSatisfy { $0.instance != nil })
    for watch in watches { watch.cancel() }
    watches = []
    scheduler.advance(by: .seconds(200))
    let stays = seen.filter { $0.instance != nil }.count
    #expect((1...4).contains(stays), "\(stays) of those with a history fit")
  }

  @Test("keeps its revision after a write that does not change its state")
  func unchanged() async throws {
    let seen = try await add("open", "none")
    let before = try #require(seen.instance).current
    let woken = Mutex(0)
    var watch = seen.instance?.watch(
      after: before.token, ClosureWatcher { woken.withLock { $0 += 1 } })
    try await store.write(["b": 9])
    #expect(seen.instance?.current === before && woken.withLock { $0 } == 0)
    watch?.cancel()
    watch = nil
    scheduler.advance(by: .seconds(10_000))
    try await store.write(["b": 10])
    let again = try registry.instance(screen: "open", key: "none").current
    #expect(again !== before && again.token == before.token)
  }

  @Test("keeps what its command has not taken over from the store that the command wrote to")
  func unfollowed() async throws {
    let engine = Engine(
      environment: ScreenEnvironment(scheduler: scheduler, untouchedByteCount: 0), seed: [1])
    let store = Store("numbers", Counters(["a": 1]), in: engine)
    let registry = ScreenRegistry(engine, of: FirstScreen(store: store))
    let raise = try SentCommand(JSONReader(["type": "raise"]))
    let outcome = try await registry.send(raise, to: "first", "a")
    let instance = try registry.instance(screen: "first", key: "a")
    #expect(outcome.isAccepted && instance.current.token == outcome.revision)
    #expect(StoreTests.number(instance) == 1 && store.value.numbers == ["a": 2])
  }

  @Test("stays if a reader touches the instance before its keeper lets it go")
  func touchedMeanwhile() async throws {
    let seen = try await add("tally", "a")
    do {
      let instance = try #require(seen.instance)
      let now = Duration.seconds(10_000)
      // The first call notes that it was read.
      for _ in 1...2 { instance.rest(at: now, isEarly: true) }
      #expect(!instance.isTouched)
      // As a reader does that makes earlier revisions again.
      instance.resumeWork(.here)
      registry.keeper.dropIfResting(instance, now)
    }
    #expect(StoreTests.number(try registry.instance(screen: "tally", key: "a")) == 1)
  }

  @Test("follows a write to the store that it shows, and goes if its key is removed")
  func writes() async throws {
    let seen = try await add("noted", "b")
    scheduler.advance(by: .seconds(10_000))
    #expect(seen.instance == nil)
    try await store.write(["b": 40])
    let instance = try registry.instance(screen: "noted", key: "b")
    #expect(instance.current.snapshot.sections[0].rows[0].fields["n"] == 1)
    #expect(instance.current.snapshot.sections[0].rows[0].fields["total"] == 41)
    #expect(instance.changeCount == 1)
    let epoch = instance.epoch
    scheduler.advance(by: .seconds(10_000))
    try await store.write(["b": nil])
    #expect(instance.isEnded && !registry.contains(epoch))
    #expect(throws: ScreenLookupError.unknownKey) {
      try registry.instance(screen: "noted", key: "b")
    }
  }

  @Test("that shows a whole store is woken by a write only if its state changes, and follows all")
  func wholeStore() async throws {
    let laidOut = Noted<Int>()
    let (store, registry) = Self.world(scheduler, laidOut: laidOut)
    for key: Text in ["b", "none"] {
      try await InstanceKeepingTests.add(to: registry.instance(screen: "open", key: key))
    }
    scheduler.advance(by: .seconds(10_000))
    _ = laidOut.take()
    try await store.write(["b": 7])
    try await store.write(["c": 7])
    #expect(laidOut.take().isEmpty, "neither has a reader")
    for (key, number, token, revisions) in [("b", 7, 3, 2), ("none", 0, 2, 1)] {
      let instance = try registry.instance(screen: "open", key: Text(key))
      #expect(StoreTests.number(instance) == .integer(number))
      #expect(
        instance.current.token.number == token && instance.revisionCount == revisions, "\(key)")
    }
  }

  @Test("is nothing at all if the stores tell all that it shows")
  func remadeOfStores() async throws {
    let (moved, sent) = (try await add("counter", "a", by: 1), try await add("counter", "b", by: 1))
    try await store.write(["a": 5])
    let tokens = [moved, sent].compactMap { $0.instance?.current.token }
    // The history is kept all the same.
    scheduler.advance(by: .seconds(590))
    #expect(moved.instance?.changeCount == 3)
    scheduler.advance(by: .seconds(300))
    #expect(moved.instance == nil && sent.instance == nil)
    #expect(tokens.allSatisfy { !registry.contains($0.epoch) })
    let again = try ["a", "b"].map { try registry.instance(screen: "counter", key: $0) }
    #expect(again.map(\.current.token) == tokens)
  }

  @Test("costs nothing but tables that shrink, however many were read once")
  func many() throws {
    let seen = try (0..<5_000).map { number in
      InstanceKeepingTests.Glimpse(try registry.instance(screen: "tally", key: "\(number)"))
    }
    #expect(seen.allSatisfy { $0.instance != nil })
    scheduler.advance(by: .seconds(60))
    #expect(seen.allSatisfy { $0.instance == nil } && scheduler.upkeepCount == 0)
  }

  @Test("is told from one that never rests by nothing but its history")
  func law() async throws {
    try await withSeeds(12) { generator in
      let (scheduler, restless) = (ManualScheduler(), ManualScheduler())
      let worlds = [Self.world(scheduler), Self.world(restless, age: .seconds(1_000_000))]
      for step in 0..<120 {
        let key: Text = generator.pick(["a", "b", "c"])
        let name: Text = generator.pick(["counter", "tally", "noted", "open"])
        let by = generator.number(in: -1...1)
        let kind = generator.number(in: 0...9)
        for (store, registry) in worlds {
          switch kind {
          case 0...4:
            guard let instance = try? registry.instance(screen: name, key: key) else { continue }
            try? await InstanceKeepingTests.add(name == "counter" ? by : nil, to: instance)
          case 5...6: _ = try await store.write([key: 10 + by])
          case 7: _ = try await store.write([key: nil])
          default: break
          }
        }
        if kind > 7 {
          for scheduler in [scheduler, restless] { scheduler.advance(by: .seconds(700)) }
        }
        // Not all are read each time, so that some are at rest for longer.
        if !generator.chance(0.3) { continue }
        let seen = worlds.map { world in
          ["counter", "tally", "noted", "open"].map { name in
            (try? world.1.instance(screen: name, key: key).current)
              .map { ($0.token, $0.snapshot.digest) }
          }
        }
        for (one, other) in zip(seen[0], seen[1]) {
          try require(one?.0 == other?.0 && one?.1 == other?.1, "step \(step), key \(key)")
        }
      }
    }
  }
}
