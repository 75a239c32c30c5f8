import Synchronization

/// Whether an instance is in use: whether something has read it, sent it a command, or taken its current revision.
///
/// Most of the time a note writes nothing, so that threads that read at once do not wait for each other.
struct InstanceUse: ~Copyable, Sendable {
  private let wasRead = Atomic(false)
  private let wasSeen = Atomic(false)
  /// The last time at which the instance is known to have been in use; `nil` if it never was.
  private let last = Mutex<Duration?>(nil)

  /// Whether a reader has taken the current revision.
  var isSeen: Bool { wasSeen.load(ordering: .relaxed) }

  /// Notes that the instance is in use.
  func noteRead() {
    if !wasRead.load(ordering: .relaxed) { wasRead.store(true, ordering: .relaxed) }
  }

  /// Notes that a reader has taken the current revision.
  func noteSeen() {
    noteRead()
    if !isSeen { wasSeen.store(true, ordering: .relaxed) }
  }

  /// Notes that there is another current revision, which no reader has taken.
  func noteRevision() { wasSeen.store(false, ordering: .relaxed) }

  /// Returns whether the instance was in use since the last call.
  func take(at now: Duration) -> Bool {
    let isUsed = wasRead.exchange(false, ordering: .relaxed)
    if isUsed { last.withLock { $0 = now } }
    return isUsed
  }

  /// Returns whether the instance is known to have been in use since some time.
  func isKnown(since time: Duration) -> Bool {
    wasRead.load(ordering: .relaxed) || last.withLock { $0 }.map { $0 > time } ?? false
  }
}
