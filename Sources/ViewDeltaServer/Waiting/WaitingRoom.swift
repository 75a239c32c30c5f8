import HTTPTypes
import MicroHTTP
import Synchronization
import ViewState

/// Where requests wait for a change: knows how many there are, calls them at their deadlines, and
/// all of them when the server goes down.
///
/// The shell around a ``WaiterRegistry``: it has the lock, the clock and one timer for all.
final class WaitingRoom: Sendable {
  /// Why somebody is called.
  enum Call: Sendable {
    /// The deadline is there.
    case deadline
    /// The server goes down.
    case drain
  }

  /// Who waits.
  protocol Waiter: AnyObject, Sendable {
    /// The deadline of the waiter is there, or the end of the server. It must not block, and may be
    /// called again where the waiter renews.
    func called(_ call: Call)
  }

  /// By how much less than this a call may come before its time.
  static let earliness = DeadlineQueue<Registry.ID>.tick

  private struct State: Sendable {
    var registry: Registry
    /// What the timer is set to; `nil` where none is.
    var alarm: (time: Duration, timer: any Cancellable)?
  }

  fileprivate typealias Registry = WaiterRegistry<any Waiter>

  private let state: Mutex<State>
  private let scheduler: any Scheduler

  init(limits: WaitingLimits, scheduler: any Scheduler) {
    state = Mutex(State(registry: Registry(limits: limits)))
    self.scheduler = scheduler
  }

  /// How many wait.
  var count: Int { state.withLock { $0.registry.count } }

  /// Takes somebody in.
  ///
  /// - Parameters:
  ///   - waiter: Who is called.
  ///   - address: Where the client is.
  ///   - time: How long until the first call.
  /// - Throws: a 429 or 503 problem with Retry-After where there are too many already, a 503 problem
  ///   where the server goes down.
  func admit(
    _ waiter: any Waiter, from address: String, for time: Duration
  ) throws(ProblemDetails) -> Seat {
    let deadline = scheduler.now + time
    switch perform(.arrive(waiter, from: address, deadline: deadline)) {
    case .admitted(let id): return Seat(room: self, id: id)
    case .refused(let refusal): throw ProblemDetails(refusal)
    case .none, .call: preconditionFailure("an arrival is admitted or refused")
    }
  }

  /// Calls everybody, in the order in which they came, and takes nobody in from now on.
  func drain() {
    guard case .call(let waiters) = perform(.drain) else { return }
    for waiter in waiters { waiter.called(.drain) }
  }

  fileprivate func renew(_ id: Registry.ID, for time: Duration) {
    _ = perform(.renew(id, deadline: scheduler.now + time))
  }

  fileprivate func leave(_ id: Registry.ID) {
    _ = perform(.leave(id))
  }

  private func perform(
    _ event: Registry.Event
  ) -> Registry.Action {
    state.withLock { state in
      defer { setAlarm(&state) }
      return state.registry.event(event)
    }
  }

  /// Sets the timer to the next deadline if it would come too late.
  private func setAlarm(_ state: inout State) {
    guard let next = state.registry.nextDeadline else { return }
    if let alarm = state.alarm {
      if alarm.time <= next { return }
      alarm.timer.cancel()
    }
    let timer = scheduler.schedule(after: max(.zero, next - scheduler.now)) { [weak self] in
      self?.ring(at: next)
    }
    state.alarm = (next, timer)
  }

  private func ring(at time: Duration) {
    state.withLock { state in
      // A timer that was replaced, and rang all the same, must not end the one in its place.
      if state.alarm?.time == time { state.alarm = nil }
    }
    guard case .call(let waiters) = perform(.tick(scheduler.now)) else { return }
    for waiter in waiters { waiter.called(.deadline) }
  }

  /// A place in the room. Whoever has one leaves it when the wait is over.
  struct Seat: Sendable {
    fileprivate let room: WaitingRoom
    fileprivate let id: Registry.ID

    /// Has the waiter called again, so much later.
    func renew(for time: Duration) { room.renew(id, for: time) }

    /// Gives the place up. Leaving twice does nothing.
    func leave() { room.leave(id) }
  }
}

extension ProblemDetails {
  fileprivate init(_ refusal: WaitingRoom.Registry.Refusal) {
    let retry: HTTPFields = [.retryAfter: "5"]
    switch refusal {
    case .tooMany:
      self.init(
        status: .serviceUnavailable, code: "too-many-waiting",
        detail: "as many requests wait for a change as this server takes", fields: retry)
    case .tooManyFromAddress:
      self.init(
        status: .tooManyRequests, code: "too-many-waiting-here",
        detail: "as many requests of this address wait for a change as this server takes",
        fields: retry)
    case .draining:
      self.init(
        status: .serviceUnavailable, code: "shutting-down",
        detail: "the server goes down and lets nobody wait", fields: retry)
    }
  }
}
