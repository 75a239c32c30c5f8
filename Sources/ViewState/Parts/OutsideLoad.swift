import CanonicalJSON

/// Identifies a source.
final class SourceIdentity: Sendable {}

/// A call of a source outside of the engine, which is not made yet.
struct OutsideLoad: Sendable {
  let identity: SourceIdentity
  /// The key of the view model without its session.
  let key: Text
  let request: JSONValue
  /// The largest number of tasks of the source that run at once for a view model, with those that were cancelled
  /// and go on. A further call waits until one of them has ended.
  var limit = 32
  /// Whether the call is made although an equal one runs. It takes the place of that one, and answers its waiters.
  var isReload = false
  /// The time before the call begins.
  var latency: Duration = .zero
  /// Whether all sessions of a personal screen share the call, because it only reads.
  var isShared = true
  let run: @Sendable () async throws -> JSONValue
}
