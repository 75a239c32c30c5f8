import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@testable import ViewState

/// A screen with a part of each kind that makes calls.
private struct CallingScreen: Screen {
  struct State: ScreenState {
    var changes = SaveState<Int>()
    var steps = PagingState<StepsScreen.Item>()
    var degrees = LoadState<Int>()
    var places = Lookups<Int, Int>()
  }

  static let name: Text = "calling"
  static let summary = "Calls."

  var parts: [any ScreenPart<State>] {
    [
      Saving("changes", \.changes, to: { _, _ in }, failure: { "Couldn't write \($0)." }),
      LoadingPages(
        "steps", \.steps, from: PageSource { _, _ in throw CancellationError() },
        as: StepsScreen.step, id: { "step/\($0.id)" }, empty: "No steps", failure: "No luck",
        end: { "All \($0) steps" }),
      Loading("degrees", \.degrees, from: Source(every: .seconds(60)) { _ in 1 }) {
        _, _ in
      },
      LookingUp("places", \.places) { _, number in number },
    ]
  }
}

@Suite("The latency of a source")
struct LatenciesTests {
  @Test("comes before each call of its part: a write, a page, a look-up, and a load by the clock")
  func calls() throws {
    let engine = Engine(environment: ScreenEnvironment(scheduler: ManualScheduler()))
    let screen = DeclaredScreen(
      CallingScreen(),
      latencies: Latencies(
        ["changes": .seconds(2), "steps": .seconds(3), "degrees": .seconds(4)], others: .seconds(1))
    )
    var state = CallingScreen.State()
    for part in CallingScreen().parts { part.load(&state) }
    try state.changes.save(1)
    state.places.ask(1)
    let running = screen.running(in: AnyState(state)).map(\.work)
    state.degrees = LoadState(.loaded(1))
    let refreshes = screen.refreshes(in: AnyState(state)).map(\.work)
    let latencies = try (running + refreshes).map { work in
      guard case .running(let call) = screen.unscripted(work, for: "a", in: engine.stores) else {
        throw LawViolation("\(work) makes no call")
      }
      return "\(work): \(call.latency)"
    }
    #expect(
      latencies == [
        "changes: 2.0 seconds", "steps: 3.0 seconds", "degrees: 4.0 seconds", "places: 1.0 seconds",
        "degrees: 4.0 seconds",
      ])
  }

  @Test("comes before each page that is read in a store")
  func pages() async throws {
    let scheduler = ManualScheduler()
    let engine = Engine(environment: ScreenEnvironment(scheduler: scheduler))
    let items = KeyedSequence((1...5).map { StepsScreen.Item(id: $0) })
    let store = Store("steps", StepsScreen.Steps(items: items), in: engine)
    let registry = ScreenRegistry(
      engine, latencies: Latencies(["steps": .seconds(3)], others: .seconds(1)),
      of: StepsScreen(store: store))
    let instance = try registry.instance(screen: "steps", key: "a")
    for (command, count) in [("appear", 2), ("loadNextSteps", 4)] as [(Text, Int)] {
      try await instance.send(type: command)
      scheduler.advance(by: .seconds(3) - .milliseconds(1))
      #expect(instance.current.snapshot.states == ["steps": "isLoading"])
      scheduler.advance(by: .milliseconds(1))
      #expect(instance.current.snapshot.states == ["steps": "loaded"])
      #expect(instance.current.snapshot.sections[0].rows.count { $0.type == "step" } == count)
    }
  }
}
