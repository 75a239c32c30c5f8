import CanonicalJSON
import Snapshots
import TestSupport
import Testing
import ViewState

/// A screen whose parts depend on each other.
private struct Chain: Screen {
  struct State: Codable, Equatable, Sendable {
    /// What the store has.
    var stored = 0
    var team = LoadState<Int>()
    var members = Lookups<Int, [Text]>()
    var changes = SaveState<Int>()
    /// The codes of the failures that ended a write or a look-up.
    var codes: [Text] = []
    /// The numbers that the team had, each once for every change to it.
    var teams: [Int] = []
  }

  static let name: Text = "chain"
  static let summary = "The members of a team."
  static let save = Command("save", "Saves a number.", .integer("number")) {
    (state: inout State, number) in
    try state.changes.save(number)
  }
  static let choose = Command("choose", "Chooses a team.", .integer("team")) {
    (state: inout State, team) in
    state.team.change { $0 = team }
  }
  static let line = RowType(text: "line", "A line of text.")

  let store: Store<Counters>

  var commands: [AnyCommand<State>] {
    Self.save
    Self.choose
  }
  var rowTypes: [RowTypeDescriptor] { Self.line }
  var shownStores: [ShownStore] { [.whole(of: store)] }
  var parts: [any ScreenPart<State>] {
    [
      Loading("team", \.team, from: Source(every: .seconds(1)) { _ in 0 }) { _, _ in },
      LookingUp("members", \.members) { _, _ in [] },
      changes,
    ]
  }
  var changes: Saving<State, Int> {
    Saving("changes", \.changes, to: { _, _ in }, failure: { "Couldn't save \($0)." })
  }

  func initialState(for key: Text, in stores: Stores) -> State {
    State(stored: stores[store].numbers["stored"] ?? 0)
  }

  func follow(_ stores: Stores, on state: inout State, for key: Text) {
    state.stored = initialState(for: key, in: stores).stored
  }

  func changed(_ state: inout State, from before: State) {
    let team = state.stored == 0 ? state.team.loadable.value : state.stored
    if let team, team != before.teams.last {
      state.teams.append(team)
      state.members.ask(team)
    }
    if state.changes.pending.count < before.changes.pending.count { state.team.reload() }
    for (now, past) in [
      (state.changes.failure, before.changes.failure),
      (state.members[].error, before.members[].error),
    ] {
      if let now, past == nil { state.codes.append(now.code) }
    }
  }

  func body(_ state: State) -> [ListSection] {
    ListSection("members") {
      ForEach(state.members.shown() ?? [], as: Self.line) { "member/\($0)" }
    }
    ListSection("changes") { changes.rows(state) }
    ListSection("codes") {
      for (index, code) in state.codes.enumerated() { Self.line("code/\(index)", code) }
    }
    ListSection("teams") {
      for (index, team) in state.teams.enumerated() { Self.line("team/\(index)", "\(team)") }
    }
  }
}

@Suite("A screen that reacts to its inputs")
struct ChangedTests {
  private let store: Store<Counters>
  private let chain: TestViewModel<Chain>

  init() throws {
    var store: Store<Counters>?
    chain = try TestViewModel { engine in
      let counters = Store("counters", Counters([:]), in: engine)
      store = counters
      return Chain(store: counters)
    }
    self.store = try #require(store)
  }

  private func texts(_ section: Text) -> [JSONValue?] {
    chain.rows(in: section).map(\.fields["text"])
  }

  /// Loads the first team.
  private func open() async throws {
    try await chain.open()
    try chain.answer("team", with: 1)
  }

  @Test("looks up what depends on a value, in the step in which the value is loaded")
  func loaded() async throws {
    try await open()
    #expect(chain.states["members"] == "isLoading")
    #expect(try chain.request(of: "members") == 1)
    try chain.answer("members", with: ["Ada"])
    #expect(texts("members") == ["Ada"] && chain.waiting.isEmpty)
  }

  @Test("looks up again after a command, and after a value of the clock that is another one")
  func commandsAndClock() async throws {
    try await open()
    try chain.answer("members", with: ["Ada"])
    try await chain.send(Chain.choose, 2)
    #expect(try chain.request(of: "members") == 2)
    try chain.answer("members", with: ["Ben"])
    for (team, count) in [(2, 0), (3, 1)] {
      chain.advance(by: .seconds(1))
      try chain.answer("team", with: team)
      #expect(chain.waiting.count { $0 == "members" } == count)
    }
    #expect(try chain.request(of: "members") == 3)
    try chain.answer("members", with: ["Cay"])
    #expect(texts("members") == ["Cay"] && texts("teams") == ["1", "2", "3"])
  }

  @Test("looks up again after a write to a store that it shows")
  func stored() async throws {
    try await open()
    try chain.answer("members", with: ["Ada"])
    try await store.write(["stored": 7])
    #expect(try chain.request(of: "members") == 7)
    try chain.answer("members", with: ["Guy"])
    #expect(texts("members") == ["Guy"])
  }

  @Test("looks up by a fault script after a write to a store, which uses the script up")
  func scripted() async throws {
    let scheduler = ManualScheduler()
    let engine = Engine(environment: ScreenEnvironment(scheduler: scheduler))
    engine.holdCalls()
    let faults = Store("faults", ScriptedFaults(), in: engine)
    let store = Store("counters", Counters([:]), in: engine)
    let registry = ScreenRegistry(engine, faults: faults, of: Chain(store: store))
    let instance = try registry.instance(screen: "chain", key: "a")
    try await instance.send(["type": "save", "number": 1])
    try await faults.set(FaultScript(outcomes: [.fail]), for: "members", of: "a")
    try await store.write(["stored": 7])
    #expect(instance.current.snapshot.states["members"] == "isLoading")
    #expect(faults.value["members", "a"]?.outcomes == [])
    scheduler.advance(by: .zero)
    #expect(instance.current.snapshot.states["members"] == "failed")
  }

  @Test("knows a look-up that has failed, once")
  func failedLookup() async throws {
    try await open()
    try chain.fail("members", with: .missing)
    try await chain.send(Chain.choose, 1)
    #expect(texts("codes") == ["missing"])
  }

  @Test("knows a write that has failed, and loads again once it is written or discarded")
  func writes() async throws {
    try await open()
    try chain.answer("members", with: ["Ada"])
    try await chain.send(Chain.save, 1)
    try chain.fail("changes")
    #expect(texts("codes") == ["unavailable"] && chain.waiting.isEmpty)
    try await chain.tap("changes/error", "Retry")
    #expect(chain.waiting == ["changes"])
    chain.advance(by: .seconds(10))
    #expect(texts("codes") == ["unavailable", "timed-out"])
    try chain.answer("team", with: 1)
    #expect(chain.waiting.isEmpty)
    try await chain.tap("changes/error", "Discard")
    #expect(chain.waiting == ["team"])
    try chain.answer("team", with: 4)
    try chain.answer("members", with: ["Dan"])
    try await chain.send(Chain.save, 2)
    try chain.answer("changes")
    #expect(chain.waiting == ["team"] && texts("members") == ["Dan"])
  }
}
