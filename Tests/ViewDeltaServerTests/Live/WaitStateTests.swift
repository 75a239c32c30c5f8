import Testing

@testable import ViewDeltaServer

@Suite("The state of a wait")
struct WaitStateTests {
  typealias Event = WaitState.Event

  @Test(
    "looks once at a time, misses no event during a look, and ends once",
    arguments: [
      ([.foundNoChange(isDeserted: false), .changed], [.none, .look]),
      ([.changed, .changed, .foundNoChange(isDeserted: false)], [.none, .none, .look]),
      ([.called, .foundNoChange(isDeserted: false)], [.none, .look]),
      ([.foundNoChange(isDeserted: false), .called, .answered], [.none, .look, .end]),
      ([.answered, .changed, .called, .deserted, .answered], [.end, .none, .none, .none, .none]),
      ([.foundNoChange(isDeserted: false), .deserted, .changed], [.none, .end, .none]),
      ([.deserted, .foundNoChange(isDeserted: true), .called], [.none, .end, .none]),
      ([.changed, .foundNoChange(isDeserted: true)], [.none, .end]),
      // Another one has come after the last has left.
      ([.deserted, .foundNoChange(isDeserted: false), .changed], [.none, .none, .look]),
    ] as [([Event], [WaitState.Action])])
  func table(events: [Event], actions: [WaitState.Action]) {
    var state = WaitState()
    #expect(events.map { state.event($0) } == actions)
    #expect(state.isOver == actions.contains(.end))
  }

  @Test("knows whether its time is over")
  func time() {
    var state = WaitState()
    #expect(!state.isTimeOver)
    _ = state.event(.changed)
    #expect(!state.isTimeOver)
    _ = state.event(.called)
    #expect(state.isTimeOver)
    #expect(WaitState(isTimeOver: true).isTimeOver)
  }
}
