public import CanonicalJSON
public import Foundation

/// The reason why a connection gets no answer, or not the one that it asks for.
public enum ConnectionError: Error, Sendable {
  /// There is no reply. The error is that of the ``HTTPTransport``.
  case unreachable(any Error)
  /// The server refuses the request.
  case refused(ServerProblem)
  /// The reply is not one of ViewDelta, such as the page of a network that wants a login.
  case unexpected(Text)
}

extension ConnectionError {
  /// Whether the request may succeed later, unchanged.
  var isPassing: Bool {
    switch self {
    case .unreachable, .unexpected: true
    case .refused(let problem): problem.isPassing
    }
  }

  /// Whether the server may have executed the command of the request.
  var mayHaveRun: Bool {
    switch self {
    case .unreachable, .unexpected: true
    case .refused(let problem):
      problem.code == "unconfirmed" || problem.code == nil && problem.status >= 500
    }
  }

  /// Whether a request may succeed as soon as the server has answered another one.
  var endsWithAnswer: Bool {
    switch self {
    case .unreachable: true
    case .refused(let problem): problem.retryAfter == nil
    // It may be the answer of the server itself that the app cannot use.
    case .unexpected: false
    }
  }

  /// Whether the server itself has refused the request.
  var isRefusal: Bool { problem?.isRefusal ?? false }

  /// Whether the server itself has answered, and is not busy: it has refused the request, or failed in it.
  var isOfServer: Bool { isRefusal || problem?.code != nil && problem?.status == 500 }

  var retryAfter: Duration? { problem?.retryAfter }

  var problem: ServerProblem? {
    if case .refused(let problem) = self { problem } else { nil }
  }
}

extension ConnectionError: CustomStringConvertible {
  /// One sentence for people who develop the app.
  public var description: String {
    switch self {
    case .unreachable(let error): "there is no reply: \(error)"
    case .refused(let problem):
      "the server refuses with \(problem.status): \(problem.detail ?? problem.code ?? "no reason")"
    case .unexpected(let reason): "the reply is not one of ViewDelta: \(reason)"
    }
  }
}

extension ConnectionError: LocalizedError {
  /// The ``description``, so that `localizedDescription` has it, too.
  public var errorDescription: String? { description }
}
