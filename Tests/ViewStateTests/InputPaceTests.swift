import CanonicalJSON
import TestSupport
import Testing

@testable import ViewState

@Suite("The pace of inputs")
struct InputPaceTests {
  @Test("is quick until an input takes longer than the limit, and again after quick ones")
  func fading() {
    let pace = InputPace()
    #expect(pace.isQuick)
    pace.add(InputPace.limit)
    #expect(pace.isQuick)
    pace.add(.milliseconds(40))
    var quickInputs = 0
    while !pace.isQuick, quickInputs < 1_000 {
      pace.add(.microseconds(50))
      quickInputs += 1
    }
    #expect(quickInputs == 58)
  }

  @Test(
    "stays slow while one input in fifty is slow, and is slow at once if time jumps"
  )
  func slow() {
    let pace = InputPace()
    for number in 0..<1_000 {
      pace.add(number % 50 == 0 ? .milliseconds(40) : .zero)
      #expect(!pace.isQuick)
    }
    let other = InputPace()
    other.add(.seconds(-1))
    #expect(other.isQuick)
    other.add(.seconds(Int64.max))
    #expect(!other.isQuick)
  }

  @Test("of an engine is that of the inputs that it applies, with all that they publish")
  func engine() async throws {
    let scheduler = ManualScheduler()
    let engine = Engine(environment: ScreenEnvironment(scheduler: scheduler))
    var fragile = FragileScreen()
    fragile.whileAssembling = { if $0 == 5 { scheduler.advance(by: .milliseconds(2)) } }
    var registry = ScreenRegistry(engine)
    registry.register(fragile)
    let screen = try registry.instance(screen: "fragile", key: "1")
    try await screen.set(to: 2)
    #expect(engine.isQuick)
    try await screen.set(to: 5)
    #expect(!engine.isQuick)
  }

  @Test("of an engine with a journal is not quick, because a thread that records an input waits")
  func journal() throws {
    let environment = ScreenEnvironment(scheduler: ManualScheduler())
    #expect(Engine(environment: environment).isQuick)
    #expect(try !Engine(environment: environment, journal: MemoryJournal()).isQuick)
  }
}
