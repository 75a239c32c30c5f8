/// What a reply says of a revision, in whatever representation. Each is encoded once and shared by
/// all clients.
enum ReplyForm: Hashable, Sendable {
  /// The current snapshot.
  case snapshot
  /// A kept snapshot asked for by its revision, which can be cached for good.
  case pinnedSnapshot
  /// The change up to the current revision: a diff, or a snapshot if that is smaller and may be.
  case change(mustBeDiff: Bool)
  /// The diff between two kept revisions named by the client, which can be cached for good.
  case pinnedDiff
  /// That nothing has changed.
  case nothingNew
  case reset(ResetReason)
  /// A page of the history, up to a revision.
  case history(isLast: Bool)
}
