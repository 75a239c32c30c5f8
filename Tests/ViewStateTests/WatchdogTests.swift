import CanonicalJSON
import Synchronization
import TestSupport
import Testing

@testable import ViewState

@Suite("An input that takes long")
struct WatchdogTests {
  let scheduler = ManualScheduler()
  let incidents = Noted<ScreenIncident>()

  var environment: ScreenEnvironment {
    ScreenEnvironment(scheduler: scheduler, record: incidents.add)
  }

  /// A registry with a screen that takes so long to lay out 5.
  func registry(taking time: Duration) -> ScreenRegistry {
    var screen = FragileScreen()
    screen.whileAssembling = { [scheduler] number in
      if number == 5 { scheduler.advance(by: time) }
    }
    return ScreenRegistry(Engine(environment: environment), of: screen)
  }

  @Test("is recorded once, while it still runs, with the screen, its key and the position")
  func late() async throws {
    let instance = try registry(taking: .seconds(3)).instance(screen: "fragile", key: "1")
    try await instance.set(to: 2)
    scheduler.advance(by: .milliseconds(900))
    try await instance.set(to: 5)
    #expect(incidents.all == [ScreenIncident(screen: "fragile/1", kind: .overdue(position: 2))])
    try await instance.set(to: 6)
    scheduler.advance(by: .seconds(5))
    #expect(incidents.all.count == 1)
  }

  @Test("does not keep the numbers of the engine from being read", .timeLimit(.minutes(5)))
  func statistics() async throws {
    let engine = Engine(environment: environment)
    let seen = Mutex<[Int]>([])
    var screen = FragileScreen()
    screen.whileAssembling = { [weak engine] number in
      // The last input that is done is the one before.
      if number == 5, let position = engine?.statistics.position {
        seen.withLock { $0.append(position) }
      }
    }
    let registry = ScreenRegistry(engine, of: screen)
    let fragile = try registry.instance(screen: "fragile", key: "1")
    try await fragile.set(to: 2)
    try await fragile.set(to: 5)
    #expect(seen.withLock { Set($0) } == [1])
    #expect(engine.statistics.position == 2 && engine.statistics.stateByteCount > 0)
  }

  @Test("but less than a second is not recorded, and no timer is left when none comes")
  func inTime() async throws {
    let registry = registry(taking: .milliseconds(499))
    let instance = try registry.instance(screen: "fragile", key: "1")
    scheduler.advance(by: .seconds(1))
    let before = scheduler.upkeepCount
    for number in 2...9 { try await instance.set(to: number) }
    #expect(scheduler.upkeepCount == before + 1)
    scheduler.advance(by: .seconds(2))
    #expect(incidents.all.isEmpty && scheduler.upkeepCount == before)
  }

  @Test("is recorded with the instance that a write has reached")
  func write() async throws {
    let engine = Engine(environment: environment)
    let store = Store("numbers", Counters(["a": 1, "b": 1]), in: engine)
    let registry = ScreenRegistry(
      engine,
      of: CounterScreen(
        store: store,
        whileAssembling: { [scheduler] in if $0 == 5 { scheduler.advance(by: .seconds(2)) } }))
    let instances = try ["a", "b"].map { try registry.instance(screen: "counter", key: $0) }
    // A view for which no client waits is not made by the write.
    let watches = try instances.map {
      try #require($0.watch(after: $0.current.token, ClosureWatcher()))
    }
    defer { for watch in watches { watch.cancel() } }
    try await store.write(["a": 2, "b": 5])
    #expect(incidents.all == [ScreenIncident(screen: "counter/b", kind: .overdue(position: 1))])
    #expect(instances.allSatisfy { $0.changeCount == 1 })
  }

  @Test("is the first view for a reader, too, which is recorded once with the screen and its key")
  func firstView() throws {
    let registry = registry(taking: .milliseconds(2500))
    _ = try registry.instance(screen: "fragile", key: "4")
    _ = try registry.instance(screen: "fragile", key: "5")
    _ = try registry.instance(screen: "fragile", key: "5")
    #expect(incidents.all == [ScreenIncident(screen: "fragile/5", kind: .overdue(position: nil))])
  }

  @Test("is recorded beside a first view that takes long at the same time")
  func both() throws {
    let engine = Engine(environment: environment)
    let store = Store("numbers", Counters([:]), in: engine)
    engine.watchdog.begin(WriteInput(store: store, write: [:]), at: 7)
    scheduler.advance(by: .milliseconds(600))
    let unknown = #expect(throws: ScreenLookupError.self) {
      try engine.watchdog.watch("fragile/1") { () throws(ScreenLookupError) in
        scheduler.advance(by: .milliseconds(600))
        engine.watchdog.end()
        scheduler.advance(by: .milliseconds(600))
        throw .unknownKey
      }
    }
    scheduler.advance(by: .seconds(5))
    #expect(unknown == .unknownKey)
    #expect(
      incidents.all == [
        ScreenIncident(screen: "numbers", kind: .overdue(position: 7)),
        ScreenIncident(screen: "fragile/1", kind: .overdue(position: nil)),
      ])
  }

  @Test("is recorded with the store if it has reached no instance")
  func store() throws {
    let store = Store("numbers", Counters([:]), in: Engine(environment: environment))
    let watchdog = Watchdog(environment, IncidentLog(environment))
    watchdog.begin(WriteInput(store: store, write: [:]), at: 7)
    scheduler.advance(by: .seconds(1))
    #expect(incidents.all == [ScreenIncident(screen: "numbers", kind: .overdue(position: 7))])
    watchdog.end()
    let key = RequestKey(target: "POST /numbers", name: "a", fingerprint: "f")
    watchdog.begin(Once(input: WriteInput(store: store, write: [:]), key: key), at: 8)
    scheduler.advance(by: .seconds(1))
    #expect(incidents.all.last == ScreenIncident(screen: "numbers", kind: .overdue(position: 8)))
  }

  @Test("is recorded once and after a second, whatever else takes long meanwhile")
  func several() throws {
    let watchdog = Watchdog(environment, IncidentLog(environment))
    var counts: [Int] = []
    func pass() {
      scheduler.advance(by: .milliseconds(400))
      counts.append(incidents.all.count)
    }
    watchdog.watch("a/1") {
      pass()
      watchdog.watch("a/2") {
        pass()
        watchdog.watch("a/3") { for _ in 1...8 { pass() } }
      }
    }
    // The timer may come a tenth late.
    #expect(counts == [0, 0, 1, 2, 3, 3, 3, 3, 3, 3])
    #expect(incidents.all.map(\.screen) == ["a/1", "a/2", "a/3"])
  }
}
