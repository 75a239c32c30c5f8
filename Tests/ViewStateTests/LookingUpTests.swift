import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@testable import ViewState

/// A screen that looks up the places at a distance, and counts the look-ups in a store.
private struct Atlas: Screen {
  struct State: ScreenState { var places = Lookups<Double, Int>() }

  static let name: Text = "atlas"
  static let summary = "Places at a distance."

  let store: Store<Counters>

  /// Looks up the distance 1 / `part`, which is no number for 0.
  static let search = Command(
    "search", "Looks places up.", .text("input"), .integer("part")
  ) { (state: inout State, input, part) in
    state.places.ask(part == 0 ? .nan : 1 / Double(part), for: input)
  }
  static let retry = Command("retry", "Looks up again.", .text("input")) {
    (state: inout State, input) in
    state.places.retry(input)
  }

  var commands: [AnyCommand<State>] {
    Self.search
    Self.retry
  }

  /// Counts a look-up, and fails for distances below 1.
  var parts: [any ScreenPart<State>] {
    [
      LookingUp("places", \.places) { [store] transaction, _, distance in
        let count = (transaction[store].numbers["count"] ?? 0) + 1
        _ = try? transaction.write(["count": count], to: store)
        if distance < 0 { throw StoreError.full }
        guard distance >= 1 else { throw StoreError.missing(MissingElement("place")) }
        return count
      }
    ]
  }
}

/// A screen that looks places up outside of the engine.
private struct PlacesScreen: Screen {
  struct State: ScreenState { var places = Lookups<Text, [Text]>() }

  static let name: Text = "places"
  /// All sessions share the call for one query.
  static let isPersonal = true
  static let summary = "Places by their names."
  static let search = Command("search", "Looks places up.", .text("name")) {
    (state: inout State, name) in
    state.places.ask(name.isEmpty ? nil : name)
  }
  static let place = RowType(text: "place", "A place.")

  static let reload = Command("reload", "Looks up again.") { (state: inout State) in
    state.places.reload()
  }

  var commands: [AnyCommand<State>] {
    Self.search
    Self.reload
  }
  var load: @Sendable (Text, Text) async throws -> [Text] = { ["\($1) in \($0)"] }
  var parts: [any ScreenPart<State>] { [LookingUp("places", \.places, load: load)] }
  var rowTypes: [RowTypeDescriptor] { Self.place }

  func body(_ state: State) -> [ListSection] {
    ListSection("places") {
      ForEach(state.places[].value ?? [], as: Self.place) { "place/\($0)" }
    }
  }
}

@Suite("A part that looks up for an input")
struct LookingUpTests {
  @Test("calls outside, once for the newest query, and shows what is found")
  func outside() async throws {
    let engine = Engine(environment: ScreenEnvironment(scheduler: ManualScheduler()))
    engine.outsideLoads.hold()
    let registry = ScreenRegistry(engine, of: PlacesScreen())
    let instance = try registry.instance(screen: "places", key: "de")
    func search(_ name: JSONValue) async throws -> CommandOutcome {
      try await instance.send(["type": "search", "name": name])
    }
    #expect(instance.current.snapshot.states == ["places": "notRequested"])
    #expect(try await search("Je").isPending)
    #expect(try await search("Jena").isPending)
    #expect(try await !search("Jena").isAccepted)
    #expect(instance.current.snapshot.states == ["places": "isLoading"])
    #expect(engine.outsideLoads.waiting.map(\.request) == ["Jena"])
    #expect(engine.outsideLoads.answer("places", .success(["Jena in de"])))
    #expect(instance.current.snapshot.sections[0].rows.map(\.id) == ["place/Jena in de"])
    #expect(instance.current.cause == .loaded(source: "places"))
    #expect(try await search("X").isPending)
    #expect(engine.outsideLoads.answer("places", .failure(.unavailable)))
    #expect(instance.current.snapshot.states == ["places": "failed"])
    #expect(try await search("").isAccepted)
    #expect(instance.current.snapshot.states == ["places": "notRequested"])
  }

  @Test("calls its source after its delay, or at once")
  func delay() throws {
    var state = PlacesScreen.State()
    state.places.ask("Jena")
    func latency(of part: LookingUp<PlacesScreen.State, Text, [Text]>) throws -> Duration {
      let (work, _) = try #require(part.running(in: state).first)
      return part.start(work, for: "de", in: Stores()).latency
    }
    let load: @Sendable (Text, Text) async throws -> [Text] = { [$0, $1] }
    #expect(try latency(of: LookingUp("places", \.places, load: load)) == .zero)
    let delayed = LookingUp("places", \PlacesScreen.State.places, after: .seconds(1), load: load)
    #expect(try latency(of: delayed) == .seconds(1))
    let latencies = Latencies(["places": .seconds(3)], others: .seconds(2))
    let (work, _) = try #require(delayed.running(in: state).first)
    let usual = delayed.start(work, for: "de", in: Stores())
    #expect(latencies.apply(to: usual, of: "places").latency == .seconds(3))
    #expect(latencies.apply(to: usual, of: "other").latency == .seconds(1))
  }

  @Test("writes nothing to a store if it ends after it was cancelled")
  func lateWrite() throws {
    let engine = Engine.still()
    let atlas = Atlas(store: Store("counts", Counters([:]), in: engine))
    let part = try #require(atlas.parts[0] as? any RunningPart<Atlas.State>)
    var state = Atlas.State()
    state.places.ask(2, for: "a")
    let (work, token) = try #require(part.running(in: state).first)
    state.places.cancel("a")
    var transaction = Transaction(engine.stores, at: 1, Timestamp(secondsSince1970: 0))
    var failure: LoadFailure?
    let incident = part.end(
      work, token, bringing: nil, failing: &failure, on: &state, for: "key", in: &transaction)
    #expect(transaction.changes.isEmpty)
    #expect(incident != nil)
  }

  @Test("has no section unless the screen declares one, because it has no rows")
  func section() throws {
    struct StockScreen: Screen {
      struct State: ScreenState {
        var stock = LoadState<Int>()
        var places = Lookups<Text, [Text]>()
      }
      static let name: Text = "stock"
      static let summary = "Stock, and places that are looked up."
      var parts: [any ScreenPart<State>] {
        [
          LookingUp("places", \.places) { _, name in [name] },
          Loading("stock", \.stock, from: Source { _ in 7 }) { _, _ in },
        ]
      }
    }
    let registry = ScreenRegistry(
      Engine(environment: ScreenEnvironment(scheduler: ManualScheduler())), of: StockScreen())
    let snapshot = try registry.instance(screen: "stock", key: "1").current.snapshot
    #expect(snapshot.sections.map(\.id) == ["stock"])
    #expect(snapshot.states == ["places": "notRequested", "stock": "notRequested"])
  }

  @Test("calls outside after the latency of its name", .timeLimit(.minutes(5)))
  func latency() async throws {
    let (calls, called) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
    let registry = ScreenRegistry(
      Engine(environment: ScreenEnvironment(scheduler: ManualScheduler())),
      latencies: Latencies(["places": .milliseconds(20)]),
      of: PlacesScreen { _, _ in
        called.yield(.now)
        return []
      })
    let instance = try registry.instance(screen: "places", key: "de")
    let start = ContinuousClock.now
    try await instance.send(["type": "search", "name": "Je"])
    for await call in calls.prefix(1) { #expect(call - start >= .milliseconds(20)) }
  }

  @Test(
    "calls anew for a reload, although another session waits for a call for the same query",
    .timeLimit(.minutes(5)))
  func reload() async throws {
    let (calls, begun) = AsyncStream.makeStream(
      of: CheckedContinuation<[Text], Never>.self)
    let engine = Engine(environment: ScreenEnvironment(scheduler: ManualScheduler()))
    let registry = ScreenRegistry(
      engine, of: PlacesScreen { _, _ in await withCheckedContinuation { _ = begun.yield($0) } })
    let instances = try ["A", "B"].map { letter in
      let session = String(repeating: letter, count: 22)
      return try registry.instance(screen: "places", key: Text("de@\(session)"))
    }
    var next = calls.makeAsyncIterator()
    for instance in instances { try await instance.send(["type": "search", "name": "Je"]) }
    // A reload needs no other call if this one has not begun.
    let old = await next.next()
    try await instances[1].send(["type": "reload"])
    let new = await next.next()
    old?.resume(returning: ["old"])
    new?.resume(returning: ["new"])
    try await wait { instances.allSatisfy { $0.current.snapshot.states == ["places": "loaded"] } }
    for instance in instances {
      #expect(instance.current.snapshot.sections[0].rows.map(\.id) == ["place/new"])
    }
  }

  private static func atlas() throws -> (Store<Counters>, TestViewModel<Atlas>) {
    var store: Store<Counters>?
    let atlas = try TestViewModel { engine in
      let counters = Store("counters", Counters([:]), in: engine)
      store = counters
      return Atlas(store: counters)
    }
    return (try #require(store), atlas)
  }

  @Test("fails for each input whose query cannot be written as JSON")
  func unwritable() async throws {
    // Not in a `TestViewModel`, which refuses a state with such a query.
    let scheduler = ManualScheduler()
    let engine = Engine(environment: ScreenEnvironment(scheduler: scheduler))
    let registry = ScreenRegistry(
      engine, of: Atlas(store: Store("counters", Counters([:]), in: engine)))
    let instance = try registry.instance(screen: "atlas", key: "a")
    for input in ["one", "two"] as [JSONValue] {
      try await instance.send(["type": "search", "input": input, "part": 0])
    }
    #expect(instance.current.snapshot.states == ["places": "isLoading"])
    scheduler.advance(by: .zero)
    #expect(instance.current.snapshot.states == ["places": "failed"])
    #expect(instance.incidents.count == 2)
  }

  @Test("fails as missing or unavailable for the error of a store, with the reason in the log")
  func errors() async throws {
    let (_, atlas) = try Self.atlas()
    for part in [2, -1] {
      try await atlas.send(Atlas.search, "one", part)
      atlas.advance(by: .zero)
    }
    let failures = atlas.incidents.compactMap { incident -> String? in
      guard case .loadFailure(_, let failure) = incident.kind else { return nil }
      return failure.description
    }
    #expect(failures == ["missing: there is no place of this id", "unavailable: full"])
  }

  @Test("writes nothing if it throws, however often it is tried")
  func rollback() async throws {
    let (store, atlas) = try Self.atlas()
    try await atlas.send(Atlas.search, "one", 2)
    atlas.advance(by: .zero)
    try await atlas.send(Atlas.retry, "one")
    atlas.advance(by: .zero)
    #expect(atlas.states == ["places": "failed"] && store.value.numbers.isEmpty)
    try await atlas.send(Atlas.search, "one", 1)
    atlas.advance(by: .zero)
    #expect(atlas.states == ["places": "loaded"] && store.value.numbers == ["count": 1])
  }
}
