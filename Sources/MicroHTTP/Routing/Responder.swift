/// Answers one parked request, once, from any thread.
///
/// If its last reference is released without an answer, the request gets a 500 problem,
/// `unanswered`.
///
/// ```swift
/// router.route(.get, "/slow") { _ in
///   .later { responder in
///     let job = queue.add { responder.respond(Response(status: .ok)) }
///     responder.onAbandonment { job.cancel() }
///   }
/// }
/// ```
public final class Responder: Sendable {
  private let parking: any Parking
  /// A shared reply: every responder passes it to its request on release, though nearly all have
  /// answered by then.
  private static let unanswered = ProblemDetails.unanswered().response()

  init(_ parking: any Parking) {
    self.parking = parking
  }

  deinit {
    _ = parking.settle(with: Self.unanswered, in: nil)
  }

  /// Answers the request.
  ///
  /// - Returns: true if this reply is sent; false if the request was answered before, its client
  ///   has disconnected or the server has shut down.
  @discardableResult
  public func respond(_ response: Response) -> Bool {
    parking.settle(with: response, in: nil)
  }

  /// Answers the request together with others, when the batch is resumed.
  package func respond(_ response: Response, in batch: ResumeBatch) {
    _ = parking.settle(with: response, in: batch)
  }

  /// Whether the request still waits for its answer: its client has not disconnected, as far as the server knows, and
  /// the server has not shut down.
  package var isWaiting: Bool { parking.isWaiting }

  /// Runs an action once if the request ends without an answer: its client disconnects, or the
  /// server shuts down. Runs it at once if that has already happened.
  ///
  /// The action can run on any thread and must not block. It replaces an earlier action.
  public func onAbandonment(_ action: @escaping @Sendable () -> Void) {
    parking.onAbandonment(action)
  }
}

/// A parked request as its ``Responder`` uses it.
protocol Parking: AnyObject, Sendable {
  /// Whether the request is neither settled nor abandoned.
  var isWaiting: Bool { get }
  /// Settles the request with a reply, at once or when the batch is resumed; returns false if it was
  /// settled before.
  func settle(with response: Response, in batch: ResumeBatch?) -> Bool
  /// Runs an action if the request is abandoned.
  func onAbandonment(_ action: @escaping @Sendable () -> Void)
}
