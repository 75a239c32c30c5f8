import Synchronization

@testable import MicroHTTP

/// A request without a connection and without a task: whatever happens to it happens on the thread
/// that makes it happen, so a test sees at once whether it is answered, and never waits.
final class ParkedRequest: Parking {
  private struct State: Sendable {
    var response: Response?
    var isAbandoned = false
    var lateResponse: Response?
    var onAbandonment: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let onAnswer: @Sendable () -> Void

  /// Sends a request that no stream answers.
  ///
  /// - Parameters:
  ///   - address: where the client is.
  ///   - onAnswer: called once, as soon as the answer is there.
  init(
    _ router: Router, _ request: Request, from address: String = "",
    onAnswer: @escaping @Sendable () -> Void = {}
  ) {
    self.onAnswer = onAnswer
    switch router.reply(to: request.from(address)) {
    case .now(let response), .standing(let response, _): _ = settle(with: response, in: nil)
    case .later(let park): park(Responder(self))
    case .stream: preconditionFailure("a stream answers no parked request")
    }
  }

  /// The reply; `nil` while the request waits.
  var response: Response? { state.withLock { $0.response } }

  /// The first reply after the client had left; `unanswered` if none was made.
  var lateResponse: Response? { state.withLock { $0.lateResponse } }

  var isWaiting: Bool { state.withLock { $0.response == nil && !$0.isAbandoned } }

  /// The reply, with the looks that tests take at it.
  var answer: Answer? { response.map { Answer($0) } }

  /// The client leaves.
  func abandon() {
    let action = state.withLock { state in
      state.isAbandoned = true
      defer { state.onAbandonment = nil }
      return state.onAbandonment
    }
    action?()
  }

  func settle(with response: Response, in batch: ResumeBatch?) -> Bool {
    let isFirst = state.withLock { state in
      if state.isAbandoned, state.lateResponse == nil { state.lateResponse = response }
      guard state.response == nil, !state.isAbandoned else { return false }
      state.response = response
      state.onAbandonment = nil
      return true
    }
    if isFirst { onAnswer() }
    return isFirst
  }

  func onAbandonment(_ action: @escaping @Sendable () -> Void) {
    state.withLock { state in
      if state.response == nil { state.onAbandonment = action }
    }
  }
}

extension Request {
  /// The same request from another address.
  func from(_ address: String) -> Request {
    let copy = RequestStorage(
      target: storage.target,
      source: .detached(DetachedFields(fields: fields, remoteAddress: address)))
    copy.method = storage.method
    return Request(storage: copy, content: RequestBody(body))
  }
}
