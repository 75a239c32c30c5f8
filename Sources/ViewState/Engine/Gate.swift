import CanonicalJSON
import Synchronization

/// The stores as readers see them, and the one moment at which a change becomes visible.
///
/// An input prepares its changes beside what is published; then all of them appear at once. No view model is made at
/// the gate, so that each wait for it is short.
final class Gate: Sendable {
  private struct Published: Sendable {
    var stores = Stores()
    /// The number of instances that readers have added so far.
    var arrivals = 0
    /// Whether readers can add no instance, because an input waits to be published.
    var isClosed = false
    /// Whether an input was applied, so that no store may be added any more.
    var hasBegun = false
  }

  private let published = Mutex(Published())

  /// The values of all stores.
  var stores: Stores { published.withLock { $0.stores } }

  /// Sets what the stores have before the first input.
  func begin(with settings: Settings, at time: Timestamp) {
    published.withLock { ($0.stores.settings, $0.stores.begun) = (settings, time) }
  }

  /// Adds a store.
  ///
  /// - Returns: The index of the store.
  /// - Precondition: No input was applied.
  func add(_ value: some StoreValue, _ versions: StoreVersions, named name: Text) -> Int {
    published.withLock { published in
      guard !published.hasBegun else {
        fatalError("the store \(name) is added after the first input")
      }
      return published.stores.add(value, versions)
    }
  }

  /// Returns the stores for an input, and the number of instances that readers have added so far.
  func open() -> (stores: Stores, arrivals: Int) {
    published.withLock { published in
      published.hasBegun = true
      return (published.stores, published.arrivals)
    }
  }

  /// Publishes the stores after an input.
  ///
  /// - Parameters:
  ///   - transaction: The changes of the stores.
  ///   - arrivals: The number of arrivals that the input knows.
  ///   - publish: Publishes the revisions of the instances.
  /// - Returns: `nil` if a reader has added an instance since, which the input must update, too. Readers can add no
  ///   other until the next call, which publishes, so that they cannot hold up an input.
  func publish<Result>(
    _ transaction: Transaction, knowing arrivals: Int, _ publish: () -> Result
  ) -> Result? {
    published.withLock { published in
      published.isClosed =
        !published.isClosed && !transaction.changes.isEmpty && published.arrivals != arrivals
      if published.isClosed { return nil }
      published.stores = transaction.stores
      return publish()
    }
  }

  /// Brings an instance within reach of readers if what it shows of stores is as it was when the instance was made.
  ///
  /// - Parameter isInput: Whether an input needs the instance, which then comes along by itself.
  /// - Returns: `nil` if the instance must be made again, because what it shows has changed, or an input that changes
  ///   stores waits to be published.
  func arrive<Result>(
    _ version: StoreVersions.Version, of shown: [ShownStore], for key: Text, forInput isInput: Bool,
    _ arrive: () -> Result
  ) -> Result? {
    published.withLock { published in
      guard published.stores.version(of: shown, for: key) == version else { return nil }
      if !isInput {
        if published.isClosed { return nil }
        published.arrivals += 1
      }
      return arrive()
    }
  }

  /// Runs a few reads while nothing is published.
  func read<Result>(_ read: () -> Result) -> Result {
    published.withLock { _ in read() }
  }
}
