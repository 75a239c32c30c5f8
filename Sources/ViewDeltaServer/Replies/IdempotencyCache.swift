import HTTPTypes
import MicroHTTP
import OrderedCollections
import Snapshots
import Synchronization
import ViewState

/// Remembers the replies to requests with an `Idempotency-Key`, so that one that is sent again is
/// not done again (the IETF draft "The Idempotency-Key HTTP Header Field").
///
/// A key counts for one method and path. While the first request runs, others with its key wait
/// for its reply. Replies are forgotten after `lifetime`, and the oldest first beyond the limits.
final class IdempotencyCache: Sendable {
  private let entries: Mutex<Entries>
  private let scheduler: any Scheduler

  init(scheduler: any Scheduler, limits: Limits = Limits()) {
    self.scheduler = scheduler
    entries = Mutex(Entries(limits: limits))
  }

  /// How much is remembered.
  struct Limits: Sendable {
    /// The number of replies.
    var count = 10_000
    /// What they take in memory with their keys, in bytes, estimated.
    var byteCount = 16 * 1024 * 1024
    var lifetime = Duration.seconds(3600)
  }

  /// The reply of `work`, or the one that it gave to an equal request before.
  ///
  /// A problem is a reply like any other: the same refused request gets the same refusal.
  ///
  /// - Throws: a 400 problem for a malformed key, a 422 problem for a key that came with another
  ///   target or body before, and what `work` throws.
  func respond(
    to request: Request,
    _ work: (Request) async throws(ProblemDetails) -> Response
  ) async throws(ProblemDetails) -> Response {
    guard let key = try IdempotencyKey(request) else { return try await work(request) }
    let fingerprint = Self.fingerprint(of: request)
    let previous: Outcome? = await withCheckedContinuation { continuation in
      let step = entries.withLock {
        $0.begin(key, fingerprint, at: scheduler.now, waiting: continuation)
      }
      switch step {
      case .run: continuation.resume(returning: nil)
      case .replay(let outcome): continuation.resume(returning: outcome)
      case .wait: break
      }
    }
    if let previous { return try previous.get() }

    let outcome: Outcome
    do throws(ProblemDetails) {
      outcome = .success(try await work(request))
    } catch {
      outcome = .failure(error)
    }
    let waiters = entries.withLock { $0.finish(key, with: outcome, at: scheduler.now) }
    for waiter in waiters { waiter.resume(returning: outcome) }
    return try outcome.get()
  }

  typealias Outcome = Result<Response, ProblemDetails>

  /// What makes two requests the same: the target, for its query, and the body.
  private static func fingerprint(of request: Request) -> [UInt8] {
    var hash = SHA256()
    hash.update(Array(request.target.utf8))
    hash.update([0])
    hash.update(request.body)
    return hash.finalize()
  }
}
