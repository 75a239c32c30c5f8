import MicroHTTP
import Synchronization
import ViewState

/// A request that waits.
protocol Waiter: AnyObject, Sendable {
  /// Continues the request: its wait is over.
  ///
  /// - Parameters:
  ///   - response: The answer to its question.
  ///   - isNews: Whether the wait is over because of the answer. Otherwise its time is over, or the server
  ///     shuts down.
  ///   - batch: The requests that continue together.
  func wake(_ response: Response, isNews: Bool, in batch: ResumeBatch)
}

/// The requests that wait for the answer to one question until one time.
///
/// They wait as one: with one subscription, and one of them looks for the answer of all. Ten thousand
/// requests may wait, so each has only an entry here.
final class Waiters: RevisionWatcher {
  /// One of the requests.
  struct Entry: Sendable {
    let waiter: any Waiter
    /// The address whose place the request gives back when its wait is over; `nil` if it keeps the place.
    let address: String?
  }

  private struct State: Sendable {
    var life: WaitState
    /// The requests in the order in which they came; `nil` for one that has left.
    var entries: [Entry?]
    /// The indexes of those that have left, which the next to come take.
    var vacant: [Int] = []
    var subscriptions: [any Cancellable] = []
    /// The last answer.
    var answer: Answer?

    var isDeserted: Bool { vacant.count == entries.count }
  }

  let question: SharedQuestion
  /// The tick until which they wait.
  let tick: Int64
  private let room: WaitingRoom
  private let state: Mutex<State>

  /// Creates a wait, of which the first request has index 0.
  ///
  /// - Parameters:
  ///   - first: The first request.
  ///   - question: The question.
  ///   - tick: The tick at which the time is over.
  ///   - room: The room.
  ///   - isTimeOver: Whether to answer at once.
  init(
    _ first: Entry, for question: SharedQuestion, until tick: Int64, in room: WaitingRoom,
    isTimeOver: Bool
  ) {
    self.question = question
    self.tick = tick
    self.room = room
    state = Mutex(State(life: WaitState(isTimeOver: isTimeOver), entries: [first]))
  }

  /// Adds a request.
  ///
  /// - Returns: Its index for ``leave(_:)``; `nil` if the wait is over already.
  func add(_ entry: Entry) -> Int? {
    state.withLock { state in
      if state.life.isOver { return nil }
      if let index = state.vacant.popLast() {
        state.entries[index] = entry
        return index
      }
      state.entries.append(entry)
      return state.entries.count - 1
    }
  }

  /// Removes a request that was added, unless its wait is over.
  func leave(_ index: Int) {
    let (address, action) = state.withLock { state -> (String?, WaitState.Action) in
      if state.life.isOver { return (nil, .none) }
      defer { state.entries[index] = nil }
      state.vacant.append(index)
      return (
        state.entries[index]?.address, state.isDeserted ? state.life.event(.deserted) : .none
      )
    }
    if let address { room.leave([address]) }
    perform(action)
  }

  /// Looks for the answer for the first time.
  func begin() { perform(.look) }

  func revisionPublished() { perform(state.withLock { $0.life.event(.changed) }) }

  /// Answers all, because their time is over or the server shuts down.
  func call() { perform(state.withLock { $0.life.event(.called) }) }

  private func perform(_ action: WaitState.Action) {
    var action = action
    var answer: (response: Response, isNews: Bool)?
    while action == .look {
      answer = look()
      action = state.withLock { state in
        state.life.event(answer == nil ? .foundNoChange(isDeserted: state.isDeserted) : .answered)
      }
    }
    if action == .end { end(answer) }
  }

  /// Asks the question.
  ///
  /// - Returns: The answer for all; `nil` if there is none yet and the next change is subscribed to.
  private func look() -> (response: Response, isNews: Bool)? {
    let (subscriptions, isTimeOver) = state.withLock { state in
      defer { state.subscriptions = [] }
      return (state.subscriptions, state.life.isTimeOver)
    }
    subscriptions.cancelAll()
    while true {
      let answer: Answer
      do throws(ProblemDetails) {
        answer = try ask()
      } catch {
        return (error.response(instance: question.question.requestPath), true)
      }
      guard case .unchanged(let response, let watched) = answer else {
        return (answer.response, true)
      }
      if isTimeOver { return (response, false) }
      // Ask once more if something has changed since.
      if let subscriptions = watched.subscribe(self) {
        state.withLock { $0.subscriptions = subscriptions }
        return nil
      }
    }
  }

  /// Returns the answer as of now, for which the question is asked only if something has changed since the
  /// last time.
  func latestAnswer() throws(ProblemDetails) -> Answer {
    if let answer = state.withLock({ $0.answer }), answer.isCurrent { return answer }
    return try ask()
  }

  private func ask() throws(ProblemDetails) -> Answer {
    let answer = try question.question.ask()
    state.withLock { $0.answer = answer }
    return answer
  }

  private func end(_ answer: (response: Response, isNews: Bool)?) {
    let (entries, subscriptions) = state.withLock { state in
      defer { (state.entries, state.vacant, state.subscriptions) = ([], [], []) }
      return (state.entries, state.subscriptions)
    }
    subscriptions.cancelAll()
    room.remove(self)
    // A client that has its answer may come again at once, and finds its place free.
    room.leave(entries.compactMap { $0?.address })
    guard let answer else { return }
    let batch = ResumeBatch()
    for entry in entries { entry?.waiter.wake(answer.response, isNews: answer.isNews, in: batch) }
    batch.resume()
  }
}
