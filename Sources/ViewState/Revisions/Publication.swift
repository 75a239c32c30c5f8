/// The revisions of a view model, and the watchers that wait for the next one.
///
/// Both are one value, so that one lock guards them: a watcher is compared with the current revision and
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
  /// The reason why the view model cannot be shown; `nil` if the current revision of the log is shown.
  private(set) var failure: ScreenLookupError?
  /// Whether the log only has a placeholder, because no revision was shown yet.
  private var isBlank: Bool

  /// Creates a publication of a log.
  ///
  /// - Parameters:
  ///   - log: The revisions.
  ///   - failure: The reason why the view model cannot be shown. If it is not `nil`, the first revision of
  ///     the log is a placeholder, which the first revision that can be shown replaces.
  init(log: RevisionLog, failure: ScreenLookupError? = nil) {
    self.log = log
    self.failure = failure
    isBlank = failure != nil
  }

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

  /// Appends a revision to the log.
  ///
  /// - Returns: The watchers to notify, in the order in which they were added.
  /// - Complexity: O(*n* log *n*), where *n* is the number of watchers.
  mutating func append(_ revision: Revision) -> [any RevisionWatcher] {
    if isBlank { log = log.restarted(with: revision) } else { dropped += log.append(revision) }
    (failure, isBlank) = (nil, false)
    return takeWatchers()
  }

  /// Gives the current revision another token, and shows it again if it was hidden.
  ///
  /// - Returns: The watchers to notify, in the order in which they were added: those that know that it was hidden,
  ///   because the others see no change.
  mutating func rename(_ revision: Revision) -> [any RevisionWatcher] {
    log.rename(revision)
    if failure == nil { return [] }
    failure = nil
    return takeWatchers()
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

  /// Hides the current revision until the next one, because the state cannot be shown.
  ///
  /// - Returns: The watchers to notify, in the order in which they were added.
  mutating func fail() -> [any RevisionWatcher] {
    failure = .failed
    return takeWatchers()
  }

  /// Ends the history: there will be no further revision, and no watcher is added.
  ///
  /// - Returns: The watchers to notify, in the order in which they were added.
  mutating func end() -> [any RevisionWatcher] {
    failure = .deletedKey
    return takeWatchers()
  }

  private mutating func takeWatchers() -> [any RevisionWatcher] {
    if watchers.isEmpty { return [] }
    defer { watchers = [:] }
    return watchers.sorted { $0.key < $1.key }.map(\.value)
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
