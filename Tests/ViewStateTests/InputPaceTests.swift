import CanonicalJSON
import TestSupport
import Testing

@testable import ViewState

@Suite("The pace of inputs")
struct InputPaceTests {
  @Test("is quick until an input takes longer than the limit, and again after quick ones")
  func fading() {
    let pace = InputPace()
    #expect(pace.isQuick(at: .zero))
    pace.add(InputPace.limit, endingAt: .zero)
    #expect(pace.isQuick(at: .zero))
    pace.add(.milliseconds(10), endingAt: .zero)
    var quickInputs = 0
    while !pace.isQuick(at: .zero), quickInputs < 1_000 {
      pace.add(.microseconds(50), endingAt: .zero)
      quickInputs += 1
    }
    #expect(quickInputs == 36)
  }

  @Test(
    "is slow for a minute after a very long input, however many quick ones follow, also after years",
    arguments: [5, 2 * 365 * 86_400])
  func rest(seconds: Int) {
    let pace = InputPace()
    let now = Duration.seconds(seconds)
    pace.add(.milliseconds(21), endingAt: now)
    for _ in 1...1_000 { pace.add(.microseconds(50), endingAt: now) }
    #expect(!pace.isQuick(at: now + .milliseconds(59_999)) && pace.isQuick(at: now + .seconds(60)))
  }

  @Test(
    "stays slow while one input in forty is slow, and is slow at once if time jumps"
  )
  func slow() {
    let pace = InputPace()
    for number in 0..<1_000 {
      pace.add(number % 40 == 0 ? .milliseconds(20) : .zero, endingAt: .zero)
      #expect(!pace.isQuick(at: .zero))
    }
    let other = InputPace()
    other.add(.seconds(-1), endingAt: .zero)
    #expect(other.isQuick(at: .zero))
    other.add(.seconds(Int64.max), endingAt: .seconds(Int64.max))
    #expect(!other.isQuick(at: .seconds(Int64.max)))
  }

  @Test("of an engine is that of the inputs that requests send, with all that they publish")
  func engine() async throws {
    let scheduler = ManualScheduler()
    let engine = Engine(environment: ScreenEnvironment(scheduler: scheduler))
    var fragile = FragileScreen()
    fragile.whileAssembling = { if $0 == 5 { scheduler.advance(by: .milliseconds(2)) } }
    let registry = ScreenRegistry(engine, of: fragile)
    let instance = try registry.instance(screen: "fragile", key: "1")
    try await instance.set(to: 2)
    #expect(engine.isQuick)
    try await instance.set(to: 5)
    #expect(!engine.isQuick)
  }

  @Test("of an engine does not count the ends of loads, which requests leave to other threads")
  func load() async throws {
    let scheduler = ManualScheduler()
    let engine = Engine(environment: ScreenEnvironment(scheduler: scheduler))
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    // It comes while the thread of a request applies the input of that request.
    var fragile = FragileScreen()
    fragile.whileAssembling = { [weak engine] number in
      if number == 2 {
        engine?.post(
          LongInput {
            scheduler.advance(by: .milliseconds(100))
            end.yield()
          })
      }
    }
    let registry = ScreenRegistry(engine, of: fragile)
    try await registry.instance(screen: "fragile", key: "1").set(to: 2)
    for await _ in ends { break }
    try await registry.instance(screen: "fragile", key: "1").set(to: 3)
    #expect(engine.isQuick)
  }

  @Test("of an engine with a journal is not quick, because a thread that records an input waits")
  func journal() throws {
    let environment = ScreenEnvironment(scheduler: ManualScheduler())
    #expect(Engine(environment: environment).isQuick)
    #expect(try !Engine(environment: environment, journal: MemoryJournal()).isQuick)
  }
}

/// An input that no request has sent, and that takes its time.
private struct LongInput: Input {
  let take: @Sendable () -> Void
  let subject: Text = "test"

  func apply(in step: Step) { take() }

  func json() -> JSONValue { ["kind": "long"] }
}
