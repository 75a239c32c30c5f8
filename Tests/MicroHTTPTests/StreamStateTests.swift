import Testing

@testable import MicroHTTP

@Suite("The state of a stream")
struct StreamStateTests {
  private typealias Row = [(StreamState.Event, StreamState.Action)]

  private func check(_ row: Row, sourceLocation: SourceLocation = #_sourceLocation) {
    var state = StreamState()
    let actions = row.map { state.event($0.0) }
    #expect(actions == row.map(\.1), sourceLocation: sourceLocation)
  }

  @Test("resumes once for each suspension")
  func resume() {
    check([
      (.ready, .ask), (.suspended, .none), (.raised, .resume), (.raised, .none),
      (.ready, .ask), (.suspended, .none), (.raised, .resume), (.ready, .ask),
    ])
  }

  @Test("never loses a signal before, during or after the call to the source")
  func signals() {
    // Before: the call that follows covers it.
    check([(.raised, .none), (.ready, .ask), (.suspended, .none)])
    // During or after: the suspension is undone at once.
    check([(.ready, .ask), (.raised, .none), (.suspended, .resume), (.ready, .ask)])
    check([
      (.ready, .ask), (.raised, .none), (.suspended, .resume), (.raised, .none), (.ready, .ask),
      (.suspended, .none), (.raised, .resume),
    ])
    // While a piece is being sent: the next call covers it.
    check([(.ready, .ask), (.raised, .none), (.raised, .none), (.ready, .ask), (.suspended, .none)])
  }

  @Test("ends properly if the server shuts down, in any phase")
  func finish() {
    check([(.finish, .none), (.ready, .end)])
    check([(.ready, .ask), (.finish, .none), (.suspended, .resume), (.ready, .end)])
    check([
      (.ready, .ask), (.suspended, .none), (.finish, .resume), (.finish, .none), (.raised, .none),
      (.clientLeft, .none), (.ready, .end),
    ])
    check([
      (.ready, .ask), (.suspended, .none), (.raised, .resume), (.finish, .none), (.ready, .end),
    ])
  }

  @Test("is cut if the client disconnects while the source waits")
  func clientLeft() {
    check([(.ready, .ask), (.clientLeft, .none), (.suspended, .none)])
    check([
      (.ready, .ask), (.suspended, .none), (.clientLeft, .resume), (.clientLeft, .none),
      (.raised, .none), (.finish, .none), (.ready, .cut),
    ])
  }

  @Test("ignores events after its end", arguments: StreamState.Event.allCases)
  func over(event: StreamState.Event) {
    check([(.over, .none), (event, event == .ready ? .cut : .none)])
    check([
      (.ready, .ask), (.raised, .none), (.over, .none), (event, event == .ready ? .cut : .none),
    ])
  }

  /// Plays all sequences of events up to a length that libmicrohttpd allows: the connection's
  /// thread acts only if the connection is not suspended, and other threads at any time.
  @Test("keeps resumes and suspensions in step in all sequences of 8 events")
  func exhaustive() {
    struct World {
      var state = StreamState()
      /// Whether libmicrohttpd has the connection suspended.
      var isSuspended = false
      /// Whether a resume is queued.
      var isResuming = false
      /// Whether a signal was raised that no call to the source has followed yet.
      var isPending = false
      var isOver = false
    }
    var count = 0
    func play(_ world: World, depth: Int) {
      count += 1
      // If a signal is pending, a call to the source must follow.
      if world.isPending, !world.isOver, world.isSuspended { #expect(world.isResuming) }
      if depth == 0 || world.isOver { return }
      for event in StreamState.Event.allCases {
        var next = world
        switch event {
        case .ready, .suspended, .over:
          // These come from the connection's thread, which runs only if it is not suspended.
          if world.isSuspended, !world.isResuming { continue }
          next.isSuspended = event == .suspended
          next.isResuming = false
        case .raised, .finish: next.isPending = true
        case .clientLeft: break
        }
        if event == .ready { next.isPending = false }
        if event == .over { next.isOver = true }
        if next.state.event(event) == .resume {
          #expect(next.isSuspended && !next.isResuming)
          next.isResuming = true
        }
        play(next, depth: depth - 1)
      }
    }
    play(World(), depth: 8)
    #expect(count > 10_000)
  }
}
