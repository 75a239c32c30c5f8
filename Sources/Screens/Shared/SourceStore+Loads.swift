import Synchronization
import ViewState

extension SourceStore {
  /// Loads something of a key: after the source's latency, and as its fault script wants it.
  ///
  /// - Parameters:
  ///   - deliver: is called once under the lock, so that the result takes its place among the
  ///     writes; it may do no more than post.
  ///   - read: what the load ends in where nothing goes wrong. The value is read when the load
  ///     ends, not when it starts: a write in between is in it.
  func load<Value: Sendable>(
    _ source: Source, of key: ResourceID,
    deliver: @escaping @Sendable (Result<Value, LoadFailure>) -> Wake,
    read: @escaping @Sendable (Resources) -> Loadable<Value>
  ) -> any Cancellable {
    let (outcome, latency) = contents.withLock { contents in
      let latency = contents.faults[key]?[source]?.latency ?? self.latency[source] ?? .zero
      return (contents.faults[key]?[source]?.next() ?? .succeed, latency)
    }
    return scheduler.schedule(after: latency) { [self] in
      let wake: Wake? = contents.withLock { contents in
        switch outcome {
        case .succeed: deliver(read(contents.resources).result)
        case .fail: deliver(.failure(.unavailable))
        case .hang: nil
        }
      }
      wake?()
    }
  }
}

extension Loadable {
  /// What a load ended in; one that has not ended has no value.
  fileprivate var result: Result<Value, LoadFailure> {
    switch self {
    case .loaded(let value): .success(value)
    case .failed(let failure, _): .failure(failure)
    case .notRequested, .isLoading: .failure(.missing)
    }
  }
}
