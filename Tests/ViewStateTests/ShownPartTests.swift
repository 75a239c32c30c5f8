import CanonicalJSON
import Snapshots
import TestSupport
import Testing
import ViewState

/// A screen with two parts that read two stores.
private struct Forecast: Screen {
  struct State: ScreenState {
    var degrees = LoadState<Int>()
    var wind = LoadState<Int>()
  }

  static let name: Text = "forecast"
  static let summary = "The temperature and the wind of a place."
  static let number = RowType("number", of: Int.self) { Field("n", \Int.self) }

  let degrees: Store<Counters>
  let wind: Store<Counters>

  var parts: [any ScreenPart<State>] {
    [part("degrees", \.degrees, of: degrees), part("wind", \.wind, of: wind)]
  }

  private func part(
    _ name: Text, _ path: any WritableKeyPath<State, LoadState<Int>> & Sendable,
    of store: Store<Counters>
  ) -> Loading<State, Int> {
    let source = Source<Int>(reading: store) { counters, key in
      guard let number = counters.numbers[key] else { throw LoadFailure.missing }
      return number
    }
    return Loading(name, path, from: source) { number, _ in
      if let number { Self.number(name, number) }
    }
  }

  /// Names one store, and so takes nothing away from what the parts show.
  var shownStores: [ShownStore] { [.whole(of: degrees)] }
  var rowTypes: [RowTypeDescriptor] { Self.number }
}

/// A screen without parts that shows elements of two stores, one of which may be missing.
private struct Pair: Screen {
  struct State: Codable, Equatable, Sendable {
    let number: Int
    let other: Int?
  }

  static let name: Text = "pair"
  static let summary = "A number and another one."
  static let row = RowType("pair", of: State.self) {
    Field("number", \.number)
    Field("other", \.other)
  }

  let numbers: Store<Counters>
  let others: Store<Counters>

  var shownStores: [ShownStore] { [.element(of: numbers), .element(of: others)] }
  var rowTypes: [RowTypeDescriptor] { Self.row }

  func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> State {
    guard let number = stores[numbers].numbers[key] else { throw .unknownKey }
    return State(number: number, other: stores[others].numbers[key])
  }

  func body(_ state: State) -> [ListSection] { ListSection("pair") { Self.row("pair", state) } }
}

@Suite("A screen that shows parts of two stores")
struct ShownPartTests {
  @Test("shows the writes to both of its sources, also after it was loaded")
  func sources() async throws {
    var stores: [Store<Counters>] = []
    let forecast = try TestViewModel(key: "oslo") { engine in
      stores = [
        Store("degrees", Counters(["oslo": 1]), in: engine),
        Store("wind", Counters(["oslo": 2]), in: engine),
      ]
      return Forecast(degrees: stores[0], wind: stores[1])
    }
    try await forecast.open()
    forecast.advance(by: .zero)
    #expect(forecast.rows.map(\.fields["n"]) == [1, 2])
    _ = try await stores[1].write(["oslo": 3])
    #expect(forecast.rows.map(\.fields["n"]) == [1, 3])
    _ = try await stores[0].write(["oslo": 4])
    #expect(forecast.rows.map(\.fields["n"]) == [4, 3])
  }

  @Test("has one revision for each write to one of them, also if nothing has read it before")
  func revisions() async throws {
    let (pair, registry) = try Self.pair(keepingUnread: true)
    let instance = try registry.instance(screen: "pair", key: "a")
    for number in 2...5 {
      _ = try await (number.isMultiple(of: 2) ? pair.numbers : pair.others).write(["a": number])
    }
    #expect(instance.changeCount == 4)
    #expect(instance.current.snapshot.sections[0].rows[0].fields == ["number": 4, "other": 5])
  }

  @Test("never has one token for two contents, although an element of the second store is removed")
  func removal() async throws {
    let (pair, registry) = try Self.pair(keepingUnread: false)
    _ = try await pair.others.write(["a": 7])
    _ = try await pair.numbers.write(["a": 2])
    let before = try registry.instance(screen: "pair", key: "a").current
    _ = try await pair.others.write(["a": nil])
    let after = try registry.instance(screen: "pair", key: "a").current
    #expect(before.snapshot != after.snapshot && before.token != after.token)
    #expect(before.token.epoch == after.token.epoch)
  }

  /// A screen on two stores, whose instances are dropped at once unless they are kept.
  private static func pair(keepingUnread: Bool) throws -> (Pair, ScreenRegistry) {
    var environment = ScreenEnvironment(scheduler: ManualScheduler())
    if !keepingUnread { environment.untouchedByteCount = 0 }
    let engine = Engine(environment: environment)
    let pair = Pair(
      numbers: Store("numbers", Counters(["a": 1]), in: engine),
      others: Store("others", Counters([:]), in: engine))
    let registry = ScreenRegistry(engine, of: pair)
    return (pair, registry)
  }
}
