import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@testable import ViewState

@Suite("A server that shares a journal")
struct SharedRecorderTests {
  private let journal = EchoingJournal()
  private let scheduler = ManualScheduler()
  private let engine: Engine
  private let registry: ScreenRegistry
  private let incidents = Noted<JournalIncident>()

  init() throws {
    let environment = ScreenEnvironment(scheduler: scheduler, recordJournal: incidents.add)
    engine = try Engine(environment: environment, journal: journal, program: "1")
    engine.holdCalls()
    registry = ScreenRegistry(engine, of: WeatherScreen(source: Source { _ in 0 }))
    try engine.start()
    journal.tell(.joined)
  }

  /// Makes the journal take inputs again.
  private func recover() async {
    journal.fail(nil)
    journal.tell(.joined)
    await engine.settle()
  }

  @Test("records what ended while the journal was away in the order in which it ended")
  func order() async throws {
    let instance = try registry.instance(screen: "weather", key: "oslo")
    try await instance.send(type: "loadDegrees")
    // It comes in time, but the journal does not take it.
    journal.fail(.unavailable("it is away"))
    #expect(engine.answer("degrees", .success(21)))
    await engine.settle()
    scheduler.advance(by: engine.settings.loadTimeout)
    await engine.settle()
    #expect(instance.current.snapshot.states == ["degrees": "isLoading"])
    await recover()
    #expect(instance.current.snapshot.states == ["degrees": "loaded"])
    #expect(instance.current.snapshot.sections[0].rows[0].fields == ["n": 21])
  }

  @Test("tells at once that the journal refuses inputs, and sends later what nobody sends again")
  func refusal() async throws {
    let instance = try registry.instance(screen: "weather", key: "oslo")
    try await instance.send(type: "loadDegrees")
    journal.fail(.refused("its memory is full"))
    await #expect(throws: CommandFailure.notRecorded) { try await instance.send(type: "appear") }
    #expect(engine.answer("degrees", .success(21)))
    await engine.settle()
    journal.tell(.joined)
    await engine.settle()
    #expect(instance.current.snapshot.states == ["degrees": "isLoading"])
    await recover()
    #expect(instance.current.snapshot.states == ["degrees": "loaded"])
    #expect(engine.position == 2 && instance.incidents.isEmpty)
  }

  @Test("says of an input that does not come back for 5 s that its outcome is not known")
  func silence() async throws {
    journal.echo(false)
    let instance = try registry.instance(screen: "weather", key: "oslo")
    let first = Task { try await instance.send(type: "appear") }
    try await wait { scheduler.pendingCount == 1 }
    scheduler.advance(by: .seconds(2))
    let second = Task { try await instance.send(type: "appear") }
    try await wait { journal.memory.entries.count == 2 }
    scheduler.advance(by: .seconds(3))
    await #expect(throws: CommandFailure.unconfirmed) { try await first.value }
    scheduler.advance(by: .seconds(2))
    await #expect(throws: CommandFailure.unconfirmed) { try await second.value }
    #expect(engine.position == 0)
  }

  @Test("acknowledges no input that the journal has not confirmed, although it shows it")
  func doubt() async throws {
    journal.fail(.unconfirmed("no replica has it"))
    let instance = try registry.instance(screen: "weather", key: "oslo")
    await #expect(throws: CommandFailure.unconfirmed) { try await instance.send(type: "appear") }
    #expect(instance.current.snapshot.states == ["degrees": "isLoading"])
  }

  @Test("has a reader wait 2 s at most for a position that it has not applied")
  func reader() async throws {
    let reader = Task { await engine.catchUp(to: 1) }
    try await wait { scheduler.pendingCount == 1 }
    scheduler.advance(by: .seconds(2))
    #expect(await !reader.value)
  }

  @Test("shows a reader at once a position that it has applied, also while the journal is away")
  func appliedPosition() async throws {
    let instance = try registry.instance(screen: "weather", key: "oslo")
    try await instance.send(type: "appear")
    #expect(await engine.catchUp(to: 1))
  }

  @Test("gets no new clients while it does not hear that it has all, unless the journal is away")
  func level() async throws {
    journal.tell(.entries([], isEnd: true))
    #expect(engine.journalDoubt == nil)
    scheduler.advance(by: .seconds(1))
    #expect(engine.journalDoubt == .behind)
    journal.tell(.entries([], isEnd: false))
    #expect(engine.journalDoubt == .behind)
    journal.tell(.failing(.unavailable("it is away")))
    #expect(engine.journalDoubt == nil)
    journal.tell(.joined)
    #expect(engine.journalDoubt == .behind)
    journal.tell(.entries([], isEnd: true))
    #expect(engine.journalDoubt == nil)
  }

  @Test("leaves its state when it ends, but not if the journal may have gone on without it")
  func end() async throws {
    let instance = try registry.instance(screen: "weather", key: "oslo")
    try await instance.send(type: "loadDegrees")
    journal.tell(.failing(.unavailable("it is away")))
    engine.closeJournal()
    #expect(journal.memory.positions == [0])
    journal.tell(.joined)
    engine.closeJournal()
    #expect(journal.memory.positions == [0, 1])
  }

  @Test("begins a journal anew that has lost inputs, in which no token is given again")
  func loss() async throws {
    let instance = try registry.instance(screen: "weather", key: "oslo")
    try await instance.send(type: "loadDegrees")
    let goesOn = journal.tell(.replaced(.lost("it has less than before")))
    #expect(!goesOn && journal.memory.positions == [0, 1])
    let record: EngineRecord = try #require(try journal.checkpoint(at: 1)).decode("engine")
    #expect(record.seed == EngineRecord.noSeed && record.seed != engine.seed)
  }

  @Test("begins a journal anew that has lost inputs, also if it has to try more than once")
  func lossAgain() async throws {
    let lost = JournalEvent.replaced(.lost("it has less than before"))
    let instance = try registry.instance(screen: "weather", key: "oslo")
    try await instance.send(type: "loadDegrees")
    journal.memory.fail(.unavailable("it is away"))
    let goesOn = journal.tell(lost)
    #expect(goesOn && journal.memory.positions == [0])
    journal.memory.fail(nil)
    let stillGoesOn = journal.tell(lost)
    #expect(!stillGoesOn && journal.memory.positions == [0, 1])
    #expect(incidents.all.last == .replaced(.lost("it has less than before")))
  }

  @Test("starts anew if the journal gives it an input that it has not sent")
  func unknownInput() {
    let goesOn = journal.tell(.entries([.own(at: JournalWorld.start)], isEnd: true))
    let error = JournalError.damaged("it has an entry that was never sent")
    #expect(!goesOn && incidents.all == [.failing(error), .replaced(error)])
  }

  @Test("leaves no state of which it is in doubt")
  func doubtedState() async throws {
    let instance = try registry.instance(screen: "weather", key: "oslo")
    for _ in 1...BlockDigest.length { try await instance.send(type: "cancelDegrees") }
    journal.tell(.digest("another", position: BlockDigest.length))
    try await wait { engine.journalDoubt == .differs }
    engine.closeJournal()
    #expect(journal.memory.positions == [0])
  }

  @Test("leaves no state that differs from that of others, and applies no more")
  func difference() async throws {
    let instance = try registry.instance(screen: "weather", key: "oslo")
    let end = BlockDigest.length
    for _ in 1...end { try await instance.send(type: "cancelDegrees") }
    engine.closeJournal()
    #expect(journal.memory.positions == [0, end])
    journal.tell(.digest("another", position: end))
    try await wait { scheduler.pendingCount == 1 }
    scheduler.advance(by: .seconds(1))
    try await wait { incidents.all == [.differs(position: end)] }
    #expect(journal.memory.positions == [0])
    let goesOn = journal.tell(.entries([], isEnd: true))
    #expect(!goesOn)
  }
}
