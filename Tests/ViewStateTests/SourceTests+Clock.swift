import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@testable import ViewState

/// The clock calls a source again while something reads the instance.
extension SourceTests {
  @Test("is called again by the clock: a failure keeps the value, and a new one shows in its place")
  func refresh() async throws {
    let instance = try registry(every: .seconds(60)).instance(screen: "weather", key: "oslo")
    var token = try await instance.send(type: "appear").revision
    try await calls.next().answer.resume(returning: 1)
    token = await instance.change(after: token).token
    // An input is applied once what follows from the one before is done.
    _ = try await instance.send(type: "cancelDegrees")
    scheduler.advance(by: .seconds(60))
    try await calls.next().answer.resume(throwing: Unreachable())
    try await wait {
      loadFailures == [.loadFailure(source: "degrees", .unavailable)]
        && scheduler.pendingCount == 1
    }
    #expect(instance.current.token == token)
    // The next call comes after the same time.
    scheduler.advance(by: .seconds(60))
    try await calls.next().answer.resume(returning: 2)
    let shown = await instance.change(after: token)
    #expect(shown.snapshot.sections[0].rows[0].fields == ["n": 2])
    #expect(instance.revisionCount == 4)
  }

  @Test(
    "is called again by the clock after a load by a command has failed, and its value ends the failure"
  )
  func refreshAfterFailure() async throws {
    let instance = try registry(every: .seconds(60)).instance(screen: "weather", key: "oslo")
    var token = try await instance.send(type: "appear").revision
    try await calls.next().answer.resume(returning: 1)
    token = await instance.change(after: token).token
    token = try await instance.send(type: "loadDegrees").revision
    try await calls.next().answer.resume(throwing: Unreachable())
    let failed = await instance.change(after: token)
    #expect(failed.snapshot.sections[0].rows.count == 2)
    try await wait { scheduler.pendingCount == 1 }
    for value in [2, 3] {
      scheduler.advance(by: .seconds(60))
      token = instance.current.token
      try await calls.next().answer.resume(returning: value)
      let shown = await instance.change(after: token)
      #expect(shown.snapshot.sections[0].rows.map(\.fields) == [["n": .integer(value)]])
      try await wait { scheduler.pendingCount == 1 }
    }
  }

  @Test("is called again by the clock: the same value is no input, and an outage is one incident")
  func sameAgain() async throws {
    let engine = engine()
    engine.holdCalls()
    let registry = ScreenRegistry(
      engine, of: WeatherScreen(source: Source(every: .seconds(10)) { _ in 0 }))
    let instance = try registry.instance(screen: "weather", key: "oslo")
    _ = try await instance.send(type: "appear")
    func answer(_ result: Result<JSONValue, LoadFailure>) async throws {
      try await wait { !engine.heldCalls.isEmpty }
      #expect(engine.answer("degrees", result))
      try await wait { scheduler.pendingCount == 1 }
      scheduler.advance(by: .seconds(10))
    }
    try await answer(.success(1))
    let inputs = engine.statistics.position
    for outage in 1...2 {
      for _ in 1...3 { try await answer(.failure(.unavailable)) }
      #expect(loadFailures.count == outage)
      for _ in 1...3 { try await answer(.success(1)) }
    }
    #expect(engine.statistics.position == inputs)
    try await answer(.failure(.timedOut))
    try await answer(.failure(.unavailable))
    #expect(loadFailures.count == 4)
    try await answer(.success(2))
    #expect(engine.statistics.position == inputs + 1)
    #expect(instance.current.snapshot.sections[0].rows[0].fields == ["n": 2])
  }

  @Test("is called again by the clock: after a load by a command, a failure is a new incident")
  func failureAfterLoad() async throws {
    let instance = try registry(every: .seconds(60)).instance(screen: "weather", key: "oslo")
    var token = try await instance.send(type: "appear").revision
    for number in 1...2 {
      try await calls.next().answer.resume(returning: number)
      _ = await instance.change(after: token)
      // An input is applied once what follows from the one before is done.
      _ = try await instance.send(type: "cancelDegrees")
      scheduler.advance(by: .seconds(60))
      try await calls.next().answer.resume(throwing: Unreachable())
      try await wait { loadFailures.count == number && scheduler.pendingCount == 1 }
      token = try await instance.send(type: "loadDegrees").revision
    }
    try await calls.next().answer.resume(returning: 3)
  }

  /// Opens an instance and holds it no longer.
  private func opened(in registry: ScreenRegistry) async throws -> InstanceKeepingTests.Glimpse {
    let instance = try registry.instance(screen: "weather", key: "oslo")
    _ = try await instance.send(type: "appear")
    return InstanceKeepingTests.Glimpse(instance)
  }

  @Test("is left alone by the clock while nothing reads the instance", .timeLimit(.minutes(5)))
  func unread() async throws {
    let engine = engine()
    let calls = calls
    let registry = ScreenRegistry(
      engine, of: WeatherScreen(source: Source(every: .seconds(60)) { try await calls.call($0) }))
    let seen = try await opened(in: registry)
    let other = try registry.instance(screen: "weather", key: "bergen")
    try await calls.next().answer.resume(returning: 0)
    var minutes = 0
    while minutes < 60 {
      try await wait { seen.instance?.revisionCount == minutes + 3 }
      // An input is applied once what follows from the one before is done.
      _ = try await other.send(type: "cancelDegrees")
      scheduler.advance(by: .seconds(60))
      if engine.heldCalls.isEmpty { break }
      minutes += 1
      try await calls.next().answer.resume(returning: minutes)
    }
    #expect((9...12).contains(minutes), "after ten minutes")
    // The history is kept as long as that of any other instance.
    #expect(seen.instance?.revisionCount == minutes + 3)
    // A thread that has just applied the last input may hold the instance for a moment longer, or still be the one that
    // puts it to rest, so the clock goes on.
    try await wait {
      scheduler.advance(by: .seconds(800))
      return seen.instance == nil
    }
    #expect(calls.total == minutes + 1)
    let again = try registry.instance(screen: "weather", key: "oslo")
    let resting = again.current.token
    try await calls.next().answer.resume(returning: 99)
    let shown = await again.change(after: resting)
    #expect(shown.snapshot.sections[0].rows[0].fields == ["n": 99])
  }

  @Test("is called at once if something reads an instance at rest, also if histories have no age")
  func readAtRest() async throws {
    let engine = Engine(
      environment: ScreenEnvironment(
        scheduler: scheduler, logLimits: RevisionLogLimits(count: 1, age: .zero)))
    engine.holdCalls()
    let registry = ScreenRegistry(
      engine, of: WeatherScreen(source: Source(every: .seconds(60)) { _ in 0 }))
    let seen = try await opened(in: registry)
    #expect(engine.answer("degrees", .success(1)))
    try await wait {
      scheduler.advance(by: .seconds(800))
      return seen.instance == nil
    }
    #expect(engine.heldCalls.isEmpty)
    _ = try registry.instance(screen: "weather", key: "oslo")
    #expect(engine.heldCalls.count == 1)
  }

  @Test("is called by the clock again once something reads an instance that was left alone")
  func readAgain() async throws {
    let engine = engine()
    engine.holdCalls()
    let registry = ScreenRegistry(
      engine, of: WeatherScreen(source: Source(every: .seconds(60)) { _ in 0 }))
    let seen = try await opened(in: registry)
    var minutes = 0
    while engine.answer("degrees", .success(.integer(minutes))) {
      minutes += 1
      scheduler.advance(by: .seconds(60))
    }
    #expect((9...12).contains(minutes))
    scheduler.advance(by: .seconds(120))
    #expect(seen.instance?.current.snapshot.states == ["degrees": "loaded"])
    #expect(engine.heldCalls.isEmpty)
    scheduler.advance(by: .seconds(60))
    #expect(engine.heldCalls.count == 1)
  }
}
