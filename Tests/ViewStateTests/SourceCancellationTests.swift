import CanonicalJSON
import TestSupport
import Testing

@testable import ViewState

/// Calls of a source that end only if they are cancelled.
@Suite("A call of a source that does not end is cancelled", .timeLimit(.minutes(5)))
struct SourceCancellationTests {
  let scheduler = ManualScheduler()
  let begun = Noted<Text>()
  let cancelled = Noted<Text>()

  /// Returns screens with one source, whose calls take for ever after so many.
  private func registry(every interval: Duration? = nil, answering count: Int = 0) -> ScreenRegistry
  {
    var registry = ScreenRegistry(Engine(environment: ScreenEnvironment(scheduler: scheduler)))
    let source = Source<Int>(every: interval) { [begun, cancelled] key in
      begun.add(key)
      if begun.all.count <= count { return 1 }
      let (stream, input) = AsyncStream<Void>.makeStream()
      for await _ in stream {}
      withExtendedLifetime(input) {}
      cancelled.add(key)
      return 2
    }
    registry.register(WeatherScreen(source: source))
    registry.register(TripScreen(source: source))
    return registry
  }

  /// Opens an instance, and waits until its source is called.
  private func opened(_ registry: ScreenRegistry) async throws -> Instance {
    let instance = try registry.instance(screen: "weather", key: "oslo")
    try await instance.send(type: "appear")
    try await wait { begun.all == ["oslo"] }
    return instance
  }

  @Test("if a command cancels the only load that waits for it")
  func command() async throws {
    let registry = registry()
    let instance = try await opened(registry)
    let trip = try registry.instance(screen: "trip", key: "oslo")
    try await trip.send(type: "appear")
    try await instance.send(type: "cancelDegrees")
    #expect(cancelled.all.isEmpty, "another instance waits for it")
    try await trip.send(type: "cancelDegrees")
    try await wait { cancelled.all == ["oslo"] }
  }

  @Test("if the load times out")
  func timeout() async throws {
    let registry = registry()
    let instance = try await opened(registry)
    scheduler.advance(by: .seconds(10))
    try await wait { cancelled.all == ["oslo"] }
    #expect(instance.current.snapshot.states == ["degrees": "failed"])
  }

  @Test("if another instance reloads, which calls the source anew for both")
  func reload() async throws {
    let registry = registry()
    let instance = try await opened(registry)
    try await registry.instance(screen: "trip", key: "oslo").send(type: "reload")
    try await wait { cancelled.all == ["oslo"] && begun.all == ["oslo", "oslo"] }
    #expect(instance.current.snapshot.states == ["degrees": "isLoading"])
  }

  @Test("if the engine goes")
  func end() async throws {
    do { _ = try await opened(registry()) }
    try await wait { cancelled.all == ["oslo"] }
  }

  @Test("if the clock has asked for it, and it takes too long")
  func refresh() async throws {
    let registry = registry(every: .seconds(60), answering: 1)
    let instance = try await opened(registry)
    try await wait { instance.current.snapshot.states == ["degrees": "loaded"] }
    // An input is applied once what follows from the one before is done.
    try await instance.send(type: "cancelDegrees")
    scheduler.advance(by: .seconds(60))
    try await wait { begun.all.count == 2 }
    scheduler.advance(by: .seconds(10))
    try await wait { cancelled.all == ["oslo"] }
    #expect(instance.current.snapshot.states == ["degrees": "loaded"])
  }

  @Test("if two readers at once have asked for it, and it takes too long")
  func readers() async throws {
    let registry = registry(every: .seconds(60), answering: 1)
    let instance = try await opened(registry)
    try await wait { instance.current.snapshot.states == ["degrees": "loaded"] }
    // An input is applied once what follows from the one before is done.
    try await instance.send(type: "cancelDegrees")
    instance.refreshAll()
    try await wait { begun.all.count == 2 }
    // It is not made again for another reader, and ends although one has asked for it twice.
    instance.refreshAll()
    for _ in 1...100 { await Task.yield() }
    #expect(begun.all.count == 2 && cancelled.all.isEmpty)
    scheduler.advance(by: .seconds(10))
    try await wait { cancelled.all == ["oslo"] }
  }
}
