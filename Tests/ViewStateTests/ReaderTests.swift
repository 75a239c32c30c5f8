import CanonicalJSON
import Dispatch
import Snapshots
import Synchronization
import TestSupport
import Testing

@testable import ViewState

/// A screen with a state of its own for any key: a number of a store, and a count.
struct OpenScreen: Screen {
  struct State: Codable, Equatable {
    var number: Int
    var count = 0
  }

  static let name: Text = "open"
  static let keyName = "name"
  static let summary = "A number and a count."

  let store: Store<Counters>
  var isWhole = false
  /// Called when a first view is made.
  var whileMaking: @Sendable () -> Void = {}
  /// Called with the number each time that rows are made of it.
  var whileAssembling: @Sendable (Int) -> Void = { _ in }

  static let row = RowType("number", of: State.self) {
    Field("n", \.number)
    Field("count", \.count)
  }

  var commands: [AnyCommand<State>] {
    Command("add", "Adds one.") { (state: inout State) in state.count += 1 }
  }

  var shownStores: [ShownStore] { [isWhole ? .whole(of: store) : .element(of: store)] }

  var rowTypes: [RowTypeDescriptor] { Self.row }

  func initialState(for key: Text, in stores: Stores) -> State {
    whileMaking()
    return State(number: stores[store].numbers[key] ?? 0)
  }

  func follow(_ stores: Stores, on state: inout State, for key: Text) {
    state.number = stores[store].numbers[key] ?? 0
  }

  func body(_ state: State) -> [ListSection] {
    let _ = whileAssembling(state.number)
    ListSection("s") { Self.row("r", state) }
  }
}

/// A number of a store.
private struct SoughtScreen: Screen {
  static let name: Text = "sought"
  static let summary = "A number."

  let store: Store<Counters>
  /// Called when there is none.
  let whenAbsent: @Sendable () -> Void

  var shownStores: [ShownStore] { [.element(of: store)] }
  var rowTypes: [RowTypeDescriptor] { TallyScreen.number }

  func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> Int {
    guard let number = stores[store].numbers[key] else {
      whenAbsent()
      throw .unknownKey
    }
    return number
  }

  func follow(
    _ stores: Stores, on number: inout Int, for key: Text
  ) throws(ScreenLookupError) {
    number = try initialState(for: key, in: stores)
  }

  func body(_ number: Int) -> [ListSection] {
    ListSection("s") { TallyScreen.number("r", number) }
  }
}

/// What those who read an instance for the first time can do to others, and others to them.
@Suite("The first readers of an instance")
struct ReaderTests {
  private let store: Store<Counters>
  private static let isReader = DispatchSpecificKey<Bool>()
  private let readers = DispatchQueue(label: "readers", attributes: .concurrent)

  init() {
    store = Self.store()
    readers.setSpecific(key: Self.isReader, value: true)
  }

  private static func store() -> Store<Counters> {
    let engine = Engine(environment: ScreenEnvironment(scheduler: ManualScheduler()), seed: [1])
    return Store("numbers", Counters([:]), in: engine)
  }

  private static func registry(_ screen: OpenScreen) -> ScreenRegistry {
    return ScreenRegistry(screen.store.engine, of: screen)
  }

  @Test("do not change the epoch of a key that is created after them")
  func epoch() async throws {
    var tokens: [[RevisionToken]] = []
    for isRead in [false, true] {
      let store = Self.store()
      let registry = Self.registry(OpenScreen(store: store))
      let early = isRead ? try registry.instance(screen: "open", key: "x") : nil
      var seen: [RevisionToken] = []
      for number in [5, 6, nil, 7] {
        try await store.write(["x": number])
        if number == 6 {
          try await InstanceKeepingTests.add(to: registry.instance(screen: "open", key: "x"))
        }
        if isRead || number != 5 {
          seen.append(try registry.instance(screen: "open", key: "x").current.token)
        }
      }
      if isRead {
        seen.removeFirst()
        #expect(early?.isEnded == true)
      }
      tokens.append(seen)
    }
    #expect(tokens[0] == tokens[1])
  }

  @Test("are not told that there is no such key while they see it in a list")
  func created() throws {
    var registry = ScreenRegistry(store.engine)
    let isSought = Atomic(false)
    registry.register(
      SoughtScreen(store: store) { [store] in
        if isSought.exchange(true, ordering: .relaxed) { return }
        store.engine.post(WriteInput(store: store, write: ["x": 7]))
      })
    registry.register(SumScreen(store: store))
    let readings = registry.reading(of: [("sought", "x"), ("sum", "all")])
    #expect(try StoreTests.number(readings[0].get().instance) == 7)
    #expect(try StoreTests.number(readings[1].get().instance) == 7)
  }

  @Test("get a first view although writes to what it shows never stop", .timeLimit(.minutes(5)))
  func writes() async throws {
    let store = store
    let makings = Mutex(0)
    let making = { @Sendable in
      if DispatchQueue.getSpecific(key: Self.isReader) == nil { return }
      let count = makings.withLock { count in
        count += 1
        return count
      }
      guard count < 10 else { return }
      let isWritten = DispatchSemaphore(value: 0)
      Task {
        try await store.write(["x": count])
        isWritten.signal()
      }
      // The first write is published, however busy the machine is; those after it wait for the reader.
      _ = isWritten.wait(timeout: .now() + (count == 1 ? .seconds(120) : .milliseconds(100)))
    }
    let registry = Self.registry(OpenScreen(store: store, isWhole: true, whileMaking: making))
    let isMade = await withCheckedContinuation { continuation in
      readers.async {
        let made = try? registry.instance(screen: "open", key: "x")
        continuation.resume(returning: made != nil)
      }
    }
    #expect(isMade && makings.withLock { $0 } == 2, "the second write waits")
  }

  @Test("cannot keep a write from being published, however many come", .timeLimit(.minutes(5)))
  func arrivals() async throws {
    let arrived = Mutex(0)
    let registry = Mutex<ScreenRegistry?>(nil)
    let readers = readers
    let assembling = { @Sendable (number: Int) in
      // A reader of another key comes each time that the input makes a view.
      guard number == 7, DispatchQueue.getSpecific(key: Self.isReader) == nil,
        let registry = registry.withLock({ $0 })
      else { return }
      let (count, isThere) = (arrived.withLock { $0 }, DispatchSemaphore(value: 0))
      guard count < 10 else { return }
      readers.async {
        _ = try? registry.instance(screen: "open", key: "reader\(count)")
        isThere.signal()
      }
      // The first one comes, however busy the machine is; one of those after it waits for the input.
      let time = DispatchTime.now() + (count == 0 ? .seconds(120) : .milliseconds(100))
      if isThere.wait(timeout: time) == .success {
        arrived.withLock { $0 += 1 }
      }
    }
    let open = Self.registry(
      OpenScreen(store: store, isWhole: true, whileAssembling: assembling))
    registry.withLock { $0 = open }
    let first = try open.instance(screen: "open", key: "x")
    // Read, so that the input makes the next view.
    #expect(first.current.snapshot.numberOfItems == 1)
    var numbers: [Text: Int?] = ["x": 7]
    for count in 0..<10 { numbers["reader\(count)"] = 7 }
    try await store.write(numbers)
    registry.withLock { $0 = nil }
    #expect((1..<10).contains(arrived.withLock { $0 }))
    #expect(StoreTests.number(first) == 7)
    for count in 0..<10 {
      // Those that came while the input was applied show it, too.
      let reader = try open.instance(screen: "open", key: "reader\(count)")
      #expect(StoreTests.number(reader) == 7)
    }
  }
}
