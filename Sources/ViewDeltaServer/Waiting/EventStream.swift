import HTTPTypes
import MicroHTTP
import Synchronization
import ViewState

/// Sends the answers to a question as Server-Sent Events (HTML Living Standard, section 9.2).
///
/// The stream remembers only where the client is by the last event. It makes a piece when the client has taken
/// the one before, so a client that reads slowly gets all changes in between as one.
final class EventStream: StreamSource, Waiter {
  /// The time after which an idle stream sends a comment: proxies close connections without traffic, often
  /// after half a minute.
  static let heartbeat = Duration.seconds(15)

  /// Waits for what the first answer needs, and returns the view models that it has made for it.
  typealias Preparation = @Sendable () async throws(ProblemDetails) -> [Instance]

  /// A line that clients ignore.
  private static let comment = Response(status: .ok, body: Array(":\n\n".utf8))

  private struct State: Sendable {
    /// Asks for what comes after the last event.
    var question: SharedQuestion
    var phase = Phase.awake(isIdle: false, after: nil)
    /// What has to happen before the first answer.
    var preparation: Preparation?
    var signal: StreamSignal?
  }

  private enum Phase: Sendable {
    /// The client has taken the last event, and the stream has to wait for the next one.
    case sent
    /// The answer is being sought on another thread, or the stream is about to wait.
    case busy
    case waiting(Waiters, index: Int)
    /// There may be news, which those with whom the stream has waited ask for together. If there is none, a
    /// comment is due if the stream is idle.
    case awake(isIdle: Bool, after: Waiters?)
    /// Another thread has found the answer.
    case found(Result<Answer, ProblemDetails>)
  }

  private let room: WaitingRoom
  private let thread: ReplyThread
  private let address: String
  private let endsAt: Duration
  private let state: Mutex<State>

  /// Creates a stream of the answers to a question, and takes a place for it, which it keeps until it ends.
  ///
  /// - Parameters:
  ///   - question: The question, whose first answer is always news.
  ///   - preparation: What has to happen before the first answer; `nil` for nothing. If it fails, the stream ends.
  ///   - lifetime: The time until the stream ends.
  ///   - room: The room in which it waits.
  ///   - thread: Finds the answers that take long.
  ///   - address: The address of the client.
  /// - Throws: The problems of a room that is full or closed.
  init(
    _ question: any Question,
    after preparation: Preparation? = nil,
    for lifetime: Duration, in room: WaitingRoom, on thread: ReplyThread, from address: String
  ) throws(ProblemDetails) {
    try room.takePlace(from: address)
    self.room = room
    self.thread = thread
    self.address = address
    endsAt = room.now + lifetime
    state = Mutex(State(question: SharedQuestion(question), preparation: preparation))
  }

  /// Sets the signal with which the stream asks for its next step.
  func attach(_ signal: StreamSignal) {
    state.withLock { $0.signal = signal }
  }

  func next() -> StreamStep {
    let now = room.now
    // A wait may end a little early. The stream ends then, too: after a comment the next wait would end at
    // once, over and over until the time is there.
    if room.isDraining || now + WaitingRoom.tick > endsAt { return .end }
    do throws(ProblemDetails) {
      while true {
        let (question, phase, preparation) = state.withLock { state in
          defer {
            switch state.phase {
            case .sent, .awake, .found: state.phase = .busy
            case .busy, .waiting: break
            }
          }
          return (state.question, state.phase, state.preparation.take())
        }
        switch phase {
        case .busy, .waiting: return .wait
        case .sent: wait(for: question, at: now)
        // An idle stream takes the answer of those with whom it has waited, which is known.
        case .awake(let isIdle, let waiters)
        where preparation != nil || !(isIdle && waiters != nil) && question.question.takesLong:
          search(question.question, after: preparation)
          return .wait
        case .awake(let isIdle, let waiters?):
          if let step = step(try waiters.latestAnswer(), isIdle: isIdle) { return step }
        case .awake(let isIdle, nil):
          if let step = step(try question.question.ask(), isIdle: isIdle) { return step }
        case .found(let answer):
          if let step = step(try answer.get(), isIdle: false) { return step }
        }
      }
    } catch {
      // The client learns of the problem when it connects again.
      return .end
    }
  }

  func ended() {
    let phase = state.withLock { state in
      state.signal = nil
      return state.phase
    }
    if case .waiting(let waiters, let index) = phase { waiters.leave(index) }
    room.leave([address])
  }

  func wake(_ response: Response, isNews: Bool, in batch: ResumeBatch) {
    let signal = state.withLock { state in
      var waiters: Waiters?
      if case .waiting(let all, _) = state.phase { waiters = all }
      state.phase = .awake(isIdle: !isNews, after: waiters)
      return state.signal
    }
    signal?.raise(in: batch)
  }

  /// Returns the step after an answer; `nil` if there is nothing to send.
  private func step(_ answer: Answer, isIdle: Bool) -> StreamStep? {
    state.withLock { state in
      state.phase = .sent
      switch answer {
      case .changed(let event, let next, _):
        if let next { state.question = next }
        return .send(event)
      case .unchanged: return isIdle ? .send(Self.comment) : nil
      }
    }
  }

  /// Waits for the next event, or for the time of the next comment or the end.
  private func wait(for question: SharedQuestion, at now: Duration) {
    let tick = room.tick(at: min(now + Self.heartbeat, endsAt))
    let (waiters, index) = room.join(
      Waiters.Entry(waiter: self, address: nil), for: question, until: tick)
    state.withLock { state in
      // The wait may be over already.
      if case .busy = state.phase { state.phase = .waiting(waiters, index: index) }
    }
  }

  /// Finds an answer on another thread, because all connections of this thread would wait.
  private func search(_ question: any Question, after preparation: Preparation?) {
    thread.run { [self] in
      // The client may have left before its turn.
      guard state.withLock({ $0.signal != nil }) else { return }
      let found: Result<Answer, ProblemDetails>
      do throws(ProblemDetails) {
        let made = try await preparation?()
        found = .success(try question.ask())
        withExtendedLifetime(made) {}
      } catch {
        found = .failure(error)
      }
      let signal = state.withLock { state in
        state.phase = .found(found)
        return state.signal
      }
      signal?.raise()
    }
  }
}
