import MicroHTTP
import ViewState

/// A question of a client that can be asked again until something has changed.
protocol Question: Sendable {
  /// The path of the request, for problems that occur after a wait.
  var instance: String { get }

  /// Finds the answer as of now.
  ///
  /// - Throws: A problem that ends the poll.
  func ask() throws(ProblemDetails) -> Answer
}

/// A question that a stream asks again and again, each time about the changes since the last answer.
protocol ContinuedQuestion: Sendable {
  /// Whether finding the first answer takes so long that other connections should not wait for it.
  var takesLong: Bool { get }

  /// Finds the answer as of now, an event, and asks from there on. The first answer is always a change, so that
  /// the client sees that it is connected, and at which revision.
  ///
  /// - Throws: A problem that ends the stream. The client learns of it when it connects again.
  mutating func next() throws(ProblemDetails) -> Answer
}

/// The answer to a ``Question``.
enum Answer: Sendable {
  /// Something has changed.
  case changed(Response)
  /// Nothing has changed. The response says so, and asking again is of use once one of these view models
  /// has changed.
  case unchanged(Response, watching: [Watched])

  var response: Response {
    switch self {
    case .changed(let response), .unchanged(let response, _): response
    }
  }
}

/// A view model and the last revision of it that a client has.
struct Watched: Sendable {
  private let screen: any ScreenInstance
  private let token: RevisionToken

  init(_ screen: any ScreenInstance, after revision: Revision) {
    self.screen = screen
    token = revision.token
  }

  /// Notifies `watcher` once when there is a newer revision.
  ///
  /// - Returns: The subscription; `nil`, without a subscription, if there is a newer revision already.
  func subscribe(_ watcher: any RevisionWatcher) -> (any Cancellable)? {
    screen.watch(after: token, watcher)
  }
}

extension [Watched] {
  /// Notifies `watcher` when one of the view models has a newer revision, once for each of them.
  ///
  /// - Returns: The subscriptions; `nil`, and no subscription remains, if one has a newer revision already.
  func subscribe(_ watcher: any RevisionWatcher) -> [any Cancellable]? {
    var subscriptions: [any Cancellable] = []
    subscriptions.reserveCapacity(count)
    for watched in self {
      guard let subscription = watched.subscribe(watcher) else {
        for subscription in subscriptions { subscription.cancel() }
        return nil
      }
      subscriptions.append(subscription)
    }
    return subscriptions
  }
}
