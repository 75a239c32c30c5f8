import CanonicalJSON
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
    run(source, of: key) { contents, outcome in
      switch outcome {
      case .succeed: [deliver(read(contents.resources).result)]
      case .fail: [deliver(.failure(.unavailable))]
      case .hang: []
      }
    }
  }

  /// Does a write that takes the time of a source, and fails as its fault script wants it. What it
  /// changed is news before its result is.
  ///
  /// - Parameters:
  ///   - deliver: is called once under the lock; it may do no more than post.
  ///   - change: what is written when the time has come; returns, beside the result, what is news.
  ///     Where it throws, nothing has changed.
  func perform<Value: Sendable>(
    _ source: Source, of key: ResourceID,
    deliver: @escaping @Sendable (Result<Value, LoadFailure>) -> Wake,
    change: @escaping @Sendable (inout Resources) throws(Failure) -> (Value, [Change])
  ) -> any Cancellable {
    run(source, of: key) { contents, outcome in
      switch outcome {
      case .succeed:
        do throws(Failure) {
          let (value, changes) = try change(&contents.resources)
          return contents.tell(key, changes) + [deliver(.success(value))]
        } catch {
          return [deliver(.failure(error.loadFailure))]
        }
      case .fail: return [deliver(.failure(.unavailable))]
      case .hang: return []
      }
    }
  }

  /// Ends some work under the lock once its time has come.
  private func run(
    _ source: Source, of key: ResourceID,
    _ end: @escaping @Sendable (inout Contents, FaultScript.Outcome) -> [Wake]
  ) -> any Cancellable {
    let (outcome, latency) = contents.withLock { contents in
      let latency = contents.faults[key]?[source]?.latency ?? self.latency[source] ?? .zero
      return (contents.faults[key]?[source]?.next() ?? .succeed, latency)
    }
    return scheduler.schedule(after: latency) { [self] in
      for wake in contents.withLock({ end(&$0, outcome) }) { wake() }
    }
  }
}

extension StoreError {
  /// Why work that ends in a write came to nothing.
  fileprivate var loadFailure: LoadFailure {
    switch self {
    case .full: LoadFailure(code: "store-full", message: "The store takes no more.")
    case .missing: .missing
    case .duplicateID, .changedMeanwhile: .unavailable
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
