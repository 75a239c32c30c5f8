/// The revisions of a view model, the reason why the current one is not shown, and the watchers that wait for the next.
///
/// All are one value, so that one lock guards them: a watcher is compared with the current revision and
/// added in one step, and misses no revision.
///
/// The value has neither clock nor lock: its owner guards it, and notifies the watchers that it returns
/// after the lock is released.
struct Publication: Sendable {
  private(set) var log: RevisionLog
  /// The revisions that the log has dropped, until the caller takes them.
  private var dropped: [Revision] = []
  private var watchers: [Int: any RevisionWatcher] = [:]
  private var watcherCount = 0
  /// The reason why the state cannot be shown; `nil` if it can.
  private(set) var fault: Fault?
  /// Whether the log only has a placeholder, because no revision was shown yet.
  private(set) var isBlank: Bool
  /// Whether the key was removed.
  private(set) var isRemoved = false

  /// The reason why a state cannot be shown, the token of the state, and the time of the input that made it.
  struct Fault: Sendable {
    let message: String
    let token: RevisionToken
    let date: Timestamp
  }

  /// Creates a publication of a log.
  ///
  /// - Parameter fault: The reason why the state cannot be shown. If it is not `nil`, the first revision of the log is a
  ///   placeholder, which the first revision that can be shown replaces.
  init(log: RevisionLog, fault: Fault? = nil) {
    self.log = log
    self.fault = fault
    isBlank = fault != nil
  }

  /// The name of the state.
  var token: RevisionToken { fault?.token ?? log.current.token }

  /// The reason why the view model cannot be shown; `nil` if the current revision of the log is shown.
  var failure: ScreenLookupError? { isRemoved ? .deletedKey : fault == nil ? nil : .failed }

  var hasWatchers: Bool { !watchers.isEmpty }

  /// Adds a watcher that knows the revision with a token, or, with `nil`, that the view model cannot be shown.
  ///
  /// - Returns: The number of the watcher; `nil` if that is no longer so, so that the watcher is not added.
  /// - Complexity: O(1) expected.
  mutating func watch(after token: RevisionToken?, _ watcher: any RevisionWatcher) -> Int? {
    if !isCurrent(token) { return nil }
    watcherCount += 1
    watchers[watcherCount] = watcher
    return watcherCount
  }

  private func isCurrent(_ known: RevisionToken?) -> Bool {
    guard let known else {
      return failure == .failed || failure == nil && log.current.isKnownToFail
    }
    return failure == nil && known.epoch == log.current.token.epoch
      && log.current.shownSince <= known.number
  }

  /// Removes the watcher with a number; does nothing if it was notified already.
  ///
  /// - Complexity: O(1) expected.
  mutating func unwatch(_ number: Int) {
    watchers[number] = nil
  }

  /// Shows what an input changes.
  ///
  /// - Returns: The watchers to notify, in the order in which they were added.
  /// - Complexity: O(*n* log *n*), where *n* is the number of watchers.
  mutating func show(_ change: Change) -> [any RevisionWatcher] {
    switch change {
    case .nothing: return []
    case .name(let revision):
      log.rename(revision)
      // Those who know the revision see no change.
      if fault == nil { return [] }
      fault = nil
    case .content(let revision, let unmadeLimit):
      if isBlank {
        log = log.restarted(with: revision)
      } else {
        dropped += log.append(revision, unmadeLimit: unmadeLimit)
      }
      (fault, isBlank) = (nil, false)
    case .fault(let fault): self.fault = fault
    case .removal: isRemoved = true
    }
    if watchers.isEmpty { return [] }
    defer { watchers = [:] }
    return watchers.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Leaves the view model of the first revision to its first reader.
  mutating func begin(with deferred: DeferredSnapshot) {
    log = log.restarted(with: log.first.left(to: deferred))
  }

  /// Puts revisions before the first one of the log; see ``RevisionLog/recall(_:)``.
  mutating func recall(_ leading: [Revision]) { log.recall(leading) }

  /// Returns the revisions that the log has dropped, which the caller releases without a lock.
  mutating func takeDropped() -> [Revision] {
    defer { dropped = [] }
    return dropped
  }

  /// Drops the oldest revisions of the log until the others take at most this many bytes.
  ///
  /// - Returns: The dropped revisions, which the caller releases without a lock.
  mutating func cutLog(to byteCount: Int) -> [Revision] { log.cut(to: byteCount) }
}

extension Publication {
  /// What an input changes for readers.
  enum Change: Sendable {
    case nothing
    /// The revision is the same, with a newer token. It is shown again if it was hidden.
    case name(Revision)
    /// The revision shows something else. The log keeps at most `unmadeLimit` view models that wait for a reader.
    case content(Revision, unmadeLimit: Int = .max)
    /// The state cannot be shown, and the current revision is hidden until the next one.
    case fault(Fault)
    /// The key was removed: there will be no further revision, and no watcher is added.
    case removal

    /// The revision after the input; `nil` if there is no other one.
    var revision: Revision? {
      switch self {
      case .name(let revision), .content(let revision, _): revision
      case .nothing, .fault, .removal: nil
      }
    }

    /// The name of the state after the input; `nil` if it keeps its name.
    var token: RevisionToken? {
      if case .fault(let fault) = self { fault.token } else { revision?.token }
    }
  }
}

/// A reader that waits for the next revision of a view model.
package protocol RevisionWatcher: AnyObject, Sendable {
  /// Notes that the known revision is no longer current: there is another one, or the view model has ended or
  /// cannot be shown.
  ///
  /// The engine calls it after readers can see the change, on any thread and without a lock. It must not
  /// block.
  func revisionPublished()
}
