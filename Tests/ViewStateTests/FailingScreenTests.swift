import CanonicalJSON
import Snapshots
import Synchronization
import TestSupport
import Testing

@testable import ViewState

/// A screen whose assembly throws or gives an id twice harms nothing but its own key, until an input
/// makes it right again.
@Suite("A screen that fails")
struct FailingScreenTests {
  let incidents = Noted<ScreenIncident>()
  let registry: ScreenRegistry

  init() {
    let engine = Engine(
      environment: ScreenEnvironment(scheduler: ManualScheduler(), record: incidents.add))
    registry = ScreenRegistry(engine, of: FragileScreen())
  }

  func instance(_ key: Text) throws -> Instance {
    try registry.instance(screen: "fragile", key: key)
  }

  func failure(_ key: Text) throws -> ScreenLookupError? {
    let readings = registry.reading(of: [("fragile", key)])
    if case .failure(let error) = try #require(readings.first) { return error }
    return nil
  }

  @Test(
    "by a command has no view and an incident, and the other keys have theirs",
    arguments: [
      (FragileScreen.twice, #"not unique: row ids ["r"]"#),
      (FragileScreen.broken, "Broken(number: 12)"),
    ])
  func command(number: Int, message: String) async throws {
    let (instance, other) = (try instance("1"), try instance("2"))
    let before = instance.current
    await #expect { try await instance.set(to: number) } throws: { error in
      guard case CommandFailure.unavailable(.failed) = error else { return false }
      return true
    }
    #expect(try failure("1") == .failed && failure("2") == nil)
    #expect(instance.current === before && other.failure == nil)
    #expect(incidents.all == [ScreenIncident(screen: "fragile/1", kind: .assembly(message))])
    let watch = instance.watch(after: before.token, ClosureWatcher())
    #expect(watch == nil)
  }

  @Test("by a number that JSON cannot represent is shown again after the next command")
  func unwritable() async throws {
    let instance = try instance("1")
    await #expect(throws: CommandFailure.self) {
      try await instance.set(to: FragileScreen.unwritable)
    }
    let message =
      "with a reserved field, a number that JSON cannot represent or more than 512 levels: "
      + "row ids [\"r\"]"
    #expect(incidents.all == [ScreenIncident(screen: "fragile/1", kind: .assembly(message))])
    try await instance.set(to: 2)
    #expect(instance.failure == nil)
  }

  @Test("shows the next state that can be shown, as a change of what it showed before")
  func healing() async throws {
    let instance = try instance("1")
    let before = instance.current
    _ = try? await instance.set(to: FragileScreen.broken)
    // The state that cannot be shown has another name than the one that is.
    await #expect(throws: CommandFailure.self) {
      try await instance.set(to: 2, expecting: [before.token])
    }
    #expect(instance.failure == .failed)
    let outcome = try await instance.set(to: 3)
    #expect(instance.failure == nil && instance.current.token == outcome.revision)
    #expect(outcome.revision.number == 3 && instance.current.cause == .command("set"))
    #expect(try instance.revision(before.token) === before && instance.revisionCount == 2)
  }

  @Test("shows the same again under a newer name")
  func sameAgain() async throws {
    let instance = try instance("1")
    let before = instance.current
    _ = try? await instance.set(to: FragileScreen.twice)
    try await instance.set(to: 1)
    #expect(instance.current.token.number == 2 && instance.current.isShown(as: before))
  }

  @Test("from the start has no history until a command makes it right")
  func initialState() async throws {
    let instance = try instance("12")
    #expect(try failure("12") == .failed)
    #expect(incidents.all.map(\.screen) == ["fragile/12"])
    try await instance.set(to: 1)
    #expect(try failure("12") == nil)
    #expect(InstanceKeepingTests.revisions(of: instance).map(\.token.number) == [1])
    try await instance.set(to: 2)
    #expect(instance.failure == nil && instance.changeCount == 1)
  }

  @Test("is recorded once while it goes on failing in the same way")
  func repetition() async throws {
    let instance = try instance("1")
    for number in [FragileScreen.twice, 1, FragileScreen.twice, FragileScreen.broken] {
      _ = try? await instance.set(to: number)
      _ = try? await instance.set(to: number)
    }
    #expect(incidents.all.count == 3)
  }

  @Test("wakes whoever waits for its next revision")
  func waiting() async throws {
    let instance = try instance("1")
    let woken = Mutex(0)
    let watch = instance.watch(
      after: instance.current.token, ClosureWatcher { woken.withLock { $0 += 1 } })
    _ = try? await instance.set(to: FragileScreen.broken)
    #expect(watch != nil && woken.withLock { $0 } == 1)
  }

  #if DEBUG
    @Test("because it shows a row of a type that it does not list is named with the row")
    func strayRow() async throws {
      let instance = try instance("1")
      await #expect(throws: CommandFailure.self) { try await instance.set(to: FragileScreen.stray) }
      #expect(instance.failure == .failed)
      let message =
        "the row r has the type stray: add the type to rowTypes of the screen fragile"
      #expect(incidents.all == [ScreenIncident(screen: "fragile/1", kind: .assembly(message))])
      try await instance.set(to: 1)
      #expect(instance.failure == nil)
    }

    @Test(
      "because its state or its rows change when the state is read again is found by the check of states",
      arguments: [
        (FragileScreen.forgetful, "a state of the screen fragile changes when it is read again"),
        (
          FragileScreen.unordered,
          "the screen fragile shows a state in another way when it is read again: "
            + "its rows may not be in the order of a set or a dictionary"
        ),
      ])
    func forgetfulCoding(number: Int, message: String) async throws {
      let (instance, other) = (try instance("1"), try instance("2"))
      for number in 1...7 { try await other.set(to: number) }
      _ = try? await instance.set(to: number)
      #expect(instance.failure == .failed)
      #expect(incidents.all.map(\.kind) == [.assembly(message)])
    }

    @Test("because its state cannot be encoded is found where states are checked")
    func encoding() async throws {
      let (instance, other) = (try instance("1"), try instance("2"))
      // The state is checked after one input of eight.
      for number in 1...7 { try await other.set(to: number) }
      _ = try? await instance.set(to: FragileScreen.uncodable)
      #expect(instance.failure == .failed && incidents.all.count == 1)
      try await instance.set(to: 1)
      #expect(instance.failure == nil && other.failure == nil)
    }
  #endif
}

@Suite("A screen that a write to its store breaks")
struct BrokenByWriteTests {
  @Test("keeps the write from no other instance, and shows the next one")
  func write() async throws {
    let engine = Engine.still()
    let store = Store("numbers", Counters(["a": 1, "b": 1]), in: engine)
    let registry = ScreenRegistry(engine, of: CounterScreen(store: store, isTwice: { $0 == 7 }))
    let a = try registry.instance(screen: "counter", key: "a")
    let b = try registry.instance(screen: "counter", key: "b")
    try await store.write(["a": 7, "b": 2])
    #expect(a.failure == .failed && b.failure == nil && StoreTests.number(b) == 2)
    try await store.write(["a": 8])
    #expect(a.failure == nil && StoreTests.number(a) == 8)
    #expect(a.shown(before: nil, limit: 9).count == 2)
    try await store.write(["a": nil])
    #expect(a.failure == .deletedKey)
  }
}
