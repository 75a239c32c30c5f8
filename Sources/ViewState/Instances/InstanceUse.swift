import Synchronization

/// Whether an instance is in use: whether something has read it, sent it a command, or taken its current revision.
///
/// Most of the time a note writes nothing, so that threads that read at once do not wait for each other.
struct InstanceUse: ~Copyable, Sendable {
  private let wasRead = Atomic(false)
  private let wasSeen = Atomic(false)
  /// The last time at which the instance is known to have been in use.
  private let last: Mutex<Duration>

  /// Begins with an instance that is made now.
  init(at now: Duration) { last = Mutex(now) }

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

  /// Returns whether the instance was in use within some time.
  func isRecent(within time: Duration, at now: Duration) -> Bool {
    let last = last.withLock { $0 }
    return wasRead.load(ordering: .relaxed) || now - last < time
  }
}
