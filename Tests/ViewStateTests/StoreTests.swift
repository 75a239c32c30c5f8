import CanonicalJSON
import Snapshots
import Synchronization
import TestSupport
import Testing
import ViewState

@Suite("A store")
struct StoreTests {
  let store: Store<Counters>
  let registry: ScreenRegistry
  let a: Instance
  let b: Instance

  init() throws {
    let engine = Engine(environment: ScreenEnvironment(scheduler: ManualScheduler()))
    store = Store("numbers", Counters(["a": 1, "b": 1]), in: engine)
    registry = ScreenRegistry(engine, of: CounterScreen(store: store))
    a = try registry.instance(screen: "counter", key: "a")
    b = try registry.instance(screen: "counter", key: "b")
  }

  static func number(_ instance: Instance) -> JSONValue? {
    instance.current.snapshot.sections[0].rows[0].fields["n"]
  }

  func send(_ by: JSONValue, expecting expected: Set<RevisionToken>? = nil) async throws {
    _ = try await a.send(SentCommand(JSONReader(["type": "add", "by": by])), expecting: expected)
  }

  @Test("moves all instances that show it by one revision each, and returns once they show it")
  func write() async throws {
    let result = try await store.write(["a": 5, "b": 6])
    #expect(result == 2)
    #expect(Self.number(a) == 5 && Self.number(b) == 6)
    #expect(a.changeCount == 1 && b.changeCount == 1)
    #expect(a.current.cause == .storeWrite(source: "numbers"))
  }

  @Test("leaves an instance alone whose part did not change, and all where nothing did")
  func parts() async throws {
    try await store.write(["b": 2])
    try await store.write(["b": 2])
    #expect(a.changeCount == 0 && b.changeCount == 1)
  }

  @Test("is written at times that never go back, although the clock does")
  func clock() async throws {
    let scheduler = ManualScheduler()
    let start = Timestamp(secondsSince1970: 1_000)
    let engine = Engine(
      environment: ScreenEnvironment(
        scheduler: scheduler, now: { start.advanced(by: .zero - scheduler.now) }))
    let store = Store("numbers", Counters(["a": 1]), in: engine)
    let registry = ScreenRegistry(engine, of: CounterScreen(store: store))
    let a = try registry.instance(screen: "counter", key: "a")
    try await store.write(["a": 2])
    scheduler.advance(by: .seconds(10))
    try await store.write(["a": 3])
    #expect(Self.number(a) == 3 && a.current.date == start)
  }

  @Test("is refused by the engine after the first input, which would be published without it")
  func lateStore() async {
    await #expect(processExitsWith: .failure) {
      let engine = Engine(environment: ScreenEnvironment(scheduler: ManualScheduler()))
      let store = Store("numbers", Counters([:]), in: engine)
      try await store.write(["a": 1])
      _ = Store("others", Counters([:]), in: engine)
    }
  }

  @Test("is as it was where a write throws")
  func failure() async throws {
    await #expect(throws: Counters.tooHigh) { try await store.write(["a": 100]) }
    #expect(store.value.numbers["a"] == 1 && a.changeCount == 0)
  }

  @Test("wakes who waits only once all instances show the write")
  func waking() async throws {
    let (a, b) = (a, b)
    let seen = Mutex<[JSONValue?]>([])
    let watcher = ClosureWatcher {
      seen.withLock { $0 = [Self.number(a), Self.number(b)] }
    }
    let watch = a.watch(after: a.current.token, watcher)
    #expect(watch != nil)
    try await send(1)
    #expect(seen.withLock { $0 } == [2, 2])
  }

  @Test("takes the write of a command, which is the cause in the instance of the command only")
  func command() async throws {
    try await send(2)
    #expect(a.current.cause == .command("add"))
    #expect(b.current.cause == .storeWrite(source: "numbers"))
    #expect(Self.number(a) == 3 && Self.number(b) == 3)
  }

  @Test("is not touched by a command that is refused, or that expects another revision")
  func refusal() async throws {
    let first = a.current.token
    await #expect(throws: CommandFailure.self) { try await send(9) }
    await #expect(throws: CommandFailure.self) { try await send("1") }
    try await send(1, expecting: [first])
    await #expect(throws: CommandFailure.self) { try await send(1, expecting: [first]) }
    #expect(store.value.numbers == ["a": 2, "b": 2])
  }

  @Test("lets no command overtake the state that it was checked against")
  func race() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<40 { group.addTask { try? await send(1) } }
      try await group.waitForAll()
    }
    // The ninth of forty commands is refused, however they come.
    #expect(store.value.numbers == ["a": 9, "b": 9])
    #expect(a.changeCount == 8 && b.changeCount == 8)
  }

  @Test("ends the instance of a part that is gone, in the same step as the others")
  func removal() async throws {
    try await store.write(["a": nil, "b": 7])
    #expect(a.isEnded && Self.number(b) == 7)
    #expect(throws: ScreenLookupError.unknownKey) {
      try registry.instance(screen: "counter", key: "a")
    }
    await #expect(throws: CommandFailure.self) { try await send(1) }
  }

  @Test("takes an instance along that comes to be while a write is being prepared")
  func newcomer() async throws {
    let late = Mutex<ScreenRegistry?>(nil)
    let screen = CounterScreen(store: store) { number in
      // In the middle of the write that makes it 2.
      guard number == 2, let registry = late.withLock({ $0 }) else { return }
      let newcomer = try? registry.instance(screen: "counter", key: "b")
      #expect(newcomer.map { Self.number($0) } == 1)
    }
    let registry = ScreenRegistry(store.engine, of: screen)
    // Its reader waits, so that the write lays it out.
    let known = try registry.instance(screen: "counter", key: "a")
    let watch = try #require(known.watch(after: known.current.token, ClosureWatcher()))
    defer { watch.cancel() }
    late.withLock { [registry] in $0 = registry }
    try await store.write(["a": 2, "b": 2])
    late.withLock { $0 = nil }
    let newcomer = try registry.instance(screen: "counter", key: "b")
    #expect(Self.number(newcomer) == 2 && newcomer.changeCount == 1)
  }

  @Test("does not remember for ever which keys have had a fault script")
  func faults() async throws {
    let engine = Engine.still()
    let faults = Store("faults", ScriptedFaults(), in: engine)
    func changed() throws -> JSONValue {
      let part = try #require(try engine.checkpoint().parts["store/faults"])
      return try JSONReader(part).member("versions").member("elements").value
    }
    let none = try changed()
    for key in 1...9 {
      for script in [FaultScript(), FaultScript(then: .fail), FaultScript(then: .fail)] {
        _ = try await faults.write(.init(script, of: "posts", for: "\(key)"))
      }
      #expect(try changed() != none)
      _ = try await faults.write(.init(nil, of: "posts", for: "\(key)"))
    }
    #expect(try changed() == none)
  }
}
