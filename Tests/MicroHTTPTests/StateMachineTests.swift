import HTTPTypes
import Testing

@testable import MicroHTTP

@Suite("The deadline of a connection")
struct ConnectionDeadlineTests {
  private let limits: ConnectionDeadline.Limits = {
    var configuration = ServerConfiguration()
    configuration.idleTimeout = .seconds(100)
    configuration.headDeadline = .seconds(10)
    configuration.bodyDeadline = .seconds(20)
    configuration.replyDeadline = .seconds(30)
    return ConnectionDeadline.Limits(configuration)
  }()

  /// Returns the deadline in seconds after events at the given seconds; nil if there is none.
  private func deadline(after events: [(UInt64, ConnectionDeadline.Event)]) -> UInt64? {
    var connection = ConnectionDeadline()
    for (second, event) in events {
      connection.event(event, at: MonotonicTime(nanoseconds: second * 1_000_000_000), limits)
    }
    return connection.deadline == .never ? nil : connection.deadline.nanoseconds / 1_000_000_000
  }

  @Test("is set once for a head, however often bytes come")
  func head() {
    #expect(deadline(after: []) == nil)
    #expect(deadline(after: [(1, .opened)]) == 11)
    #expect(deadline(after: [(1, .opened), (5, .requestLine)]) == 11)
  }

  @Test("is set anew for a body and for a reply, and absent for a parked request")
  func later() {
    #expect(deadline(after: [(1, .opened), (6, .head)]) == 26)
    #expect(deadline(after: [(1, .opened), (6, .parked)]) == nil)
    #expect(deadline(after: [(1, .parked), (6, .replying(bytes: 10))]) == 36)
    #expect(deadline(after: [(6, .replying(bytes: 1 << 20))]) == 66)
    #expect(deadline(after: [(6, .replying(bytes: .max))]) == nil)
  }

  @Test("is counted from the request line for a later request")
  func keptAlive() {
    #expect(deadline(after: [(1, .replied)]) == 101)
    #expect(deadline(after: [(1, .replied), (50, .requestLine)]) == 60)
    #expect(deadline(after: [(1, .replied), (100, .requestLine)]) == 110)
    #expect(deadline(after: [(1, .replied), (2, .requestLine), (3, .requestLine)]) == 12)
  }

  @Test("expires once, at its time and not before")
  func expiry() {
    var connection = ConnectionDeadline()
    connection.event(.opened, at: MonotonicTime(nanoseconds: 0), limits)
    let found = [9_999_999_999, 10_000_000_000, 20_000_000_000].map {
      connection.takeExpiry(at: MonotonicTime(nanoseconds: $0))
    }
    #expect(found == [false, true, false])
  }
}

@Suite("The clock of the deadlines")
struct ServiceClockTests {
  @Test("takes a time that exceeds its numbers for the longest one")
  func longTimes() {
    #expect(Duration.nanoseconds(1_500_000_000).wholeNanoseconds == 1_500_000_000)
    #expect(Duration.milliseconds(-1).wholeNanoseconds == 0)
    for milliseconds in [0, 700, 710, 999, 1_000] {
      let time = Duration.seconds(UInt64.max / 1_000_000_000) + .milliseconds(milliseconds)
      let expected = UInt64.max / 1_000_000_000 * 1_000_000_000
      #expect(
        time.wholeNanoseconds
          == (milliseconds > 700 ? .max : expected + UInt64(milliseconds) * 1_000_000))
    }
  }

  @Test("advances with the time, but no tick exceeds the longest step")
  func steps() {
    var clock = ServiceClock(at: MonotonicTime(nanoseconds: 1_000), longestStep: 100)
    func time(after tick: UInt64) -> UInt64 {
      clock.tick(at: MonotonicTime(nanoseconds: tick))
      return clock.now.nanoseconds
    }
    #expect(time(after: 1_000) == 1_000)
    #expect(time(after: 1_060) == 1_060)
    #expect(time(after: 1_160) == 1_160)
    // After a delay the remaining time of all connections is unchanged.
    #expect(time(after: 900_000) == 1_260)
    #expect(time(after: 900_050) == 1_310)
    // The coarse clocks of two processors may differ.
    #expect(time(after: 900_040) == 1_310)
    #expect(time(after: 900_060) == 1_320)
  }
}

@Suite("The drain")
struct DrainTests {
  private func at(_ second: UInt64) -> MonotonicTime {
    MonotonicTime(nanoseconds: second * 1_000_000_000)
  }

  @Test("stops as soon as no request is in flight and no connection suspended")
  func quiet() {
    var drain = Drain()
    #expect(drain.event(.tick(inFlight: 0, suspended: 0), at: at(0)) == .none)
    #expect(!drain.isDraining)
    #expect(drain.event(.requested(grace: 10_000_000_000), at: at(1)) == .refuseAndSettle)
    #expect(drain.isDraining)
    #expect(drain.event(.tick(inFlight: 2, suspended: 1), at: at(2)) == .none)
    #expect(drain.event(.tick(inFlight: 1, suspended: 0), at: at(3)) == .none)
    #expect(drain.event(.tick(inFlight: 0, suspended: 0), at: at(4)) == .stop)
    #expect(drain.event(.tick(inFlight: 0, suspended: 0), at: at(5)) == .none)
    #expect(drain.event(.requested(grace: 0), at: at(6)) == .none)
  }

  @Test("cuts replies after the grace period, but never stops with a suspended connection")
  func grace() {
    var drain = Drain()
    _ = drain.event(.requested(grace: 10_000_000_000), at: at(0))
    #expect(drain.event(.tick(inFlight: 5, suspended: 1), at: at(9)) == .none)
    #expect(drain.event(.tick(inFlight: 5, suspended: 1), at: at(10)) == .cut)
    #expect(drain.event(.tick(inFlight: 5, suspended: 0), at: at(11)) == .stop)
    var stuck = Drain()
    _ = stuck.event(.requested(grace: 0), at: at(0))
    #expect(stuck.event(.tick(inFlight: 1, suspended: 1), at: at(4)) == .cut)
    #expect(stuck.event(.tick(inFlight: 1, suspended: 1), at: at(5)) == .abandon)
  }

  @Test("shortens the grace period on a second request, and never extends it")
  func secondRequest() {
    var drain = Drain()
    _ = drain.event(.requested(grace: 10_000_000_000), at: at(0))
    #expect(drain.event(.requested(grace: 60_000_000_000), at: at(1)) == .none)
    var other = drain
    #expect(other.event(.tick(inFlight: 1, suspended: 0), at: at(10)) == .stop)
    #expect(drain.event(.tick(inFlight: 1, suspended: 0), at: at(9)) == .none)
    #expect(drain.event(.requested(grace: 0), at: at(9)) == .none)
    #expect(drain.event(.tick(inFlight: 1, suspended: 0), at: at(9)) == .stop)
  }
}

@Suite("The state of a parked request")
struct ParkingSpaceTests {
  private let reply = Response(status: .ok)

  private func name(_ action: ParkingSpace.Action) -> String {
    switch action {
    case .none: "none"
    case .suspend: "suspend"
    case .settled: "settled"
    case .resume: "resume"
    case .resumeAndRun: "resume and run"
    case .run: "run"
    }
  }

  @Test(
    "resumes exactly once, even if an event is repeated",
    arguments: [
      (["answer", "answer"], ["resume", "none"]),
      (["answer", "abandon"], ["resume", "none"]),
      (["abandon", "answer"], ["resume", "none"]),
      (["abandon", "abandon"], ["resume", "none"]),
      (["watch", "abandon", "abandon"], ["none", "resume and run", "none"]),
      (["watch", "answer", "abandon"], ["none", "resume", "none"]),
      (["abandon", "watch"], ["resume", "run"]),
      (["abandon", "take", "watch"], ["resume", "taken", "run"]),
      (["answer", "take", "watch"], ["resume", "taken", "none"]),
      (["answer", "take", "answer"], ["resume", "taken", "none"]),
      (["take", "answer"], ["taken", "resume"]),
    ])
  func once(events: [String], actions: [String]) {
    var space = ParkingSpace()
    #expect(name(space.event(.suspend)) == "suspend")
    #expect(perform(events, on: &space) == actions)
  }

  @Test(
    "is settled without a suspended connection if an event comes first",
    arguments: [
      (["answer", "suspend", "take"], ["settled", "none", "taken"]),
      (["answer", "answer", "abandon", "suspend"], ["settled", "none", "none", "none"]),
      (["watch", "answer", "suspend"], ["none", "settled", "none"]),
      (["abandon", "suspend", "take", "watch"], ["settled", "none", "taken", "run"]),
      (["watch", "abandon", "suspend"], ["none", "run", "none"]),
      (["watch", "suspend", "abandon"], ["none", "suspend", "resume and run"]),
    ])
  func atOnce(events: [String], actions: [String]) {
    var space = ParkingSpace()
    #expect(perform(events, on: &space) == actions)
  }

  /// Returns the names of the actions that events cause.
  private func perform(_ events: [String], on space: inout ParkingSpace) -> [String] {
    events.map { event in
      switch event {
      case "suspend": return name(space.event(.suspend))
      case "answer": return name(space.event(.answer(reply)))
      case "abandon": return name(space.event(.abandon(nil)))
      case "watch": return name(space.event(.onAbandonment {}))
      default:
        _ = space.take()
        return "taken"
      }
    }
  }
}
