package import CanonicalJSON

/// A view model with its revisions: one screen with one key, without the type of its state.
package protocol ScreenInstance: AnyObject, Sendable {
  /// The screen with its key, such as `profile/1`.
  var name: Text { get }
  /// The epoch of the tokens of its revisions.
  var epoch: RevisionEpoch { get }
  /// The reason why the view model cannot be shown: its key was removed, so that no further revision comes,
  /// or its screen fails; `nil` if the current revision can be shown.
  var failure: ScreenLookupError? { get }

  /// The current revision. If the screen fails, it is the last revision that could be shown, or an empty one.
  /// Reading it does not wait for an input.
  var current: Revision { get }
  /// Returns whether `token` names the current revision and the screen does not fail.
  ///
  /// It takes less time than reading ``current`` and ``failure``.
  func shows(_ token: RevisionToken) -> Bool
  /// The newest incidents of the view model, at most 50, newest first.
  var incidents: [LoggedIncident] { get }
  /// The number of kept revisions, the current one included.
  var revisionCount: Int { get }
  /// Returns the newest kept revisions before another one; see ``RevisionLog/kept(before:limit:)``.
  func kept(before end: RevisionToken?, limit: Int) -> [Revision]
  /// Returns whether the revision of a token may be from before the instance was made, so that finding it makes this
  /// and all later revisions again.
  func mustRecall(_ token: RevisionToken) -> Bool
  /// Finds the revision of a token; see ``RevisionLog/revision(_:)``.
  func revision(_ token: RevisionToken) throws(ResetReason) -> Revision

  /// Notifies `watcher` once when clients see other content than at `token`, or when the key is removed.
  ///
  /// - Parameters:
  ///   - token: The revision that the client has; `nil` if the client knows that the screen fails.
  ///   - watcher: The watcher.
  /// - Returns: The subscription; `nil` if this has happened already, so that `watcher` is not notified. No
  ///   change is lost in between.
  func watch(
    after token: RevisionToken?, _ watcher: any RevisionWatcher
  ) -> (any Cancellable)?

  /// Runs a command.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - expected: The revisions of which one must be current for the command to run; `nil` allows
  ///     any. No input comes between the check and the command.
  func send(
    _ command: SentCommand, expecting expected: Set<RevisionToken>?
  ) async throws(CommandFailure) -> CommandOutcome
}

extension ScreenInstance {
  /// Whether the key was removed, so that no further revision comes.
  package var isEnded: Bool { failure == .deletedKey }

  /// Returns the newest of the kept revisions before one, oldest first. Successive ones that show the same are one, with
  /// the newest token; those that cannot be shown are left out.
  ///
  /// - Parameters:
  ///   - end: A revision of this history; `nil` for the end of the history.
  ///   - limit: The largest number of revisions to return.
  /// - Complexity: That of ``kept(before:limit:)``, and of making the view models that are not made yet.
  package func shown(before end: Revision?, limit: Int) -> [Revision] {
    var shown: [Revision] = []
    var (place, newer) = (end?.token, end)
    // One more is looked at, because older ones may show the same as the oldest.
    while shown.count <= limit {
      let kept = kept(before: place, limit: limit + 1 - shown.count)
      guard let first = kept.first else { break }
      for older in kept.reversed() where older.failure == nil {
        if newer?.snapshot != older.snapshot {
          shown.append(older)
        } else if let last = shown.popLast() {
          shown.append(older.renamed(last.token))
        }
        newer = older
      }
      place = first.token
    }
    return shown.prefix(limit).reversed()
  }
}

/// The reason why there is no view model for a name.
public enum ScreenLookupError: Error, Codable, Hashable, Sendable {
  /// There is no screen with the name.
  case unknownScreen
  /// The screen has no view model for the key.
  case unknownKey
  /// The key of a personal screen names a session that does not have 22 to 128 letters, digits, `-` and `_`.
  case malformedSession
  /// The key was deleted.
  case deletedKey
  /// The state of the view model cannot be shown, until an input makes one that can.
  case failed
}
