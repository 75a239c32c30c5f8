import Synchronization
public import ViewState

/// A journal in memory, which fails when a test says so.
public final class MemoryJournal: Journal {
  /// What the journal has.
  public struct Content: Sendable {
    public var entries: [Entry] = []
    public var checkpoints: [Checkpoint] = []
    /// The number of entries of each append.
    public var appends: [Int] = []
    /// The error of each write; `nil` if they succeed.
    public var failure: JournalError?

    /// Creates the content of an empty journal.
    public init() {}
  }

  private let state: Mutex<Content>
  /// Runs before entries are appended.
  private let beforeAppend: @Sendable () -> Void

  /// Creates a journal.
  ///
  /// - Parameters:
  ///   - content: What it has.
  ///   - beforeAppend: Runs before entries are appended.
  public init(_ content: Content = Content(), beforeAppend: @escaping @Sendable () -> Void = {}) {
    state = Mutex(content)
    self.beforeAppend = beforeAppend
  }

  /// What the journal has now.
  public var content: Content { state.withLock { $0 } }
  /// The positions of the checkpoints, oldest first.
  public var positions: [Int] { content.checkpoints.map(\.position) }
  /// All entries.
  public var entries: [Entry] { content.entries }

  /// Makes each write fail from now on, or succeed again.
  public func fail(_ failure: JournalError?) { state.withLock { $0.failure = failure } }

  public func append(_ entries: [Entry]) throws(JournalError) {
    beforeAppend()
    try state.withLock { (content) throws(JournalError) in
      if let failure = content.failure { throw failure }
      content.entries += entries
      content.appends.append(entries.count)
    }
  }

  public func entries(after position: Int, limit: Int) -> [Entry] {
    Array(entries.filter { $0.position > position }.prefix(limit))
  }

  public func checkpoint() -> Checkpoint? { content.checkpoints.first }

  public func write(_ checkpoint: Checkpoint) throws(JournalError) {
    try state.withLock { (content) throws(JournalError) in
      if let failure = content.failure { throw failure }
      content.checkpoints.append(checkpoint)
    }
  }

  public func trim(to position: Int) {
    state.withLock { content in
      content.checkpoints.removeAll { $0.position < position }
      content.entries.removeAll { $0.position <= position }
    }
  }
}
