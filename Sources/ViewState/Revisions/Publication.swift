/// What readers see of one screen: its revisions, and who waits for the next one.
///
/// The two are one value so that one lock guards both: whoever wants to wait is compared with the
/// current revision and put on the list in one step, and no change can fall between.
///
/// A value without clock or lock: its owner guards it, and runs what it returns afterwards.
struct Publication: Sendable {
  private(set) var log: RevisionLog
  private var watchers: [Int: any RevisionWatcher] = [:]
  private var watcherCount = 0
  /// Why there is nothing to show; `nil` if the current revision of the log is.
  private(set) var failure: ScreenLookupError?
  /// Whether the log holds no revision that was ever shown.
  private var isBlank: Bool

  /// - Parameter failure: If it is not `nil`, the first revision of the log is a place holder, which goes
  ///   when there is one to show.
  init(log: RevisionLog, failure: ScreenLookupError? = nil) {
    self.log = log
    self.failure = failure
    isBlank = failure != nil
  }

  var hasWatchers: Bool { !watchers.isEmpty }

  /// Puts somebody on the list who knows the revision `token`.
  ///
  /// - Returns: the place on the list; `nil` where there is something to look at already: another
  ///   revision, or the end.
  /// - Complexity: O(1) expected.
  mutating func watch(after token: RevisionToken, _ watcher: any RevisionWatcher) -> Int? {
    guard failure == nil, token.epoch == log.current.token.epoch,
      log.current.shownSince <= token.number
    else { return nil }
    watcherCount += 1
    watchers[watcherCount] = watcher
    return watcherCount
  }

  /// Takes somebody off the list; nothing happens to one who was woken.
  ///
  /// - Complexity: O(1) expected.
  mutating func unwatch(_ place: Int) {
    watchers[place] = nil
  }

  /// Appends a revision to the log.
  ///
  /// - Returns: The watchers to notify, in the order in which they came.
  /// - Complexity: O(n log n), where n is the number of watchers.
  mutating func append(_ revision: Revision) -> [any RevisionWatcher] {
    if isBlank { log = log.restarted(with: revision) } else { log.append(revision) }
    (failure, isBlank) = (nil, false)
    return takeWatchers()
  }

  /// Gives the current revision another name. No watcher is notified, because there is nothing to see.
  mutating func rename(_ revision: Revision) -> [any RevisionWatcher] {
    log.rename(revision)
    failure = nil
    return []
  }

  /// Drops the oldest revisions of the log until the others cost no more than this.
  ///
  /// - Returns: what was dropped, to be let go without a lock.
  mutating func cutLog(to byteCount: Int) -> [Revision] { log.cut(to: byteCount) }

  /// Hides the current revision, which the state no longer is, until there is another one.
  ///
  /// - Returns: The watchers to notify, in the order in which they came.
  mutating func fail() -> [any RevisionWatcher] {
    failure = .failed
    return takeWatchers()
  }

  /// Ends the history: there will be no further revision, and nobody may wait for one.
  ///
  /// - Returns: who has to be woken, in the order in which they came.
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
