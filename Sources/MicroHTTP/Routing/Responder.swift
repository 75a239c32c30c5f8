/// Answers one parked request, once, from any thread.
///
/// A request whose last responder is released without an answer gets a 500 problem, `unanswered`.
public final class Responder: Sendable {
  private let parking: any Parking
  /// Made once: every responder is released, and nearly all were used.
  private static let unanswered = ProblemDetails.unanswered().response()

  init(_ parking: any Parking) {
    self.parking = parking
  }

  deinit {
    _ = parking.settle(with: Self.unanswered)
  }

  /// Answers the request.
  ///
  /// - Returns: Whether this was the answer. It was not if the request was answered before, if its
  ///   client left, or if the server shut down; then nothing happens.
  @discardableResult
  public func respond(_ response: Response) -> Bool {
    parking.settle(with: response)
  }

  /// Has an action run once if the request ends without this responder: its client left, or the
  /// server shuts down. If that has happened already, it runs at once.
  ///
  /// The action may run on any thread, must not block, and replaces an earlier one.
  public func onAbandonment(_ action: @escaping @Sendable () -> Void) {
    parking.onAbandonment(action)
  }
}

/// A place where a request waits for its reply.
protocol Parking: AnyObject, Sendable {
  /// Gives the reply; false if the request was settled before.
  func settle(with response: Response) -> Bool
  /// Has an action run if the request is given up.
  func onAbandonment(_ action: @escaping @Sendable () -> Void)
}
