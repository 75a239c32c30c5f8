import CanonicalJSON
import Snapshots
import TestSupport

@testable import ViewState

/// An engine with a journal, a store, and screens with and without states of their own.
final class JournalWorld: Sendable {
  let journal: MemoryJournal
  let scheduler = ManualScheduler()
  /// The last one is the time by which the clock of the machine is ahead of the scheduler.
  let clockShifts = Noted<Duration>()
  let engine: Engine
  let store: Store<Counters>
  let registry: ScreenRegistry
  private let incidentList: Noted<JournalIncident>

  static let start = Timestamp(secondsSince1970: 1_800_000_000)

  /// Starts an engine with a journal, which may be that of an engine before.
  init(
    _ journal: MemoryJournal = MemoryJournal(), numbers: [Text: Int] = ["a": 1, "b": 1],
    settings: Settings = Settings(), schedule: CheckpointSchedule = CheckpointSchedule(),
    program: Text? = nil, every interval: Duration? = nil, starting: Bool = true
  ) throws {
    self.journal = journal
    let incidents = Noted<JournalIncident>()
    let environment = ScreenEnvironment(
      scheduler: scheduler, settings: settings,
      now: { [scheduler, clockShifts] in
        Self.start.advanced(by: scheduler.now + (clockShifts.all.last ?? .zero))
      },
      recordJournal: incidents.add)
    self.incidentList = incidents
    engine = try Engine(
      environment: environment, seed: Engine.randomSeed(), journal: journal, program: program,
      schedule)
    engine.holdCalls()
    store = Store("numbers", Counters(numbers), in: engine)
    var registry = ScreenRegistry(engine)
    registry.register(CounterScreen(store: store))
    registry.register(SumScreen(store: store), keys: ["all"])
    registry.register(TallyScreen())
    registry.register(WeatherScreen(source: Source(every: interval) { _ in 0 }))
    self.registry = registry
    if starting { try engine.start() }
  }

  var incidents: [JournalIncident] { incidentList.all }

  @discardableResult
  func send(_ command: JSONValue, to screen: Text, _ key: Text) async throws -> CommandOutcome {
    try await registry.send(SentCommand(JSONReader(command)), to: screen, key)
  }

  /// Waits until all inputs before are applied.
  func settle() async { await engine.settle() }

  /// The current revision of a view model, and its rows.
  func shown(_ screen: Text, _ key: Text) throws -> (token: RevisionToken, snapshot: Snapshot) {
    let current = try registry.instance(screen: screen, key: key).current
    return (current.token, current.snapshot)
  }

  /// The state of the load of a place.
  func state(_ place: Text) throws -> Text? {
    try shown("weather", place).snapshot.states["degrees"]
  }
}
