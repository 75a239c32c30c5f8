public import Snapshots

/// One published state of a screen. Immutable: any number of threads read it at once.
public final class Revision: Sendable {
  /// Its name.
  public let token: RevisionToken
  /// The view model.
  public let snapshot: Snapshot
  /// What made it.
  public let cause: RevisionCause
  /// How many operations lead here from the revision before; 0 for the first.
  public let operationCount: Int
  /// The size of the document with these operations, in bytes; 0 for the first.
  public let diffByteCount: Int
  /// When it was published, on the scheduler's clock.
  let publishedAt: Duration
  /// What keeping this revision and the one before costs beside keeping one of them, in bytes,
  /// estimated: what they do not share, and the document between them; 0 for the first.
  let retainedByteCount: Int

  init(
    token: RevisionToken, snapshot: Snapshot, cause: RevisionCause, operationCount: Int,
    diffByteCount: Int, publishedAt: Duration, retainedByteCount: Int
  ) {
    self.token = token
    self.snapshot = snapshot
    self.cause = cause
    self.operationCount = operationCount
    self.diffByteCount = diffByteCount
    self.publishedAt = publishedAt
    self.retainedByteCount = retainedByteCount
  }
}
