import MicroHTTP
import Synchronization
import ViewState

/// Lets requests wait for a change: bounds their number, brings together those that wait for the same, and
/// answers them when their time is over or the server shuts down.
final class WaitingRoom: Sendable {
  private struct State: Sendable {
    var places: WaitingPlaces
    var waiting = DeadlineQueue<SharedQuestion, Waiters>()
    /// The timer and the time that it is set to; `nil` if there is none.
    var alarm: (time: Duration, timer: any Cancellable)?
  }

  /// The unit of deadlines. A wait ends up to this much early, and never late.
  static let tick = Duration.milliseconds(100)

  private let state: Mutex<State>
  private let scheduler: any Scheduler

  init(limits: WaitingLimits, scheduler: any Scheduler) {
    state = Mutex(State(places: WaitingPlaces(limits: limits)))
    self.scheduler = scheduler
  }

  /// The number of requests that wait.
  var count: Int { state.withLock { $0.places.count } }

  /// Whether the server shuts down.
  var isDraining: Bool { state.withLock { $0.places.isDraining } }

  /// The time of the room's clock.
  var now: Duration { scheduler.now }

  /// Returns the last tick up to a time.
  func tick(at time: Duration) -> Int64 { Int64((time / Self.tick).rounded(.down)) }

  /// Takes a place for a request; see ``WaitingPlaces/take(from:)``.
  func takePlace(from address: String) throws(ProblemDetails) {
    try state.withLock { state throws(ProblemDetails) in try state.places.take(from: address) }
  }

  /// Gives back places that were taken from these addresses.
  func leave(_ addresses: [String]) {
    if addresses.isEmpty { return }
    state.withLock { state in
      for address in addresses { state.places.leave(address) }
    }
  }

  /// Lets a request wait until its question has an answer or its time is over, which may be at once.
  ///
  /// - Parameters:
  ///   - entry: The request, which has a place.
  ///   - question: The question.
  ///   - tick: The tick at which its time is over.
  /// - Returns: Those who wait for the same, and the index of the request among them.
  func join(
    _ entry: Waiters.Entry, for question: SharedQuestion, until tick: Int64
  ) -> (Waiters, index: Int) {
    let (waiters, index) = state.withLock { state -> (Waiters, Int?) in
      if let known = state.waiting[question, at: tick], let index = known.add(entry) {
        return (known, index)
      }
      let made = Waiters(
        entry, for: question, until: tick, in: self, isTimeOver: state.places.isDraining)
      state.waiting[question, at: tick] = made
      setAlarm(&state)
      return (made, nil)
    }
    if index == nil { waiters.begin() }
    return (waiters, index ?? 0)
  }

  /// Forgets those whose wait is over.
  func remove(_ waiters: Waiters) {
    let question = waiters.question
    state.withLock { state in
      // Others may wait for the same by now.
      guard state.waiting[question, at: waiters.tick] === waiters else { return }
      state.waiting[question, at: waiters.tick] = nil
    }
  }

  /// Answers all who wait, and gives no more places.
  func drain() {
    let all = state.withLock { state in
      state.places.isDraining = true
      return state.waiting.values
    }
    for waiters in all { waiters.call() }
  }

  /// Sets the timer to the next deadline if it would come too late.
  private func setAlarm(_ state: inout State) {
    guard let next = state.waiting.next else { return }
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
    let due = state.withLock { state in
      // A timer that was cancelled may ring all the same, and must not remove the one in its place.
      if state.alarm?.time == time { state.alarm = nil }
      defer { setAlarm(&state) }
      return state.waiting.takeDue(at: scheduler.now)
    }
    for waiters in due { waiters.call() }
  }
}

extension WaitingRoom {
  /// Answers a request as soon as something has changed, its time is over or the server shuts down, and
  /// forgets it if the client disconnects. Answers at once if something has changed or `time` is zero.
  ///
  /// - Throws: The errors of the question, and the problems of a room that is full or closed.
  func reply(
    to question: some Question, of request: Request, waiting time: Duration
  ) throws(ProblemDetails) -> Reply {
    let answer = try question.ask()
    guard case .unchanged = answer, time > .zero else { return .now(answer.response) }
    let tick = tick(at: now + time)
    let address = request.remoteAddress
    try takePlace(from: address)
    return .later { responder in
      let entry = Waiters.Entry(waiter: responder, address: address)
      let (waiters, index) = self.join(entry, for: SharedQuestion(question), until: tick)
      responder.onAbandonment { waiters.leave(index) }
    }
  }
}

extension Responder: Waiter {
  func wake(_ response: Response, isNews: Bool, in batch: ResumeBatch) {
    respond(response, in: batch)
  }
}
