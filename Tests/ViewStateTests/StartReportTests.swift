import CanonicalJSON
import Snapshots
import Synchronization
import TestSupport
import Testing

@testable import ViewState

/// A screen whose states take a while to read.
private struct SlowlyReadScreen: Screen {
  struct State: Codable, Equatable {
    var count = 0

    init() {}

    init(from decoder: any Decoder) throws {
      SlowlyReadScreen.whileReading.withLock(\.self)?()
      count = try decoder.singleValueContainer().decode(Int.self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(count)
    }
  }

  static let name: Text = "slow"
  static let summary = "A count."
  static let row = RowType("count", of: Int.self) { Field("count", \.self) }
  static let whileReading = Mutex<(@Sendable () -> Void)?>(nil)

  var commands: [AnyCommand<State>] {
    Command("add", "Adds one.") { (state: inout State) in state.count += 1 }
  }
  var rowTypes: [RowTypeDescriptor] { Self.row }

  func initialState(for key: Text, in stores: Stores) -> State { State() }

  func body(_ state: State) -> [ListSection] { [ListSection("s") { Self.row("r", state.count) }] }
}

@Suite("The report of a start with a journal")
struct StartReportTests {
  @Test("says how far the start has come if it takes longer than some seconds")
  func progress() async throws {
    let world = try JournalWorld()
    for _ in 1...7 { try await world.send(JournalTests.add, to: "tally", "a") }
    // Each input is noted before it is applied, and takes two seconds.
    let scheduler = Mutex<ManualScheduler?>(nil)
    let journal = MemoryJournal(
      world.journal.content,
      afterNote: { _ in scheduler.withLock(\.self)?.advance(by: .seconds(2)) })
    let again = try JournalWorld(journal, starting: false)
    scheduler.withLock { $0 = again.scheduler }
    try again.engine.start()
    #expect(again.incidents == [.replaying(position: 2), .replaying(position: 5)])
  }

  @Test("says where the start is while it takes long over the states of many view models")
  func manyStates() async throws {
    let (journal, scheduler) = (MemoryJournal(), ManualScheduler())
    let incidents = Noted<JournalIncident>()
    func start() throws -> (engine: Engine, registry: ScreenRegistry) {
      let environment = ScreenEnvironment(
        scheduler: scheduler, now: { JournalWorld.start }, recordJournal: incidents.add)
      let engine = try Engine(
        environment: environment, seed: [1], journal: journal, program: nil, CheckpointSchedule())
      let registry = ScreenRegistry(engine, of: SlowlyReadScreen())
      try engine.start()
      return (engine, registry)
    }
    let former = try start()
    let command = try SentCommand(JSONReader(["type": "add"]))
    for key: Text in ["a", "b", "c", "d", "e", "f", "g"] {
      _ = try await former.registry.send(command, to: "slow", key)
    }
    try journal.write(former.engine.checkpoint())
    journal.trim(to: former.engine.position)
    SlowlyReadScreen.whileReading.withLock { $0 = { scheduler.advance(by: .seconds(2)) } }
    defer { SlowlyReadScreen.whileReading.withLock { $0 = nil } }
    let again = try start()
    #expect(incidents.all == [.replaying(position: 7), .replaying(position: 7)])
    let instance = try again.registry.instance(screen: "slow", key: "g")
    #expect(instance.current.snapshot.sections[0].rows[0].fields["count"] == 1)
  }
}
