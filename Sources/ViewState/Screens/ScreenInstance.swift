public import CanonicalJSON

/// One screen of one key, whatever its kind: what the endpoints see of an `Interactor`.
public protocol ScreenInstance: AnyObject, Sendable {
  /// The screen with its key, such as `profile/1`.
  var name: Text { get }
  /// The epoch of all its tokens.
  var epoch: RevisionEpoch { get }
  /// Why there is nothing to show: what the key names was removed, so that there will be no further
  /// revision, or the screen fails; `nil` if the current revision is shown.
  var failure: ScreenLookupError? { get }

  /// The revision shown now; if the screen fails, one that was shown before or an empty one. Never waits
  /// for a running step.
  var current: Revision { get }
  /// How many revisions are kept, the current one included.
  var revisionCount: Int { get }
  /// The youngest of the kept revisions that are older than `end`, or of all, oldest first and at
  /// most `limit`; see ``RevisionLog/kept(before:limit:)``.
  func kept(before end: RevisionToken?, limit: Int) -> [Revision]
  /// Finds the revision of a token; see ``RevisionLog/revision(_:)``.
  func revision(_ token: RevisionToken) throws(ResetReason) -> Revision

  /// Notifies `watcher` once when clients see something else than at `token`, or when the key is removed.
  ///
  /// - Returns: The subscription; `nil` if that has happened already, so that `watcher` is not notified. No
  ///   change is lost in between.
  func watch(
    after token: RevisionToken, _ watcher: any RevisionWatcher
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
  /// Whether what the key names was removed, so that there will be no further revision.
  public var isEnded: Bool { failure == .deletedKey }
}
