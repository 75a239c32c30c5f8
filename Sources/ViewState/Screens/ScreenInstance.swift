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
  /// Finds a revision by the token a client names.
  func lookup(_ token: RevisionToken) -> RevisionLookup

  /// Has the watcher told once, as soon as `token` is not the current revision any more or what the
  /// key names was removed.
  ///
  /// - Returns: takes the order back; `nil` where there is something to look at already, and the
  ///   watcher will not be told. Nothing is lost between the look and the order.
  func watch(
    after token: RevisionToken, _ watcher: any RevisionWatcher
  ) -> (any Cancellable)?

  /// Runs a command.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - expected: where it is not `nil`, the command runs only if the current revision is
  ///     among these; nothing can come between the check and the command.
  func send(
    _ command: SentCommand, expecting expected: Set<RevisionToken>?
  ) async throws(CommandFailure) -> CommandOutcome
}

extension ScreenInstance {
  /// Whether what the key names was removed, so that there will be no further revision.
  public var isEnded: Bool { failure == .deletedKey }
}
