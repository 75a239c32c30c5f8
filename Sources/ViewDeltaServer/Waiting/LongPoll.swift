import MicroHTTP
import Synchronization
import ViewState

/// A poll that waits: it is answered as soon as there is something to tell, when its time is over,
/// or when the server goes down, whichever comes first; and forgotten if its client leaves.
///
/// What happens to it may come from many threads at once. It goes through a mailbox, so that it is
/// handled one after the other and no look at the question is lost.
final class LongPoll: Sendable {
  private enum Event: Sendable {
    /// The request is parked.
    case parked(Responder)
    /// Something that the question asks for may have changed.
    case changed
    /// Its time is over, or the server's.
    case called
    /// The client is gone.
    case abandoned
  }

  /// Touched by the reader of the mailbox alone; the lock shows the compiler what the mailbox
  /// guarantees, and is never contended.
  private struct State: Sendable {
    var responder: Responder?
    var orders = WatchOrders()
    var isTimeOver = false
    var isOver = false
  }

  private let question: any Question
  private let path: String
  private let mailbox = Mailbox<Event>()
  private let state = Mutex(State())
  /// Set once, before anybody else knows the poll.
  private let seat = Mutex<WaitingRoom.Seat?>(nil)

  private init(_ question: any Question, path: String) {
    self.question = question
    self.path = path
  }

  /// Answers a poll, at once if there is something to tell or no time to wait.
  ///
  /// - Throws: what the question throws, and the problems of a room that is full or closed.
  static func reply(
    to question: some Question, of request: Request, waiting time: Duration, in room: WaitingRoom
  ) throws(ProblemDetails) -> Reply {
    let finding = try question.ask()
    guard case .nothing = finding, time > .zero else { return .now(finding.response) }
    let poll = LongPoll(question, path: request.path)
    let seat = try room.admit(from: request.remoteAddress, for: time) { _ in poll.post(.called) }
    poll.seat.withLock { $0 = seat }
    return .later { responder in
      responder.onAbandonment { poll.post(.abandoned) }
      poll.post(.parked(responder))
    }
  }

  private func post(_ event: Event) {
    mailbox.post(event)
    mailbox.drain(handle)
  }

  private func handle(_ event: Event) {
    switch event {
    case .parked(let responder):
      state.withLock { $0.responder = responder }
      look()
    case .changed:
      look()
    case .called:
      state.withLock { $0.isTimeOver = true }
      look()
    case .abandoned:
      end(with: nil)
    }
  }

  /// Asks, and ends the poll or goes on waiting.
  private func look() {
    let (isReady, isTimeOver) = state.withLock { state in
      state.orders.cancel()
      return (state.responder != nil && !state.isOver, state.isTimeOver)
    }
    guard isReady else { return }
    while true {
      let finding: Finding
      do throws(ProblemDetails) {
        finding = try question.ask()
      } catch {
        return end(with: error.response(instance: path))
      }
      guard case .nothing(_, let watched) = finding, !isTimeOver else {
        return end(with: finding.response)
      }
      let waits = state.withLock { state in
        state.orders.place(watched) { [self] in post(.changed) }
      }
      // Otherwise something has changed since it was asked.
      if waits { return }
    }
  }

  private func end(with response: Response?) {
    let responder = state.withLock { state in
      defer {
        state.orders.cancel()
        state.responder = nil
        state.isOver = true
      }
      return state.responder
    }
    seat.withLock { $0 }?.leave()
    if let response { responder?.respond(response) }
  }
}
