import MicroHTTP
import Synchronization
import ViewState

/// Answers a request as soon as something has changed, its time is over or the server shuts down,
/// and forgets it if the client disconnects.
///
/// The shell around a ``LongPollState``. Ten thousand of these may wait, so each holds little: no task, no
/// timer, no copy of its request.
final class LongPoll<Asked: Question>: RevisionWatcher, WaitingRoom.Waiter {
  private struct State: Sendable {
    var life = LongPollState()
    var responder: Responder?
    var seat: WaitingRoom.Seat?
    var subscriptions: [any Cancellable] = []
  }

  private let question: Asked
  private let state = Mutex(State())

  private init(_ question: Asked) {
    self.question = question
  }

  /// Answers a request, at once if something has changed or `time` is zero.
  ///
  /// - Throws: The errors of the question, and the problems of a room that is full or closed.
  static func reply(
    to question: Asked, of request: Request, waiting time: Duration, in room: WaitingRoom
  ) throws(ProblemDetails) -> Reply {
    let answer = try question.ask()
    guard case .unchanged = answer, time > .zero else { return .now(answer.response) }
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

  /// Asks the question, and answers the request or subscribes to the next change.
  private func look() -> LongPollState.Event {
    let (subscriptions, isTimeOver) = state.withLock { state in
      defer { state.subscriptions = [] }
      return (state.subscriptions, state.life.isTimeOver)
    }
    for subscription in subscriptions { subscription.cancel() }
    while true {
      let answer: Answer
      do throws(ProblemDetails) {
        answer = try question.ask()
      } catch {
        return finish(with: error.response(instance: question.instance))
      }
      guard case .unchanged(_, let watched) = answer, !isTimeOver else {
        return finish(with: answer.response)
      }
      // Ask once more if something has changed since.
      if let subscriptions = watched.subscribe(self) {
        state.withLock { $0.subscriptions = subscriptions }
        return .foundNoChange
      }
    }
  }

  private func finish(with response: Response) -> LongPollState.Event {
    state.withLock { $0.responder }?.respond(response)
    return .answered
  }

  private func end() {
    let (seat, subscriptions) = state.withLock { state in
      defer {
        state.responder = nil
        state.seat = nil
        state.subscriptions = []
      }
      return (state.seat, state.subscriptions)
    }
    seat?.leave()
    for subscription in subscriptions { subscription.cancel() }
  }
}

extension Request {
  /// Makes a reply on another thread than the one that serves the connection, for work that takes long:
  /// all connections of that thread would wait.
  ///
  /// - Parameter reply: Makes the reply, which must not be a stream.
  func replyInTask(
    _ reply: @escaping @Sendable () throws(ProblemDetails) -> Reply
  ) -> Reply {
    .later { responder in
      Task {
        do throws(ProblemDetails) {
          switch try reply() {
          case .now(let response), .standing(let response, _): responder.respond(response)
          case .later(let park): park(responder)
          // Without a response the client gets a 500.
          case .stream: return
          }
        } catch {
          responder.respond(error.response(instance: path))
        }
      }
    }
  }
}
