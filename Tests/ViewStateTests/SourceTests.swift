import CanonicalJSON
import Snapshots
import Synchronization
import TestSupport
import Testing

@testable import ViewState

/// A screen with one part, whose source is outside of the engine.
struct WeatherScreen: Screen {
  struct State: ScreenState { var degrees = LoadState<Int>() }

  static let name: Text = "weather"
  static let summary = "The temperature of a place."
  static let degrees = RowType("degrees", of: Int.self) { Field("n", \Int.self) }

  let source: Source<Int>

  var parts: [any ScreenPart<State>] {
    [
      Loading("degrees", \.degrees, from: source) { degrees, _ in
        if let degrees { Self.degrees("degrees", degrees) }
      }
    ]
  }

  var rowTypes: [RowTypeDescriptor] { Self.degrees }
}

/// Another screen with the same part.
struct TripScreen: Screen {
  typealias State = WeatherScreen.State

  static let name: Text = "trip"
  static let summary = "A trip to a place."

  let source: Source<Int>

  static let reload = Command("reload", "Loads anew.") { (state: inout State) in
    state.degrees.reload()
  }

  var commands: [AnyCommand<State>] { Self.reload }
  var parts: [any ScreenPart<State>] { WeatherScreen(source: source).parts }
  var rowTypes: [RowTypeDescriptor] { WeatherScreen.degrees }
}

/// The calls of a source, which a test answers one by one.
final class Calls: Sendable {
  struct Call: Sendable {
    let key: Text
    let answer: CheckedContinuation<Int, any Error>
  }

  private let stream: AsyncStream<Call>
  private let input: AsyncStream<Call>.Continuation
  private let count = Mutex(0)

  init() {
    (stream, input) = AsyncStream.makeStream()
  }

  var total: Int { count.withLock { $0 } }

  func call(_ key: Text) async throws -> Int {
    count.withLock { $0 += 1 }
    return try await withCheckedThrowingContinuation { input.yield(Call(key: key, answer: $0)) }
  }

  /// The next call that is not answered yet.
  func next() async throws -> Call {
    for await call in stream { return call }
    throw CancellationError()
  }
}

@Suite("A source outside of the engine")
struct SourceTests {
  let scheduler = ManualScheduler()
  let calls = Calls()
  let incidents = Noted<ScreenIncident>()

  struct Unreachable: Error {}

  /// The failures of loads that the engine has recorded.
  private var loadFailures: [ScreenIncident.Kind] {
    incidents.all.map(\.kind).filter { if case .loadFailure = $0 { true } else { false } }
  }

  private func engine() -> Engine {
    Engine(environment: ScreenEnvironment(scheduler: scheduler, record: incidents.add))
  }

  private func registry(every interval: Duration? = nil) -> ScreenRegistry {
    var registry = ScreenRegistry(engine())
    let calls = calls
    registry.register(
      WeatherScreen(source: Source("degrees", every: interval) { try await calls.call($0) }))
    return registry
  }

  @Test("is called by the opening command, and its answer is shown")
  func load() async throws {
    let registry = registry()
    let screen = try registry.instance(screen: "weather", key: "oslo")
    #expect(registry.descriptors[0].opening == "appear")
    let outcome = try await screen.send(type: "appear")
    #expect(outcome.isPending && screen.current.snapshot.states == ["degrees": "isLoading"])
    let call = try await calls.next()
    #expect(call.key == "oslo")
    call.answer.resume(returning: 12)
    let shown = await screen.change(after: outcome.revision)
    #expect(shown.snapshot.sections[0].rows[0].fields == ["n": 12])
    #expect(shown.cause == .loaded(source: "degrees"))
  }

  @Test(
    "says its own code and message if it throws a failure of a load, and else only the log has the error"
  )
  func failures() async throws {
    let screen = try registry().instance(screen: "weather", key: "oslo")
    let fog = LoadFailure(code: "fog", message: "No view.", reason: "password=secret")
    let failures: [(any Error, Text, detail: Text, reason: String)] = [
      (Unreachable(), "unavailable", "The source is unavailable.", "Unreachable()"),
      (fog, "fog", "No view.", "password=secret"),
    ]
    for (error, code, detail, reason) in failures {
      let outcome = try await screen.send(type: "loadDegrees")
      try await calls.next().answer.resume(throwing: error)
      let shown = await screen.change(after: outcome.revision)
      let row = shown.snapshot.sections[0].rows[0]
      #expect(row.fields["code"] == .string(code) && row.fields["detail"] == .string(detail))
      #expect(!String(decoding: row.encoded, as: UTF8.self).contains(reason))
      #expect(screen.incidents.first?.kind == loadFailures.last)
      guard case .loadFailure("degrees", let failure)? = loadFailures.last else {
        throw LawViolation("no failure is recorded")
      }
      #expect(failure.message == detail.string && failure.reason == reason)
      #expect(shown.cause == .failed(source: "degrees", code: code))
    }
  }

  /// Returns two screens with one source.
  private func sharing() throws -> (weather: Instance, trip: Instance) {
    let calls = calls
    let source = Source<Int>("degrees") { try await calls.call($0) }
    var registry = ScreenRegistry(engine())
    registry.register(WeatherScreen(source: source))
    registry.register(TripScreen(source: source))
    return (
      try registry.instance(screen: "weather", key: "oslo"),
      try registry.instance(screen: "trip", key: "oslo")
    )
  }

  @Test("is called once for all screens that wait for one key")
  func shared() async throws {
    let (weather, trip) = try sharing()
    let screens = [weather, trip]
    var tokens: [RevisionToken] = []
    for screen in screens {
      tokens.append(try await screen.send(type: "appear").revision)
    }
    try await calls.next().answer.resume(returning: 3)
    for (screen, token) in zip(screens, tokens) {
      let shown = await screen.change(after: token)
      #expect(shown.snapshot.states == ["degrees": "loaded"])
    }
    #expect(calls.total == 1)
  }

  @Test(
    "is called anew by a reload, although another screen has called it before",
    .timeLimit(.minutes(1)))
  func reload() async throws {
    let (weather, trip) = try sharing()
    let first = try await weather.send(type: "appear")
    let old = try await calls.next()
    let second = try await trip.send(type: "reload")
    let new = try await calls.next()
    // The value from before must reach neither screen.
    old.answer.resume(returning: 1)
    new.answer.resume(returning: 2)
    for (screen, token) in [(weather, first.revision), (trip, second.revision)] {
      let shown = await screen.change(after: token)
      #expect(shown.snapshot.sections[0].rows[0].fields == ["n": 2])
    }
    // One load after the other is called again.
    let third = try await trip.send(type: "loadDegrees")
    try await calls.next().answer.resume(returning: 3)
    let shown = await trip.change(after: third.revision)
    #expect(shown.snapshot.sections[0].rows[0].fields == ["n": 3])
    #expect(calls.total == 3)
  }

  @Test(
    "is called by at most 32 tasks at once for a key, also if they go on after their cancel",
    .timeLimit(.minutes(1)))
  func limit() async throws {
    let screen = try registry().instance(screen: "weather", key: "oslo")
    var begun: [Calls.Call] = []
    for _ in 1...32 {
      _ = try await screen.send(type: "loadDegrees")
      begun.append(try await calls.next())
      _ = try await screen.send(type: "cancelDegrees")
    }
    let token = try await screen.send(type: "loadDegrees").revision
    for _ in 1...100 { await Task.yield() }
    #expect(calls.total == 32)
    begun[0].answer.resume(returning: 0)
    try await calls.next().answer.resume(returning: 7)
    let shown = await screen.change(after: token)
    #expect(shown.snapshot.sections[0].rows[0].fields == ["n": 7])
    for call in begun.dropFirst() { call.answer.resume(returning: 0) }
  }

  @Test("times out, and an answer after that changes nothing")
  func timeout() async throws {
    let screen = try registry().instance(screen: "weather", key: "oslo")
    let outcome = try await screen.send(type: "appear")
    let call = try await calls.next()
    scheduler.advance(by: .seconds(10))
    let failed = await screen.change(after: outcome.revision)
    #expect(failed.cause == .failed(source: "degrees", code: "timed-out"))
    call.answer.resume(returning: 1)
    let again = try await screen.send(type: "loadDegrees")
    try await calls.next().answer.resume(returning: 2)
    let shown = await screen.change(after: again.revision)
    #expect(shown.snapshot.sections[0].rows[0].fields == ["n": 2])
  }

  @Test("is no failure of a load if it fails after the load was given up")
  func lateFailure() async throws {
    let screen = try registry().instance(screen: "weather", key: "oslo")
    _ = try await screen.send(type: "loadDegrees")
    let late = LoadToken.none.next
    _ = try await screen.send(type: "cancelDegrees")
    _ = try await screen.send(type: "loadDegrees")
    screen.engine.post(
      LoadEnd(
        host: screen.host, key: "oslo", epoch: screen.epoch, source: PartWork(part: "degrees"),
        token: late, value: nil, failure: .unavailable))
    #expect(screen.current.snapshot.states == ["degrees": "isLoading"])
    #expect(
      screen.incidents.map(\.kind)
        == [.transition(source: "degrees", .late, action: "failed", state: "isLoading")])
    // Nor does it show what was loaded for another view model, such as one that its key had before.
    screen.engine.post(
      LoadEnd(
        host: screen.host, key: "oslo", epoch: try #require(RevisionEpoch("otherone")),
        source: PartWork(part: "degrees"), token: late.next, value: 7, failure: nil))
    #expect(screen.current.snapshot.states == ["degrees": "isLoading"])
  }

  @Test("is called again by the clock: a failure keeps the value, and a new one shows in its place")
  func refresh() async throws {
    let screen = try registry(every: .seconds(60)).instance(screen: "weather", key: "oslo")
    var token = try await screen.send(type: "appear").revision
    try await calls.next().answer.resume(returning: 1)
    token = await screen.change(after: token).token
    // An input is applied once what follows from the one before is done.
    _ = try await screen.send(type: "cancelDegrees")
    scheduler.advance(by: .seconds(60))
    try await calls.next().answer.resume(throwing: Unreachable())
    try await wait {
      loadFailures == [.loadFailure(source: "degrees", .unavailable)]
        && scheduler.pendingCount == 1
    }
    #expect(screen.current.token == token)
    // The next call comes after the same time.
    scheduler.advance(by: .seconds(60))
    try await calls.next().answer.resume(returning: 2)
    let shown = await screen.change(after: token)
    #expect(shown.snapshot.sections[0].rows[0].fields == ["n": 2])
    #expect(screen.revisionCount == 4)
  }

  @Test(
    "is called again by the clock after a load by a command has failed, and its value ends the failure"
  )
  func refreshAfterFailure() async throws {
    let screen = try registry(every: .seconds(60)).instance(screen: "weather", key: "oslo")
    var token = try await screen.send(type: "appear").revision
    try await calls.next().answer.resume(returning: 1)
    token = await screen.change(after: token).token
    token = try await screen.send(type: "loadDegrees").revision
    try await calls.next().answer.resume(throwing: Unreachable())
    let failed = await screen.change(after: token)
    #expect(failed.snapshot.sections[0].rows.count == 2)
    try await wait { scheduler.pendingCount == 1 }
    for value in [2, 3] {
      scheduler.advance(by: .seconds(60))
      token = screen.current.token
      try await calls.next().answer.resume(returning: value)
      let shown = await screen.change(after: token)
      #expect(shown.snapshot.sections[0].rows.map(\.fields) == [["n": .integer(value)]])
      try await wait { scheduler.pendingCount == 1 }
    }
  }

  /// Opens a screen and holds it no longer.
  private func opened(in registry: ScreenRegistry) async throws -> ScreenKeepingTests.Glimpse {
    let screen = try registry.instance(screen: "weather", key: "oslo")
    _ = try await screen.send(type: "appear")
    return ScreenKeepingTests.Glimpse(screen)
  }

  @Test("is left alone by the clock while nothing reads the screen", .timeLimit(.minutes(1)))
  func unread() async throws {
    let engine = engine()
    let calls = calls
    var registry = ScreenRegistry(engine)
    registry.register(
      WeatherScreen(source: Source("degrees", every: .seconds(60)) { try await calls.call($0) }))
    let seen = try await opened(in: registry)
    let other = try registry.instance(screen: "weather", key: "bergen")
    try await calls.next().answer.resume(returning: 0)
    var minutes = 0
    while minutes < 60 {
      try await wait { seen.screen?.revisionCount == minutes + 3 }
      // An input is applied once what follows from the one before is done.
      _ = try await other.send(type: "cancelDegrees")
      scheduler.advance(by: .seconds(60))
      if engine.heldCalls.isEmpty { break }
      minutes += 1
      try await calls.next().answer.resume(returning: minutes)
    }
    #expect((9...12).contains(minutes), "after ten minutes")
    // The history is kept as long as that of any other screen.
    #expect(seen.screen?.revisionCount == minutes + 3)
    // A thread that has just applied the last input may hold the screen for a moment longer, or still be the one that
    // puts it to rest, so the clock goes on.
    try await wait {
      scheduler.advance(by: .seconds(800))
      return seen.screen == nil
    }
    #expect(calls.total == minutes + 1)
    let again = try registry.instance(screen: "weather", key: "oslo")
    let resting = again.current.token
    try await calls.next().answer.resume(returning: 99)
    let shown = await again.change(after: resting)
    #expect(shown.snapshot.sections[0].rows[0].fields == ["n": 99])
  }

  @Test("is called at once if something reads a screen at rest, also if histories have no age")
  func readAtRest() async throws {
    let engine = Engine(
      environment: ScreenEnvironment(
        scheduler: scheduler, logLimits: RevisionLogLimits(count: 1, age: .zero)))
    engine.holdCalls()
    var registry = ScreenRegistry(engine)
    registry.register(WeatherScreen(source: Source("degrees", every: .seconds(60)) { _ in 0 }))
    let seen = try await opened(in: registry)
    #expect(engine.answer("degrees", .success(1)))
    try await wait {
      scheduler.advance(by: .seconds(800))
      return seen.screen == nil
    }
    #expect(engine.heldCalls.isEmpty)
    _ = try registry.instance(screen: "weather", key: "oslo")
    #expect(engine.heldCalls.count == 1)
  }

  @Test("is called by the clock again once something reads a screen that was left alone")
  func readAgain() async throws {
    let engine = engine()
    engine.holdCalls()
    var registry = ScreenRegistry(engine)
    registry.register(WeatherScreen(source: Source("degrees", every: .seconds(60)) { _ in 0 }))
    let seen = try await opened(in: registry)
    var minutes = 0
    while engine.answer("degrees", .success(.integer(minutes))) {
      minutes += 1
      scheduler.advance(by: .seconds(60))
    }
    #expect((9...12).contains(minutes))
    scheduler.advance(by: .seconds(120))
    #expect(seen.screen?.current.snapshot.states == ["degrees": "loaded"])
    #expect(engine.heldCalls.isEmpty)
    scheduler.advance(by: .seconds(60))
    #expect(engine.heldCalls.count == 1)
  }
}
