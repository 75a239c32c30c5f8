import MicroHTTP
import ViewState

/// A question of a client that can be asked again until something has changed. Clients whose questions are
/// equal wait as one, and get one answer.
protocol Question: Hashable, Sendable {
  /// The representation of the answer.
  var representation: Representation { get set }

  /// The path of the request, for problems that occur after a wait.
  var requestPath: String { get }

  /// Whether finding the answer takes so long that other connections should not wait for it.
  var takesLong: Bool { get }

  /// Finds the answer as of now.
  ///
  /// - Throws: A problem that ends the wait.
  func ask() throws(ProblemDetails) -> Answer
}

extension Question {
  /// Returns the same question with an answer in another representation.
  func with(_ representation: Representation) -> Self {
    var question = self
    question.representation = representation
    return question
  }

  /// Returns whether both are the same question, of the same type.
  func isEqual(to other: any Question) -> Bool { self == other as? Self }
}

/// A question that all who ask it share, so that finding those who wait for the same costs little.
final class SharedQuestion: Hashable, Sendable {
  let question: any Question
  private let hash: Int

  init(_ question: any Question) {
    self.question = question
    var hasher = Hasher()
    question.hash(into: &hasher)
    hash = hasher.finalize()
  }

  static func == (left: SharedQuestion, right: SharedQuestion) -> Bool {
    left === right || left.hash == right.hash && left.question.isEqual(to: right.question)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// The answer to a ``Question``.
enum Answer: Sendable {
  /// Something has changed, up to the revisions in `watching`. If the answer is an event, the next question
  /// asks for what comes after it.
  case changed(Response, next: SharedQuestion?, watching: [Watched])
  /// Nothing has changed. The response says so, and asking again is of use once one of these view models
  /// has changed.
  case unchanged(Response, watching: [Watched])

  var response: Response {
    switch self {
    case .changed(let response, _, _), .unchanged(let response, _): response
    }
  }

  /// Whether the answer would be the same now.
  var isCurrent: Bool {
    switch self {
    case .changed(_, _, let watched), .unchanged(_, let watched): watched.allSatisfy(\.isCurrent)
    }
  }
}

/// What a client knows of a view model.
enum Watched: Sendable {
  /// The revision that the client has.
  case shown(Instance, RevisionToken)
  /// It fails.
  case failing(Instance)
  /// There is none at a path of a screen on offer.
  case absent(InstancePath, ViewModels)

  /// Whether that is still so.
  var isCurrent: Bool {
    switch self {
    case .shown(let instance, let token): instance.shows(token)
    case .failing(let instance): instance.failure == .failed
    case .absent(let path, let models): (try? models.recipient(at: path))?.isEnded ?? true
    }
  }

  /// Notifies `watcher` once when that may have changed.
  ///
  /// - Returns: The subscription; `nil`, without a subscription, if it has changed already.
  func subscribe(_ watcher: any RevisionWatcher) -> (any Cancellable)? {
    switch self {
    case .shown(let instance, let token): instance.watch(after: token, watcher)
    case .failing(let instance): instance.watch(after: nil, watcher)
    case .absent(let path, let models):
      models.registry.watchAbsent(screen: path.screen, key: path.key, watcher)
    }
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
        subscriptions.cancelAll()
        return nil
      }
      subscriptions.append(subscription)
    }
    return subscriptions
  }
}

extension [any Cancellable] {
  /// Cancels all.
  func cancelAll() { for subscription in self { subscription.cancel() } }
}
