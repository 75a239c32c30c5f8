import MicroHTTP
import Synchronization
import ViewState

/// A poll that waits: it is answered as soon as there is something to tell, when its time is over,
/// or when the server goes down, whichever comes first; and forgotten if its client leaves.
///
/// The shell around a ``LongPollState``. Ten thousand of these may wait, so each holds little: no
/// task, no timer, no copy of its request.
final class LongPoll<Asked: Question>: RevisionWatcher, WaitingRoom.Waiter {
  private struct State: Sendable {
    var life = LongPollState()
    var responder: Responder?
    var seat: WaitingRoom.Seat?
    var orders: [any Cancellable] = []
  }

  private let question: Asked
  private let state = Mutex(State())

  private init(_ question: Asked) {
    self.question = question
  }

  /// Answers a poll, at once if there is something to tell or no time to wait.
  ///
  /// - Throws: what the question throws, and the problems of a room that is full or closed.
  static func reply(
    to question: Asked, of request: Request, waiting time: Duration, in room: WaitingRoom
  ) throws(ProblemDetails) -> Reply {
    let finding = try question.ask()
    guard case .nothing = finding, time > .zero else { return .now(finding.response) }
    let poll = LongPoll(question)
    let seat = try room.admit(poll, from: request.remoteAddress, for: time)
    poll.state.withLock { $0.seat = seat }
    return .later { responder in
      responder.onAbandonment { poll.perform(.abandoned) }
      poll.state.withLock { $0.responder = responder }
      poll.perform(.parked)
    }
  }

  func revisionPublished() { perform(.changed) }

  func called(_ call: WaitingRoom.Call) { perform(.called) }

  private func perform(_ event: LongPollState.Event) {
    var event = event
    while true {
      switch state.withLock({ $0.life.event(event) }) {
      case .none: return
      case .look: event = look()
      case .end: return end()
      }
    }
  }

  /// Asks, and answers or has itself told of the next change.
  private func look() -> LongPollState.Event {
    let (orders, isTimeOver) = state.withLock { state in
      defer { state.orders = [] }
      return (state.orders, state.life.isTimeOver)
    }
    for order in orders { order.cancel() }
    while true {
      let finding: Finding
      do throws(ProblemDetails) {
        finding = try question.ask()
      } catch {
        return answer(error.response(instance: question.instance))
      }
      guard case .nothing(_, let watched) = finding, !isTimeOver else {
        return answer(finding.response)
      }
      // Otherwise something has changed since it was asked.
      if let orders = Watched.order(watched, for: self) {
        state.withLock { $0.orders = orders }
        return .foundNothing
      }
    }
  }

  private func answer(_ response: Response) -> LongPollState.Event {
    state.withLock { $0.responder }?.respond(response)
    return .answered
  }

  private func end() {
    let (seat, orders) = state.withLock { state in
      defer {
        state.responder = nil
        state.seat = nil
        state.orders = []
      }
      return (state.seat, state.orders)
    }
    seat?.leave()
    for order in orders { order.cancel() }
  }
}
