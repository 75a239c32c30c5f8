import HTTPTypes
import MicroHTTP
import Synchronization
import ViewState

/// Bounds the number of requests that wait for a change, and calls each at its deadline and all of them when
/// the server shuts down.
///
/// The shell around a ``WaiterRegistry``: it has the lock, the clock and one timer for all.
final class WaitingRoom: Sendable {
  /// The reason for a call.
  enum Call: Sendable {
    /// The deadline is due.
    case deadline
    /// The server shuts down.
    case drain
  }

  /// A request that waits.
  protocol Waiter: AnyObject, Sendable {
    /// Continues the request. The room calls this at each deadline, and when the server shuts down; it must
    /// not block.
    func called(_ call: Call)
  }

  /// The time by which a call may come early at most.
  static let earliness = DeadlineQueue<Registry.ID>.tick

  private struct State: Sendable {
    var registry: Registry
    /// The timer and the time that it is set to; `nil` if there is none.
    var alarm: (time: Duration, timer: any Cancellable)?
  }

  fileprivate typealias Registry = WaiterRegistry<any Waiter>

  private let state: Mutex<State>
  private let scheduler: any Scheduler

  init(limits: WaitingLimits, scheduler: any Scheduler) {
    state = Mutex(State(registry: Registry(limits: limits)))
    self.scheduler = scheduler
  }

  /// The number of waiters.
  var count: Int { state.withLock { $0.registry.count } }

  /// Gives a waiter a place.
  ///
  /// - Parameters:
  ///   - waiter: The waiter to call.
  ///   - address: The address of the client.
  ///   - time: The time until the first call.
  /// - Throws: A 429 or 503 problem with Retry-After if there are too many waiters, a 503 problem if the
  ///   server shuts down.
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

  /// Calls all waiters, in the order in which they came, and gives no more places.
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
      // A timer that was cancelled may ring all the same, and must not remove the one in its place.
      if state.alarm?.time == time { state.alarm = nil }
    }
    guard case .call(let waiters) = perform(.tick(scheduler.now)) else { return }
    for waiter in waiters { waiter.called(.deadline) }
  }

  /// The place of a waiter in the room, which the waiter leaves when its wait is over.
  struct Seat: Sendable {
    fileprivate let room: WaitingRoom
    fileprivate let id: Registry.ID

    /// Sets the time until the next call.
    func renew(for time: Duration) { room.renew(id, for: time) }

    /// Gives the place up. Does nothing the second time.
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
        detail: "the server lets no more requests wait for a change", fields: retry)
    case .tooManyFromAddress:
      self.init(
        status: .tooManyRequests, code: "too-many-waiting-here",
        detail: "the server lets no more requests of this address wait for a change",
        fields: retry)
    case .draining:
      self.init(
        status: .serviceUnavailable, code: "shutting-down",
        detail: "the server is shutting down, and no request may wait", fields: retry)
    }
  }
}
