import HTTPTypes
import Testing

@testable import MicroHTTP

@Suite("The watch over a connection")
struct ConnectionWatchTests {
  private let limits: ConnectionWatch.Limits = {
    var configuration = ServerConfiguration()
    configuration.idleTimeout = .seconds(100)
    configuration.headerDeadline = .seconds(10)
    configuration.bodyDeadline = .seconds(20)
    configuration.replyDeadline = .seconds(30)
    return ConnectionWatch.Limits(configuration)
  }()

  /// The deadline in seconds after these events, each at its second; nil for never.
  private func deadline(after events: [(UInt64, ConnectionWatch.Event)]) -> UInt64? {
    var watch = ConnectionWatch()
    for (second, event) in events {
      _ = watch.event(event, at: MonotonicTime(nanoseconds: second * 1_000_000_000), limits)
    }
    return watch.deadline == .never ? nil : watch.deadline.nanoseconds / 1_000_000_000
  }

  @Test("gives a head its time once, however often bytes come")
  func head() {
    #expect(deadline(after: []) == nil)
    #expect(deadline(after: [(1, .opened)]) == 11)
    #expect(deadline(after: [(1, .opened), (5, .requestLine)]) == 11)
    #expect(deadline(after: [(1, .opened), (5, .requestLine), (6, .head(hasBody: false))]) == 11)
  }

  @Test("gives a body and a reply their own time, and a parked request any")
  func later() {
    #expect(deadline(after: [(1, .opened), (6, .head(hasBody: true))]) == 26)
    #expect(deadline(after: [(1, .opened), (6, .parked)]) == nil)
    #expect(deadline(after: [(1, .parked), (6, .replying(bytes: 10))]) == 36)
    #expect(deadline(after: [(6, .replying(bytes: 1 << 20))]) == 66)
    #expect(deadline(after: [(6, .replying(bytes: .max))]) == nil)
  }

  @Test("tightens an idle connection's deadline when the next request begins")
  func keptAlive() {
    #expect(deadline(after: [(1, .replied)]) == 111)
    #expect(deadline(after: [(1, .replied), (50, .requestLine)]) == 60)
    #expect(deadline(after: [(1, .replied), (108, .requestLine)]) == 111)
  }
}

@Suite("The drain")
struct DrainTests {
  private func at(_ second: UInt64) -> MonotonicTime {
    MonotonicTime(nanoseconds: second * 1_000_000_000)
  }

  @Test("stops as soon as nothing is in flight or suspended")
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

  @Test("cuts replies after the grace, but never stops with a suspended connection")
  func grace() {
    var drain = Drain()
    _ = drain.event(.requested(grace: 10_000_000_000), at: at(0))
    #expect(drain.event(.tick(inFlight: 5, suspended: 1), at: at(10)) == .none)
    #expect(drain.event(.tick(inFlight: 5, suspended: 0), at: at(11)) == .stop)
    var stuck = Drain()
    _ = stuck.event(.requested(grace: 0), at: at(0))
    #expect(stuck.event(.tick(inFlight: 1, suspended: 1), at: at(4)) == .none)
    #expect(stuck.event(.tick(inFlight: 1, suspended: 1), at: at(5)) == .abandon)
  }

  @Test("takes a second request as a shorter grace only")
  func secondRequest() {
    var drain = Drain()
    _ = drain.event(.requested(grace: 10_000_000_000), at: at(0))
    #expect(drain.event(.requested(grace: 60_000_000_000), at: at(1)) == .none)
    #expect(drain.event(.tick(inFlight: 1, suspended: 0), at: at(9)) == .none)
    #expect(drain.event(.requested(grace: 0), at: at(9)) == .none)
    #expect(drain.event(.tick(inFlight: 1, suspended: 0), at: at(9)) == .stop)
  }
}

@Suite("The space of a parked request")
struct ParkingSpaceTests {
  private let reply = Response(status: .ok)

  private func name(_ action: ParkingSpace.Action) -> String {
    switch action {
    case .none: "none"
    case .resume: "resume"
    case .resumeAndRun: "resume and run"
    case .run: "run"
    }
  }

  @Test(
    "resumes exactly once, whatever comes twice",
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
    let seen = events.map { event in
      switch event {
      case "answer": return name(space.event(.answer(reply)))
      case "abandon": return name(space.event(.abandon(nil)))
      case "watch": return name(space.event(.onAbandonment {}))
      default:
        _ = space.take()
        return "taken"
      }
    }
    #expect(seen == actions)
  }
}
