import CanonicalJSON
import TestSupport
import Testing

@testable import ViewState

@Suite("A server that has not joined its journal yet")
struct SharedStartTests {
  private let journal = EchoingJournal()
  private let engine: Engine
  private let registry: ScreenRegistry

  init() throws {
    engine = try Engine(
      environment: ScreenEnvironment(scheduler: ManualScheduler()), journal: journal, program: "1")
    engine.holdCalls()
    registry = ScreenRegistry(engine, of: WeatherScreen(source: Source { _ in 0 }))
    try engine.start()
  }

  /// Sends a command that waits.
  private func send() async throws -> Task<Void, any Error> {
    let instance = try registry.instance(screen: "weather", key: "oslo")
    let answer = Task { _ = try await instance.send(type: "loadDegrees") }
    try await wait { engine.queue.count == 1 }
    return answer
  }

  @Test("takes what came before once it has joined")
  func joined() async throws {
    let answer = try await send()
    journal.tell(.joined)
    try await answer.value
    #expect(engine.position == 1)
  }

  @Test("refuses what came before if the journal fails")
  func failing() async throws {
    let answer = try await send()
    journal.tell(.failing(.unavailable("it is away")))
    await #expect(throws: CommandFailure.notRecorded) { try await answer.value }
    #expect(engine.position == 0)
  }

  /// Reads the journal for a server that starts next.
  private func next(
    _ program: Text, _ settings: Settings = Settings()
  ) throws -> (engine: Engine, registry: ScreenRegistry) {
    var environment = ScreenEnvironment(scheduler: ManualScheduler(), settings: settings)
    environment.takesOver = { $0 == "1" }
    let next = try Engine(environment: environment, journal: journal, program: program)
    next.holdCalls()
    let registry = ScreenRegistry(next, of: WeatherScreen(source: Source { _ in 0 }))
    return (next, registry)
  }

  /// Begins a load, and ends.
  private func end() async throws {
    let answer = try await send()
    journal.tell(.joined)
    try await answer.value
    engine.closeJournal()
  }

  @Test("starts again if one of another program has recorded its state since the journal was read")
  func newerState() async throws {
    let other = try next("2")
    try await end()
    #expect(throws: JournalError.replaced("a server of another program has ended")) {
      try other.engine.start()
    }
  }

  @Test("leaves the journal to one of a still newer program that comes while it waits")
  func newest() async throws {
    try await end()
    let next = try next("2")
    journal.meet([["program": "1"], ["program": "3"]])
    let error = #expect(throws: JournalError.self) { try next.engine.start() }
    if case .refused? = error {} else { Issue.record("\(String(describing: error))") }
    #expect(journal.requests.count { $0 } == 1)
  }

  @Test("asks no server to leave if it cannot go on with the journal")
  func unable() async throws {
    try await end()
    let next = try next("2", Settings(language: .de))
    journal.meet([["program": "1"]])
    #expect(throws: JournalError.self) { try next.engine.start() }
    #expect(!journal.requests.contains(true))
  }

  @Test("begins loads again that were under way, unless others run", arguments: [false, true])
  func loads(hasOthers: Bool) async throws {
    try await end()
    journal.have(others: hasOthers)
    let next = try next("1")
    try next.engine.start()
    #expect(next.engine.heldCalls.isEmpty == hasOthers)
    withExtendedLifetime(next.registry) {}
  }
}
