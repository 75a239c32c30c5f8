import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@testable import ViewState

/// A number of a store, which is 0 until a command writes it.
private struct DefaultScreen: Screen {
  static let name: Text = "default"
  static let summary = "A number."

  let store: Store<Counters>

  var commands: [AnyCommand<Int>] {
    Command<Int, Int>("set", "Sets it.", .integer("to")).writing { number, transaction, to in
      _ = try? transaction.write([transaction.key: to], to: store)
      number = to
    }
  }

  var shownStores: [ShownStore] { [.element(of: store)] }
  var rowTypes: [RowTypeDescriptor] { TallyScreen.number }

  func initialState(for key: Text, in stores: Stores) -> Int { stores[store].numbers[key] ?? 0 }

  func follow(_ stores: Stores, on number: inout Int, for key: Text) {
    number = initialState(for: key, in: stores)
  }

  func body(_ number: Int) -> [ListSection] {
    ListSection("s") { TallyScreen.number("r", number) }
  }
}

/// Which instances of screens stay in memory, and that nobody can tell by their tokens.
@Suite("The instances of screens")
struct InstanceKeepingTests {
  let scheduler = ManualScheduler()

  /// The counters of a store, and tallies.
  func registry(
    untouchedByteCount: Int = .max, historyByteCount: Int = .max
  ) -> ScreenRegistry { stored(untouchedByteCount, historyByteCount).registry }

  func stored(
    _ untouchedByteCount: Int = .max, _ historyByteCount: Int = .max,
    touchedByteCount: Int = .max, numbers: [Text: Int] = ["a": 1, "b": 1]
  ) -> (store: Store<Counters>, registry: ScreenRegistry) {
    let engine = Engine(
      environment: ScreenEnvironment(
        scheduler: scheduler,
        logLimits: RevisionLogLimits(count: 1, totalByteCount: historyByteCount),
        untouchedByteCount: untouchedByteCount, touchedByteCount: touchedByteCount))
    let store = Store("numbers", Counters(numbers), in: engine)
    let registry = ScreenRegistry(engine, of: CounterScreen(store: store), TallyScreen())
    return (store, registry)
  }

  static func add(_ by: Int? = nil, to instance: Instance) async throws {
    var body: [Text: JSONValue] = ["type": "add"]
    body["by"] = by.map(JSONValue.integer)
    try await instance.send(.object(body))
  }

  /// The kept revisions of an instance, oldest first.
  static func revisions(of instance: Instance) -> [Revision] {
    instance.kept(before: nil, limit: .max)
  }

  /// Sees an instance without keeping it.
  struct Glimpse {
    private(set) weak var instance: Instance?

    init(_ instance: Instance) { self.instance = instance }
  }

  @Test("go when nothing has touched them and nobody reads them, and come again as they were")
  func untouched() throws {
    let registry = registry()
    let seen = Glimpse(try registry.instance(screen: "counter", key: "a"))
    let before = try #require(seen.instance?.current.token)
    for _ in 1...10 {
      scheduler.advance(by: .seconds(59))
      #expect(seen.instance != nil)
      _ = try registry.instance(screen: "counter", key: "a")
    }
    scheduler.advance(by: .seconds(120))
    #expect(seen.instance == nil && !registry.contains(before.epoch))
    #expect(scheduler.upkeepCount == 0)
    let again = try registry.instance(screen: "counter", key: "a")
    #expect(again.current.token == before && registry.contains(before.epoch))
    #expect(try registry.instance(screen: "counter", key: "b").current.token != before)
  }

  @Test("come again under another token once what they show was written")
  func changed() async throws {
    let (store, registry) = stored(0)
    let token = try registry.instance(screen: "counter", key: "a").current.token
    try await store.write(["b": 2])
    #expect(try registry.instance(screen: "counter", key: "a").current.token == token)
    for number in [2, 1] {
      try await store.write(["a": number])
      let newer = try registry.instance(screen: "counter", key: "a").current.token
      #expect(newer.epoch == token.epoch && newer.number > token.number)
    }
  }

  @Test("come again under another epoch if their key was removed")
  func removed() async throws {
    let (store, registry) = stored()
    let token = try registry.instance(screen: "counter", key: "a").current.token
    try await store.write(["a": nil])
    try await store.write(["a": 1])
    #expect(try registry.instance(screen: "counter", key: "a").current.token.epoch != token.epoch)
  }

  @Test("come again with their history's epoch if their own command has created what they show")
  func created() async throws {
    var (store, registry) = stored(0)
    registry.register(DefaultScreen(store: store))
    let instance = { [registry] in try registry.instance(screen: "default", key: "x") }
    try await instance().send(["type": "set", "to": 5])
    let token = try instance().current.token
    for _ in 1...2 {
      scheduler.advance(by: .seconds(1_000))
      #expect(try instance().current.token == token)
    }
    let held = try instance()
    try await store.write(["x": 6])
    #expect(try !held.isEnded && held === instance())
    #expect(try instance().current.token.epoch == token.epoch)
  }

  @Test("come to rest again after a command to one that was at rest while somebody held it")
  func held() async throws {
    let registry = registry()
    let held = try registry.instance(screen: "tally", key: "a")
    for _ in 1...2 {
      try await Self.add(to: held)
      #expect(registry.kept.count == 1)
      scheduler.advance(by: .seconds(1_000))
      #expect(registry.kept.count == 0 && scheduler.upkeepCount == 0)
    }
  }

  @Test("stay while somebody waits for a change, and once an input has touched them")
  func kept() async throws {
    let registry = registry(untouchedByteCount: 0)
    let watched = Glimpse(try registry.instance(screen: "tally", key: "watched"))
    #expect(watched.instance == nil)
    let instance = try registry.instance(screen: "tally", key: "watched")
    let watch = instance.watch(after: instance.current.token, ClosureWatcher())
    let touched = Glimpse(try await touched(registry))
    // As long as histories reach back.
    scheduler.advance(by: .seconds(599))
    #expect(try registry.instance(screen: "tally", key: "watched") === instance)
    #expect(touched.instance != nil)
    watch?.cancel()
  }

  private func touched(_ registry: ScreenRegistry) async throws -> Instance {
    let instance = try registry.instance(screen: "tally", key: "touched")
    // Out of the registry by now, but for the one who holds it.
    scheduler.advance(by: .seconds(1_000))
    try await Self.add(to: instance)
    return instance
  }

  @Test("that nothing has touched take no more than their share of the memory")
  func untouchedMemory() throws {
    let size = try registry().instance(screen: "tally", key: "0").byteCount
    let registry = registry(untouchedByteCount: 20 * size)
    var seen: [Glimpse] = []
    for number in 0..<100 {
      scheduler.advance(by: .milliseconds(1))
      seen.append(Glimpse(try registry.instance(screen: "tally", key: "\(number)")))
      _ = try registry.instance(screen: "tally", key: "0")
    }
    #expect(seen.indices.filter { seen[$0].instance != nil } == [0] + Array(81...99))
  }

  @Test("that commands have touched take no more than their share, but for those in use")
  func touchedMemory() async throws {
    let size = try registry().instance(screen: "tally", key: "0").byteCounts.content
    let registry = stored(touchedByteCount: 20 * size).registry
    func touch(_ key: Text) async throws -> Glimpse {
      let instance = try registry.instance(screen: "tally", key: key)
      try await Self.add(to: instance)
      return Glimpse(instance)
    }
    let (watched, read) = (try await touch("watched"), try await touch("read"))
    let named = try await touch("named")
    let current = try #require(watched.instance?.current.token)
    var watch = watched.instance?.watch(after: current, ClosureWatcher())
    let name = try #require(named.instance?.current.token)
    var seen: [Glimpse] = []
    for number in 0..<200 {
      seen.append(try await touch("\(number)"))
      _ = try registry.instance(screen: "tally", key: "read").current
      _ = try named.instance?.revision(name)
      scheduler.advance(by: .milliseconds(1))
    }
    // The watcher held the instance itself.
    watch?.cancel()
    watch = nil
    #expect(watched.instance != nil && read.instance != nil && named.instance != nil)
    let stays = seen.filter { $0.instance != nil }.count
    #expect((10...22).contains(stays), "\(stays) of 20")
    // The others have lost their histories, and nothing else.
    for number in 0..<200 {
      let instance = try registry.instance(screen: "tally", key: "\(number)")
      #expect(StoreTests.number(instance) == 1)
    }
  }

  @Test("stay until another one is read, however large they are")
  func largerThanAll() async throws {
    let (store, registry) = stored(1)
    let token = try registry.instance(screen: "counter", key: "a").current.token
    try await store.write(["a": 2])
    let instance = try registry.instance(screen: "counter", key: "a")
    #expect(Self.revisions(of: instance).map(\.token).contains(token))
    let large = Glimpse(try registry.instance(screen: "tally", key: "large"))
    #expect(large.instance != nil)
    _ = try registry.instance(screen: "tally", key: "other")
    #expect(large.instance == nil)
  }

  @Test("have histories that cost no more than their share together, whoever writes")
  func histories() async throws {
    let limit = 40_000
    let registry = registry(historyByteCount: limit)
    let instances = try (0..<20).map { try registry.instance(screen: "tally", key: "\($0)") }
    try await withSeeds(3) { generator in
      var cuts = 0
      for _ in 0..<150 {
        // One instance is written more often than all others.
        let instance = generator.chance(0.5) ? instances[0] : generator.pick(instances)
        let before = instances.map(\.historyByteCount)
        let current = instance.current.token
        try await Self.add(to: instance)
        try require(instance.current.token.number > current.number, "the current revision stays")
        let after = instances.map(\.historyByteCount)
        let total = after.reduce(0, +)
        try require(total <= limit && registry.kept.byteCount == total, "\(after)")
        guard let cut = zip(before, after).filter({ $0 > $1 }).map(\.0).min() else { continue }
        cuts += 1
        try require(after.allSatisfy { $0 <= cut }, "larger ones go first: \(before) \(after)")
        try #require(throws: ResetReason.historyExpired) {
          try instances[0].revision(RevisionToken(epoch: instances[0].epoch, number: 0))
        }
      }
      try require(cuts > 2, "\(cuts) cuts")
    }
  }

  @Test("whose key is removed cost nothing any more")
  func removedHistories() async throws {
    let (store, registry) = stored(.max, 10_500)
    let instance = try registry.instance(screen: "counter", key: "b")
    for _ in 0..<50 {
      try await store.write(["a": 1])
      _ = try registry.instance(screen: "counter", key: "a")
      for number in 2...5 { _ = try await store.write(["a": number]) }
      try await store.write(["a": nil])
    }
    for number in 2...5 {
      try await store.write(["b": number])
      #expect(instance.current.snapshot.numberOfItems == 1)
    }
    #expect(Self.revisions(of: instance).count == 5)
  }
}
