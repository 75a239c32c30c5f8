import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Synchronization
import ViewState

/// Sends the answers to a question as Server-Sent Events (HTML Living Standard, section 9.2).
///
/// The stream remembers only where the client is by the last event. It makes a piece when the client has taken
/// the one before, so a client that reads slowly gets all changes in between as one.
final class EventStream<Asked: ContinuedQuestion>: StreamSource, RevisionWatcher,
  WaitingRoom.Waiter
{
  /// The time after which an idle stream sends a comment: proxies close connections without traffic, often
  /// after half a minute.
  static var heartbeat: Duration { .seconds(15) }

  /// A line that clients ignore.
  private static var comment: Response { Response(status: .ok, body: Array(":\n\n".utf8)) }

  private struct State: Sendable {
    var question: Asked
    /// How far the first answer is; `nil` after it.
    var opening: Opening? = .due
    var signal: StreamSignal?
    var seat: WaitingRoom.Seat?
    var subscriptions: [any Cancellable] = []
    var isHeartbeatDue = false
    var isEndDue = false
  }

  /// The search for the first answer.
  private enum Opening: Sendable {
    case due
    case searched
    case found(Result<Answer, ProblemDetails>, next: Asked)
  }

  private let scheduler: any Scheduler
  private let endsAt: Duration
  private let state: Mutex<State>

  /// Creates a stream of the answers to a question.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - lifetime: The time until the stream ends.
  ///   - scheduler: The clock.
  init(_ question: Asked, for lifetime: Duration, scheduler: any Scheduler) {
    self.scheduler = scheduler
    endsAt = scheduler.now + lifetime
    state = Mutex(State(question: question))
  }

  /// Takes a place in the room that calls the stream for its comments and its end.
  ///
  /// - Throws: The problems of a room that is full or closed.
  func takeSeat(in room: WaitingRoom, from address: String) throws(ProblemDetails) {
    let seat = try room.admit(self, from: address, for: pause)
    state.withLock { $0.seat = seat }
  }

  /// Sets the signal with which the stream asks for its next step.
  func attach(_ signal: StreamSignal) {
    state.withLock { $0.signal = signal }
  }

  func next() -> StreamStep {
    let step = step()
    if case .send = step { state.withLock { $0.seat }?.renew(for: pause) }
    return step
  }

  func ended() {
    let (seat, subscriptions) = state.withLock { state in
      defer {
        state.signal = nil
        state.subscriptions = []
      }
      return (state.seat, state.subscriptions)
    }
    seat?.leave()
    for subscription in subscriptions { subscription.cancel() }
  }

  /// The time until the next comment, or the end, of an idle stream.
  private var pause: Duration { min(Self.heartbeat, endsAt - scheduler.now) }

  func revisionPublished() {
    state.withLock { $0.signal }?.raise()
  }

  func called(_ call: WaitingRoom.Call) {
    // The call may come a little early. The stream ends then, too: after a comment the next call would come
    // at once, over and over until the time is there.
    let isEndDue = call == .drain || scheduler.now + WaitingRoom.earliness > endsAt
    let signal = state.withLock { state in
      if isEndDue { state.isEndDue = true } else { state.isHeartbeatDue = true }
      return state.signal
    }
    signal?.raise()
  }

  private func step() -> StreamStep {
    let (isEndDue, subscriptions) = state.withLock { state in
      defer { state.subscriptions = [] }
      return (state.isEndDue, state.subscriptions)
    }
    for subscription in subscriptions { subscription.cancel() }
    if isEndDue { return .end }
    do throws(ProblemDetails) {
      while let answer = try answer() {
        switch answer {
        case .changed(let event): return .send(event)
        case .unchanged(_, let watched):
          if takeHeartbeat() { return .send(Self.comment) }
          if let subscriptions = watched.subscribe(self) {
            state.withLock { $0.subscriptions = subscriptions }
            return .wait
          }
        }
      }
      return .wait
    } catch {
      // The client learns of the problem when it connects again.
      return .end
    }
  }

  /// Asks the question. If finding the first answer takes long, another thread does, which raises the signal
  /// then: all connections of this thread would wait.
  ///
  /// - Returns: `nil` as long as it is not found.
  private func answer() throws(ProblemDetails) -> Answer? {
    var (question, opening) = state.withLock { ($0.question, $0.opening) }
    let answer: Answer
    switch opening {
    case .searched: return nil
    case .due where question.takesLong:
      search(question)
      return nil
    case .found(let found, let next):
      question = next
      answer = try found.get()
    case .due, nil: answer = try question.next()
    }
    if case .changed = answer {
      state.withLock { state in
        state.question = question
        state.opening = nil
        state.isHeartbeatDue = false
      }
    }
    return answer
  }

  private func search(_ question: Asked) {
    state.withLock { $0.opening = .searched }
    Task { [self, question] in
      var question = question
      let found = Result { () throws(ProblemDetails) in try question.next() }
      let signal = state.withLock { state in
        state.opening = .found(found, next: question)
        return state.signal
      }
      signal?.raise()
    }
  }

  private func takeHeartbeat() -> Bool {
    state.withLock { state in
      defer { state.isHeartbeatDue = false }
      return state.isHeartbeatDue
    }
  }
}
