import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@testable import ViewState

/// A screen that begins while it is loading, which nothing has started.
private struct Hasty: Screen {
  struct State: ScreenState {
    var value = LoadState<Int>(.isLoading(previous: nil), token: LoadToken(ordinal: 1))
    var ticks = 0
  }

  static let name: Text = "hasty"
  static let summary = "A screen that cannot wait."
  static let tick = Command("tick", "Counts.") { (state: inout State) in state.ticks += 1 }

  var commands: [AnyCommand<State>] { Self.tick }
  var parts: [any ScreenPart<State>] {
    [Loading("value", \.value, from: Source { _ in 7 }) { _, _ in }]
  }
}

@Suite("A part that is loaded from one source")
struct LoadingTests {
  struct State: ScreenState {
    var value = LoadState<Int>()
    var unwritten = 0
  }

  static let lead = RowType("lead", of: NoFields.self)
  static let value = RowType("value", of: Int.self) { Field("n", \Int.self) }

  static func part(
    _ name: Text, policy: RefreshPolicy = .keepPrevious
  ) -> Loading<State, Int> {
    Loading(
      name, \.value, from: Source { _ in 7 }, policy: { _ in policy },
      error: "error", failure: "Failed.", heading: { lead("\(name)/lead") }
    ) { shown, isLoading in
      if let shown {
        Self.value(isLoading ? "refreshing" : "value", shown)
      } else if isLoading {
        Self.lead("loading")
      }
    }
  }

  static func rows(_ state: Loadable<Int>, of part: Loading<State, Int>) -> [Row] {
    Array(Section(id: "s") { part.rows(State(value: LoadState(state))) }.rows)
  }

  @Test(
    "has the rows of its state and policy",
    arguments: [
      (.notRequested, [], []), (.isLoading(previous: nil), ["loading"], ["loading"]),
      (.isLoading(previous: 7), ["refreshing"], ["loading"]), (.loaded(7), ["value"], ["value"]),
      (.failed(.timedOut, previous: nil), ["s/error"], ["s/error"]),
      (.failed(.timedOut, previous: 7), ["s/error", "value"], ["s/error"]),
    ] as [(Loadable<Int>, [Text], [Text])])
  func rows(state: Loadable<Int>, keeping: [Text], blank: [Text]) {
    for (policy, ids) in [(RefreshPolicy.keepPrevious, keeping), (.blank, blank)] {
      let rows = Self.rows(state, of: Self.part("s", policy: policy))
      #expect(rows.map(\.id) == ["s/lead"] + ids)
    }
  }

  @Test("shows its value with what the state adds to it, wherever it shows one")
  func showing() {
    let part = Loading<State, Int>(
      "s", \.value, from: Source { _ in 7 }, showing: { $1 + $0.unwritten }
    ) { shown, _ in
      if let shown { Self.value("value", shown) }
    }
    func shown(_ loadable: Loadable<Int>) -> JSONValue? {
      let parts = part.rows(State(value: LoadState(loadable), unwritten: 2))
      return Section(id: "s") { parts }.rows.last?.fields["n"]
    }
    #expect(shown(.loaded(7)) == 9 && shown(.isLoading(previous: 7)) == 9)
    #expect(shown(.failed(.timedOut, previous: 7)) == 9 && shown(.notRequested) == nil)
  }

  @Test(
    "is not shown in an initial state that is loading, and is loaded once an input has changed it")
  func loadingAtFirst() async throws {
    let failure = #expect(throws: TestFailure.self) { try TestViewModel(Hasty()) }
    #expect(failure?.description.contains("hasty is loading value") == true)
    let scheduler = ManualScheduler()
    let engine = Engine(environment: ScreenEnvironment(scheduler: scheduler), seed: [])
    engine.holdCalls()
    let registry = ScreenRegistry(engine, of: Hasty())
    let instance = try registry.instance(screen: "hasty", key: "a")
    #expect(instance.failure == .failed && engine.heldCalls.isEmpty)
    _ = try await registry.send(
      SentCommand(JSONReader(["type": .string(Hasty.tick.name)])), to: "hasty", "a")
    #expect(instance.failure == nil && instance.current.snapshot.states == ["value": "isLoading"])
    #expect(engine.heldCalls.map(\.part) == ["value"])
    scheduler.advance(by: .seconds(10))
    #expect(instance.current.snapshot.states == ["value": "failed"])
    // Also if the input changes nothing but that the load is started.
    let other = try registry.instance(screen: "hasty", key: "b")
    #expect(try await other.send(type: "loadValue").isPending && other.failure == nil)
    #expect(other.current.snapshot.states == ["value": "isLoading"])
  }

  @Test("names its commands after itself, unless told otherwise")
  func commands() {
    #expect(Self.part("posts").commands.map(\.descriptor.type) == ["loadPosts", "cancelPosts"])
    let named = Loading<State, Int>(
      "posts", \.value, from: Source { _ in 7 }, commands: ("load", "cancel")
    ) { _, _ in }
    #expect(named.commands.map(\.descriptor.type) == ["load", "cancel"])
  }

  @Test("offers to load again after a failure, with the stable code of the failure")
  func retry() {
    let rows = Self.rows(.failed(.timedOut, previous: nil), of: Self.part("s"))
    #expect(rows.last?.fields["code"] == "timed-out" && rows.last?.fields["text"] == "Failed.")
    #expect(rows.last?.fields["action"] == ["title": "Retry", "command": ["type": "loadS"]])
  }

  @Test("shows its own error row beside that of another part, with the schemas of both")
  func twoErrorRows() throws {
    let screen = PairScreen()
    var state = PairScreen.State()
    state.first = LoadState(.failed(.timedOut, previous: nil))
    state.second = LoadState(.failed(.unavailable, previous: nil))
    let rows = try screen.snapshot(of: state).sections.flatMap { Array($0.rows) }
    #expect(
      rows == [
        PairScreen.error("first", .timedOut, retry: "loadFirst"),
        PairScreen.error("second", .unavailable, retry: "loadSecond"),
      ])

    let german = try PairScreen(texts: .de).snapshot(of: state).sections[0].rows[0].fields
    #expect(german["text"] == "Das Laden ist misslungen.")
    #expect(german["detail"] == "Die Quelle hat nicht rechtzeitig geantwortet.")
    #expect(german["code"] == "timed-out")

    let registry = ScreenRegistry(
      Engine(environment: ScreenEnvironment(scheduler: ManualScheduler())), of: screen)
    let types = registry.descriptors[0].rowTypes
    #expect(types.map(\.name) == ["loadError"])
    let schemas = try JSONReader(#require(types.first).schema).member("anyOf").elements()
    let commands = try schemas.map { schema in
      let path: [Text] = [
        "properties", "action", "properties", "command", "properties", "type", "const",
      ]
      return try path.reduce(schema) { try $0.member($1) }.string()
    }
    #expect(commands == ["loadFirst", "loadSecond"])
  }
}

/// A screen of two parts with the error rows that they have unless told otherwise.
private struct PairScreen: Screen {
  struct State: ScreenState {
    var first = LoadState<Int>()
    var second = LoadState<Int>()
  }

  static let name: Text = "pair"
  static let summary = "Two numbers."
  /// The language of the texts of the first part.
  var texts = Language.en

  var parts: [any ScreenPart<State>] {
    [
      Loading("first", \.first, from: Source { _ in 1 }, language: texts) { _, _ in },
      Loading("second", \.second, from: Source { _ in 2 }) { _, _ in },
    ]
  }

  static func error(_ part: Text, _ failure: LoadFailure, retry: Text) -> Row {
    Row(
      id: "\(part)/error", type: "loadError",
      fields: [
        "code": .string(failure.code), "detail": .string(Text(failure.message)),
        "text": "Couldn't load \(part).",
        "action": ["title": "Retry", "command": ["type": .string(retry)]],
      ])
  }
}
