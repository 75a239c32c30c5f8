import CanonicalJSON
import DequeModule
import Snapshots

/// The values that the stores had after the last inputs that changed one, oldest first.
///
/// If no input has given a view model a state of its own, its earlier revisions are made of these values. A client may
/// name one after a restart, or on a server on which the view model had no reader. The values share their trees, so
/// each costs what its input has brought and made.
struct PastStores: Sendable {
  /// The stores from an input on, up to the next one that changes a store.
  struct Period: Sendable {
    let position: Int
    /// The time of the input on the clock of the scheduler.
    let publishedAt: Duration
    let stores: Stores
    /// The stores that the input has changed, each with the name that causes of revisions give it.
    let sources: [(store: Int, name: Text)]
    let isAnimated: Bool
    /// The estimated memory of the values before, beyond that of these, in bytes.
    fileprivate let byteCount: Int
  }

  private var periods: Deque<Period>
  private let limits: RevisionLogLimits
  /// A quarter of what all histories may take, and no more than one.
  private let byteLimit: Int
  private(set) var byteCount = 0

  /// Begins with the stores as they are after an input.
  init(_ stores: Stores, at position: Int, now: Duration, limits: RevisionLogLimits) {
    self.limits = limits
    byteLimit = min(limits.byteCount, limits.totalByteCount / 4)
    periods = [
      Period(
        position: position, publishedAt: now, stores: stores, sources: [],
        isAnimated: true, byteCount: 0)
    ]
  }

  var count: Int { periods.count }

  /// Adds the stores after an input if it has changed one, and drops those that no history reaches any more.
  ///
  /// - Parameter inputByteCount: The memory of the input, in bytes.
  /// - Complexity: O(1) amortised.
  mutating func add(
    _ transaction: Transaction, bringing inputByteCount: @autoclosure () -> Int, now: Duration
  ) {
    if transaction.changes.isEmpty { return }
    let period = Period(
      position: transaction.position, publishedAt: now, stores: transaction.stores,
      sources: transaction.changes.map { ($0.store, $0.change.source) },
      isAnimated: transaction.isAnimated,
      byteCount: Stores.writeByteCount + inputByteCount() + transaction.madeByteCount)
    periods.append(period)
    byteCount += period.byteCount
    while count > 1, !isCovered(periods[0], at: now) {
      periods.removeFirst()
      byteCount -= periods[0].byteCount
    }
  }

  private func isCovered(_ period: Period, at now: Duration) -> Bool {
    byteCount <= byteLimit
      && (count <= limits.count || now - period.publishedAt < limits.age)
  }

  /// A state that view models show, made of the stores.
  struct Version: Sendable {
    /// The position of the input that has made it.
    let number: Int
    /// The time of the input.
    let time: Timestamp
    /// The values of the stores after the input, or after a later one that does not change what is shown.
    let period: Period
  }

  /// Returns the last version of what a view model shows of stores.
  ///
  /// - Parameters:
  ///   - shown: The stores that the view model shows.
  ///   - key: Its key.
  ///   - born: The position of the input that has created it.
  ///   - end: The position up to which the version is looked for.
  /// - Returns: `nil` if the stores are not known there, or if it was not created then.
  /// - Complexity: O(log *n*), where *n* is the number of kept values.
  func version(of shown: [ShownStore], for key: Text, born: Int, upTo end: Int) -> Version? {
    let next = periods.partitioningIndex { $0.position > end }
    guard next > 0 else { return nil }
    let stores = periods[next - 1].stores
    let version = stores.version(of: shown, for: key)
    guard version.born == born else { return nil }
    // The values of the version are those of its input, or the oldest ones.
    let first = periods.partitioningIndex { $0.position >= version.changed }
    return Version(
      number: version.changed, time: stores.date(of: version), period: periods[first])
  }
}
