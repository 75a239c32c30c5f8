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
  var loadFailures: [ScreenIncident.Kind] {
    incidents.all.map(\.kind).filter { if case .loadFailure = $0 { true } else { false } }
  }

  func engine() -> Engine {
    Engine(environment: ScreenEnvironment(scheduler: scheduler, record: incidents.add))
  }

  func registry(every interval: Duration? = nil) -> ScreenRegistry {
    var registry = ScreenRegistry(engine())
    let calls = calls
    registry.register(
      WeatherScreen(source: Source(every: interval) { try await calls.call($0) }))
    return registry
  }

  @Test("is called by the opening command, and its answer is shown")
  func load() async throws {
    let registry = registry()
    let instance = try registry.instance(screen: "weather", key: "oslo")
    #expect(registry.descriptors[0].opening == "appear")
    let outcome = try await instance.send(type: "appear")
    #expect(outcome.isPending && instance.current.snapshot.states == ["degrees": "isLoading"])
    let call = try await calls.next()
    #expect(call.key == "oslo")
    call.answer.resume(returning: 12)
    let shown = await instance.change(after: outcome.revision)
    #expect(shown.snapshot.sections[0].rows[0].fields == ["n": 12])
    #expect(shown.cause == .loaded(source: "degrees"))
  }

  @Test(
    "says its own code and message if it throws a failure of a load, and else only the log has the error"
  )
  func failures() async throws {
    let instance = try registry().instance(screen: "weather", key: "oslo")
    let fog = LoadFailure(code: "fog", message: "No view.", reason: "password=secret")
    let failures: [(any Error, Text, detail: Text, reason: String)] = [
      (Unreachable(), "unavailable", "The source is unavailable.", "Unreachable()"),
      (fog, "fog", "No view.", "password=secret"),
    ]
    for (error, code, detail, reason) in failures {
      let outcome = try await instance.send(type: "loadDegrees")
      try await calls.next().answer.resume(throwing: error)
      let shown = await instance.change(after: outcome.revision)
      let row = shown.snapshot.sections[0].rows[0]
      #expect(row.fields["code"] == .string(code) && row.fields["detail"] == .string(detail))
      #expect(!String(decoding: row.encoded, as: UTF8.self).contains(reason))
      #expect(instance.incidents.first?.kind == loadFailures.last)
      guard case .loadFailure("degrees", let failure)? = loadFailures.last else {
        throw LawViolation("no failure is recorded")
      }
      #expect(failure.message == detail.string && failure.reason == reason)
      #expect(shown.cause == .failed(source: "degrees", code: code))
    }
  }

  @Test("is no incident if it says that the load was cancelled")
  func cancelled() async throws {
    let instance = try registry().instance(screen: "weather", key: "oslo")
    let outcome = try await instance.send(type: "loadDegrees")
    try await calls.next().answer.resume(throwing: LoadFailure.cancelled)
    let shown = await instance.change(after: outcome.revision)
    #expect(shown.cause == .failed(source: "degrees", code: "cancelled"))
    #expect(instance.incidents.isEmpty && loadFailures.isEmpty)
  }

  /// Returns two instances with one source.
  private func sharing() throws -> (weather: Instance, trip: Instance) {
    let calls = calls
    let source = Source<Int> { try await calls.call($0) }
    let registry = ScreenRegistry(
      engine(), of: WeatherScreen(source: source), TripScreen(source: source))
    return (
      try registry.instance(screen: "weather", key: "oslo"),
      try registry.instance(screen: "trip", key: "oslo")
    )
  }

  @Test("is called once for all instances that wait for one key")
  func shared() async throws {
    let (weather, trip) = try sharing()
    let instances = [weather, trip]
    var tokens: [RevisionToken] = []
    for instance in instances {
      tokens.append(try await instance.send(type: "appear").revision)
    }
    try await calls.next().answer.resume(returning: 3)
    for (instance, token) in zip(instances, tokens) {
      let shown = await instance.change(after: token)
      #expect(shown.snapshot.states == ["degrees": "loaded"])
    }
    #expect(calls.total == 1)
  }

  @Test(
    "is called anew by a reload, although another instance has called it before",
    .timeLimit(.minutes(5)))
  func reload() async throws {
    let (weather, trip) = try sharing()
    let first = try await weather.send(type: "appear")
    let old = try await calls.next()
    let second = try await trip.send(type: "reload")
    let new = try await calls.next()
    // The value from before must reach neither instance.
    old.answer.resume(returning: 1)
    new.answer.resume(returning: 2)
    for (instance, token) in [(weather, first.revision), (trip, second.revision)] {
      let shown = await instance.change(after: token)
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
    .timeLimit(.minutes(5)))
  func limit() async throws {
    let instance = try registry().instance(screen: "weather", key: "oslo")
    var begun: [Calls.Call] = []
    for _ in 1...32 {
      _ = try await instance.send(type: "loadDegrees")
      begun.append(try await calls.next())
      _ = try await instance.send(type: "cancelDegrees")
    }
    let token = try await instance.send(type: "loadDegrees").revision
    for _ in 1...100 { await Task.yield() }
    #expect(calls.total == 32)
    begun[0].answer.resume(returning: 0)
    try await calls.next().answer.resume(returning: 7)
    let shown = await instance.change(after: token)
    #expect(shown.snapshot.sections[0].rows[0].fields == ["n": 7])
    for call in begun.dropFirst() { call.answer.resume(returning: 0) }
  }

  @Test("times out, and an answer after that changes nothing")
  func timeout() async throws {
    let instance = try registry().instance(screen: "weather", key: "oslo")
    let outcome = try await instance.send(type: "appear")
    let call = try await calls.next()
    scheduler.advance(by: .seconds(10))
    let failed = await instance.change(after: outcome.revision)
    #expect(failed.cause == .failed(source: "degrees", code: "timed-out"))
    call.answer.resume(returning: 1)
    let again = try await instance.send(type: "loadDegrees")
    try await calls.next().answer.resume(returning: 2)
    let shown = await instance.change(after: again.revision)
    #expect(shown.snapshot.sections[0].rows[0].fields == ["n": 2])
  }

  @Test("is no failure of a load if it fails after the load was given up")
  func lateFailure() async throws {
    let instance = try registry().instance(screen: "weather", key: "oslo")
    _ = try await instance.send(type: "loadDegrees")
    let late = LoadToken.none.next
    _ = try await instance.send(type: "cancelDegrees")
    _ = try await instance.send(type: "loadDegrees")
    instance.engine.post(
      LoadEnd(
        host: instance.host, key: "oslo", epoch: instance.epoch, source: PartWork(part: "degrees"),
        token: late, value: nil, failure: .unavailable))
    #expect(instance.current.snapshot.states == ["degrees": "isLoading"])
    #expect(
      instance.incidents.map(\.kind)
        == [.transition(source: "degrees", .late, action: "failed", state: "isLoading")])
    // Nor does it show what was loaded for another view model, such as one that its key had before.
    instance.engine.post(
      LoadEnd(
        host: instance.host, key: "oslo", epoch: try #require(RevisionEpoch("otherone")),
        source: PartWork(part: "degrees"), token: late.next, value: 7, failure: nil))
    #expect(instance.current.snapshot.states == ["degrees": "isLoading"])
  }
}
