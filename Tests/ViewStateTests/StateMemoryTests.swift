import CanonicalJSON
import Snapshots
import Synchronization
import TestSupport
import Testing

@testable import ViewState

/// The memory of states that commands make, which is bounded for all view models together.
@Suite("The memory of all states", .serialized)
struct StateMemoryTests {
  let scheduler = ManualScheduler()

  func world(_ byteCount: Int) -> (engine: Engine, store: Store<Counters>, registry: ScreenRegistry)
  {
    world(Engine(environment: environment(byteCount), seed: [1]))
  }

  func environment(_ byteCount: Int) -> ScreenEnvironment {
    ScreenEnvironment(
      scheduler: scheduler, settings: Settings(stateByteCount: byteCount),
      logLimits: RevisionLogLimits(count: 1))
  }

  func world(_ engine: Engine) -> (engine: Engine, store: Store<Counters>, registry: ScreenRegistry)
  {
    let store = Store("numbers", Counters(["a": 1, "b": 1]), in: engine)
    let registry = ScreenRegistry(
      engine, of: TallyScreen(), NotedScreen(store: store), EchoScreen(), SafeScreen())
    return (engine, store, registry)
  }

  @Test("refuses the command that would exceed it, which changes nothing, and lets others pass")
  func full() async throws {
    let (engine, store, registry) = world(5_500)
    func add(_ key: Text) async throws {
      try await InstanceKeepingTests.add(to: registry.instance(screen: "tally", key: key))
    }
    for key: Text in ["a", "b", "c"] { try await add(key) }
    func addOnce() async throws -> CommandOutcome {
      try await registry.send(
        SentCommand(JSONReader(["type": "add"])), to: "tally", "d", expecting: nil,
        once: OutcomesTests.key("once"))
    }
    await #expect(throws: CommandFailure.full) { try await addOnce() }
    let refused = try registry.instance(screen: "tally", key: "d")
    #expect(StoreTests.number(refused) == 0 && refused.changeCount == 0)
    // A write to a store is none of a state.
    try await store.write(["a": 2])
    // States at rest take memory too.
    scheduler.advance(by: .seconds(10_000))
    await #expect(throws: CommandFailure.full) { try await add("d") }
    try engine.configure(Settings(stateByteCount: 7_500))
    #expect(try await addOnce().isAccepted, "the refusal is not remembered")
    #expect(StoreTests.number(try registry.instance(screen: "tally", key: "d")) == 1)
  }

  @Test("is given back by view models whose key is removed, also from their rest")
  func removed() async throws {
    let (_, store, registry) = world(4_000)
    func add(_ screen: Text, _ key: Text) async throws {
      try await InstanceKeepingTests.add(to: registry.instance(screen: screen, key: key))
    }
    for _ in 1...20 {
      try await store.write(["a": 1, "b": 1])
      try await add("noted", "b")
      try await add("tally", "kept")
      await #expect(throws: CommandFailure.full) { try await add("tally", "new") }
      scheduler.advance(by: .seconds(10_000))
      try await store.write(["b": nil])
    }
  }

  @Test("grows by what commands bring, and not by commands that bring the same again")
  func growth() async throws {
    let (_, _, registry) = world(10_000)
    let instance = try registry.instance(screen: "echo", key: "a")
    func send(_ text: String) async throws {
      let body: JSONValue = ["type": "set", "text": .string(Text(text))]
      try await instance.send(body)
    }
    for number in 1...100 { try await send("\(number)" + String(repeating: "a", count: 1_000)) }
    let before = instance.current.token
    await #expect(throws: CommandFailure.full) {
      try await send(String(repeating: "b", count: 10_000))
    }
    #expect(instance.current.token == before)
    for _ in 1...2 { try await send(String(repeating: "c", count: 6_000)) }
    try await send("short")
  }

  @Test("grows by what loads, the clock and commands bring into a state, as often as it changes")
  func brought() async throws {
    let engine = Engine(environment: environment(1_000_000), seed: [1])
    engine.holdCalls()
    let registry = ScreenRegistry(engine, of: PageScreen())
    let instance = try registry.instance(screen: "page", key: "a")
    try await instance.send(type: "appear")
    var share = engine.statistics.stateByteCount
    /// Does something, and then changes the state a little; returns how much it grows.
    func growth(_ change: () throws -> Void) async throws -> Int {
      try change()
      try await instance.send(type: "count")
      defer { share = engine.statistics.stateByteCount }
      return engine.statistics.stateByteCount - share
    }
    func answer(_ text: JSONValue) { #expect(engine.answer("page", .success(text))) }
    let (first, second) = (String(repeating: "a", count: 2_000), String(repeating: "b", count: 900))
    #expect(try await (2_000..<2_400).contains(growth { answer(.string(Text(first))) }))
    for (text, least) in [(first, 0), (second, 900)] {
      let growth = try await growth {
        scheduler.advance(by: .seconds(60))
        answer(.string(Text(text)))
      }
      #expect((least..<least + 400).contains(growth), "\(growth)")
    }
    try await instance.send(type: "copy")
    #expect((700..<1_100).contains(engine.statistics.stateByteCount - share))
  }

  @Test("counts what rows hide, until it is replaced")
  func hidden() async throws {
    let (engine, _, registry) = world(60_000)
    let instance = try registry.instance(screen: "safe", key: "a")
    func share(_ body: JSONValue) async throws -> Int {
      try await instance.send(body)
      return engine.statistics.stateByteCount
    }
    func put(_ count: Int) -> JSONValue {
      ["type": "put", "text": .string(Text(String(repeating: "a", count: count)))]
    }
    let shown = try await share(put(20_000))
    #expect((20_000..<24_000).contains(shown))
    #expect(try await (20_000..<24_000).contains(share(["type": "close"])), "hidden later")
    let hidden = try await share(put(40_000))
    #expect((40_000..<44_000).contains(hidden), "hidden at once: \(hidden)")
    await #expect(throws: CommandFailure.full) { try await instance.send(put(70_000)) }
    for _ in 1...300 { try await instance.send(put(100)) }
    #expect(engine.statistics.stateByteCount < 4_000)
  }

  @Test("is measured rarely, however much is hidden")
  func rarely() async throws {
    let (_, _, registry) = world(10_000_000)
    let instance = try registry.instance(screen: "safe", key: "a")
    try await instance.send(["type": "close"])
    let text = Text(String(repeating: "a", count: 100_000))
    try await instance.send(["type": "put", "text": .string(text)])
    let before = SafeScreen.State.recordCount.load(ordering: .relaxed)
    for _ in 1...100 { try await instance.send(["type": "note"]) }
    // Debug builds record one state in eight to check it.
    #expect(SafeScreen.State.recordCount.load(ordering: .relaxed) - before < 40)
  }

  @Test("follows from the inputs alone, whether view models were read, were at rest, or failed")
  func law() async throws {
    try await withSeeds(24) { generator in
      let limit = generator.pick([6_000, 1_000_000])
      let schedulers = [ManualScheduler(), ManualScheduler()]
      let worlds = schedulers.map { scheduler in
        let engine = Engine(
          environment: ScreenEnvironment(
            scheduler: scheduler, settings: Settings(stateByteCount: limit)), seed: [1])
        let store = Store("numbers", Counters(["a": 1, "b": 1]), in: engine)
        let registry = ScreenRegistry(engine, of: MoodyScreen(store: store))
        return (engine: engine, store: store, registry: registry)
      }
      for step in 0..<100 {
        let key: Text = generator.pick(["a", "b"])
        let (kind, number) = (generator.number(in: 0...9), generator.number(in: 1...9))
        // After a long text, a short one leaves less in the state than was brought.
        let length = generator.chance(0.2) ? 9_000 : generator.number(in: 1...600)
        let prefix = generator.chance(0.3) ? "!" : ""
        var outcomes: [Bool] = []
        for (engine, store, registry) in worlds {
          func send(_ body: JSONValue) async -> Bool {
            let command = try? SentCommand(JSONReader(body))
            return (try? await registry.send(#require(command), to: "moody", key)) != nil
          }
          switch kind {
          case 0...3:
            let text = prefix + String(repeating: "a", count: length)
            outcomes.append(await send(["type": "set", "text": .string(Text(text))]))
          case 4...6: outcomes.append(await send(["type": "write", "number": .integer(number)]))
          case 7: _ = try await store.write([key: number])
          case 8: _ = try await store.write([key: nil])
          default: break
          }
          await engine.settle()
        }
        try require(outcomes.first == outcomes.last, "step \(step): another answer")
        // One has readers, and the other one view models at rest.
        if generator.chance(0.5) {
          _ = try? worlds[0].registry.instance(screen: "moody", key: key).current.snapshot
        }
        if generator.chance(0.3) { schedulers[1].advance(by: .seconds(10_000)) }
        let byteCounts = worlds.map(\.engine.statistics.stateByteCount)
        try require(byteCounts[0] == byteCounts[1], "step \(step): \(byteCounts)")
      }
    }
  }

  @Test("is the same in an engine that takes the same inputs, also after a refusal")
  func replayed() async throws {
    let journal = MemoryJournal()
    let (engine, _, registry) = world(
      try Engine(environment: environment(5_500), journal: journal))
    try engine.start()
    for key: Text in ["a", "b", "c", "d", "a", "b", "c", "d"] {
      try? await InstanceKeepingTests.add(to: registry.instance(screen: "tally", key: key))
    }
    let (other, _, others) = world(
      try Engine(environment: environment(1_000_000), journal: journal))
    _ = try other.beginReplay()
    try other.replay(until: .max) { _ in }
    for key: Text in ["a", "b", "c", "d"] {
      let seen = try [registry, others].map { try $0.instance(screen: "tally", key: key).current }
      #expect(seen[0].token == seen[1].token && seen[0].snapshot == seen[1].snapshot)
    }
  }
}

/// A screen that shows a number of a store and a text, but no number above 6 and no text that begins with `!`.
private struct MoodyScreen: Screen {
  struct State: Codable, Equatable {
    var number: Int
    var text: Text = ""
  }

  struct Mood: Error {}

  static let name: Text = "moody"
  static let keyName = "name"
  static let summary = "A number and a text."
  static let row = RowType("moody", of: State.self) {
    Field("number", \.number)
    Field("text", \.text)
  }

  let store: Store<Counters>

  var commands: [AnyCommand<State>] {
    Command<State, Text>("set", "Sets the text.", .text("text", 1...10_000)) {
      (state: inout State, text) in state.text = text
    }
    Command<State, Int>("write", "Sets the number.", .integer("number")).writing {
      _, transaction, number in
      _ = try? transaction.write([transaction.key: number], to: store)
    }
  }

  var shownStores: [ShownStore] { [.element(of: store)] }

  var rowTypes: [RowTypeDescriptor] { Self.row }

  func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> State {
    guard let number = stores[store].numbers[key] else { throw .unknownKey }
    return State(number: number)
  }

  func follow(
    _ stores: Stores, on state: inout State, for key: Text
  ) throws(ScreenLookupError) {
    state.number = try initialState(for: key, in: stores).number
  }

  func body(_ state: State) throws -> [ListSection] {
    if state.number > 6 || state.text.string.hasPrefix("!") { throw Mood() }
    return [ListSection("s") { Self.row("r", state) }]
  }
}

/// A screen that loads a text, by the clock too, and shows it so often that the rows take more than what was brought.
private struct PageScreen: Screen {
  struct State: ScreenState {
    var page = LoadState<Text>()
    var copies = 0
    var count = 0
  }

  static let name: Text = "page"
  static let summary = "A text."
  static let row = RowType(text: "text", "The text.")

  var commands: [AnyCommand<State>] {
    Command("count", "Counts.") { (state: inout State) in state.count += 1 }
    Command<State>("copy", "Brings a text of its own.").writing {
      (state: inout State, transaction: inout Transaction) in
      state.copies += 1
      transaction.brings(700)
    }
  }
  var parts: [any ScreenPart<State>] {
    [
      Loading("page", \.page, from: Source(every: .seconds(60)) { _ in "" }) { text, _ in
        if let text { for number in 0..<9 { Self.row("\(number)", text) } }
      }
    ]
  }
  var rowTypes: [RowTypeDescriptor] { Self.row }
}

/// A screen with a text that it hides once it is closed.
private struct SafeScreen: Screen {
  struct State: ScreenState {
    var text: Text = ""
    var isClosed = false
    var count = 0

    /// The number of times that a state was recorded.
    static let recordCount = Atomic<Int>(0)

    private enum CodingKeys: CodingKey { case text, isClosed, count }

    func encode(to encoder: any Encoder) throws {
      Self.recordCount.add(1, ordering: .relaxed)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(text, forKey: .text)
      try container.encode(isClosed, forKey: .isClosed)
      try container.encode(count, forKey: .count)
    }
  }

  static let name: Text = "safe"
  static let summary = "A text that can be hidden."
  static let row = RowType(text: "text", "The text.")

  var commands: [AnyCommand<State>] {
    Command<State, Text>("put", "Sets the text.", .text("text", 1...100_000)) {
      (state: inout State, text) in (state.text, state.count) = (text, state.count + 1)
    }
    Command("close", "Hides the text.") { (state: inout State) in state.isClosed = true }
    Command("note", "Counts.") { (state: inout State) in state.count += 1 }
  }
  var rowTypes: [RowTypeDescriptor] { Self.row }

  func body(_ state: State) -> [ListSection] {
    ListSection("s") { Self.row("r", state.isClosed ? "" : state.text) }
  }
}
