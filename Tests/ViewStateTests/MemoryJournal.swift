import Synchronization
import ViewState

/// A journal in memory, which fails when a test says so.
final class MemoryJournal: Journal {
  struct Content: Sendable {
    var entries: [Entry] = []
    var checkpoints: [Checkpoint] = []
    /// The number of entries of each append.
    var appends: [Int] = []
    var failure: JournalError?
  }

  let content = Mutex(Content())
  /// Runs before entries are appended.
  private let beforeAppend: @Sendable () -> Void

  init(beforeAppend: @escaping @Sendable () -> Void = {}) {
    self.beforeAppend = beforeAppend
  }

  var entries: [Entry] { content.withLock { $0.entries } }
  var positions: [Int] { content.withLock { $0.checkpoints.map(\.position) } }

  func fail(_ failure: JournalError?) { content.withLock { $0.failure = failure } }

  func append(_ entries: [Entry]) throws(JournalError) {
    beforeAppend()
    try content.withLock { (content) throws(JournalError) in
      if let failure = content.failure { throw failure }
      content.entries += entries
      content.appends.append(entries.count)
    }
  }

  func entries(after position: Int, limit: Int) -> [Entry] {
    Array(entries.filter { $0.position > position }.prefix(limit))
  }

  func checkpoint() -> Checkpoint? { content.withLock { $0.checkpoints.first } }

  func write(_ checkpoint: Checkpoint) throws(JournalError) {
    try content.withLock { (content) throws(JournalError) in
      if let failure = content.failure { throw failure }
      content.checkpoints.append(checkpoint)
    }
  }

  func trim(to position: Int) {
    content.withLock { content in
      content.checkpoints.removeAll { $0.position < position }
      content.entries.removeAll { $0.position <= position }
    }
  }
}
