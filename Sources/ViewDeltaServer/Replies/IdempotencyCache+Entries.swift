import DequeModule
import HTTPTypes
import MicroHTTP

extension IdempotencyCache {
  typealias Waiter = CheckedContinuation<Outcome?, Never>

  /// The table, without the lock and without I/O.
  struct Entries: Sendable {
    enum Step {
      /// It is the first: run it and call `finish`.
      case run
      case replay(Outcome)
      /// It runs: the waiter is resumed when it is done.
      case wait
    }

    private enum State: Sendable {
      case running([Waiter])
      case done(Outcome)
    }

    private struct Entry: Sendable {
      let fingerprint: [UInt8]
      var state: State
    }

    private var table: [IdempotencyKey: Entry] = [:]
    /// The keys whose requests are done, the oldest first.
    private var done: Deque<(key: IdempotencyKey, at: Duration, byteCount: Int)> = []
    private var byteCount = 0
    private let limits: Limits

    init(limits: Limits) {
      self.limits = limits
    }

    mutating func begin(
      _ key: IdempotencyKey, _ fingerprint: [UInt8], at now: Duration, waiting waiter: Waiter
    ) -> Step {
      forget(at: now)
      guard let entry = table[key] else {
        table[key] = Entry(fingerprint: fingerprint, state: .running([]))
        return .run
      }
      guard entry.fingerprint == fingerprint else { return .replay(.failure(.reusedKey)) }
      switch entry.state {
      case .done(let outcome):
        return .replay(outcome)
      case .running(let waiters):
        table[key]?.state = .running(waiters + [waiter])
        return .wait
      }
    }

    /// Ends a run and returns who waits for it.
    mutating func finish(
      _ key: IdempotencyKey, with outcome: Outcome, at now: Duration
    ) -> [Waiter] {
      guard case .running(let waiters)? = table[key]?.state else { return [] }
      if outcome.mayDifferNextTime {
        table[key] = nil
      } else {
        table[key]?.state = .done(outcome)
        let size = key.byteCount + outcome.byteCount
        done.append((key, now, size))
        byteCount += size
        forget(at: now)
      }
      return waiters
    }

    /// Drops what is too old, or too much.
    private mutating func forget(at now: Duration) {
      while let oldest = done.first,
        done.count > limits.count || byteCount > limits.byteCount
          || now - oldest.at >= limits.lifetime
      {
        done.removeFirst()
        byteCount -= oldest.byteCount
        table[oldest.key] = nil
      }
    }
  }
}

extension IdempotencyCache.Outcome {
  /// Whether it is not worth remembering: the server's own faults, and preconditions, which are no
  /// part of what makes two requests the same.
  fileprivate var mayDifferNextTime: Bool {
    let status =
      switch self {
      case .success(let response): response.status
      case .failure(let problem): problem.status
      }
    return status.kind == .serverError || status == .preconditionFailed
  }

  /// What it takes in memory, in bytes, estimated.
  fileprivate var byteCount: Int {
    switch self {
    case .success(let response): response.memorySize
    case .failure(let problem): 1024 + (problem.detail?.utf8.count ?? 0)
    }
  }
}

extension ProblemDetails {
  fileprivate static let reusedKey = ProblemDetails(
    status: .unprocessableContent, code: "idempotency-key-reused",
    detail: "the Idempotency-Key came with another request before")
}
