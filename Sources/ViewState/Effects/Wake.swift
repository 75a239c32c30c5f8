/// Lets the owner of an inbox handle what was posted. It runs reducers, so it must be called
/// without any lock held.
public struct Wake: Sendable {
  private let owner: SerialOwner

  init(owner: SerialOwner) {
    self.owner = owner
  }

  /// Handles what is queued, unless another thread is at it.
  public func callAsFunction() {
    owner.drain()
  }

  /// Returns once everything that was posted before this call has been handled and published, by
  /// whichever thread: after it, a read sees the write.
  public func settled() async {
    await owner.run { _ in }
  }
}
