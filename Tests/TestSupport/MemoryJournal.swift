public import CanonicalJSON
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
    /// The notes by their names.
    public var notes: [Text: JSONValue] = [:]
    /// The notes of starts: those that have ended, and that of this process.
    public var starts: [JSONValue] = []
    /// The error of each write; `nil` if they succeed.
    public var failure: JournalError?
    /// The error of each checkpoint; `nil` if they succeed.
    public var checkpointFailure: JournalError?

    /// Creates the content of an empty journal.
    public init() {}
  }

  private let state: Mutex<Content>
  public let endedStarts: [JSONValue]
  /// Runs before entries are appended.
  private let beforeAppend: @Sendable () -> Void
  /// Runs before a note with a name is written.
  private let beforeNote: @Sendable () -> Void
  /// Runs after each note of the start, with what the journal has then.
  private let afterNote: @Sendable (Content) -> Void

  /// Creates a journal.
  ///
  /// - Parameters:
  ///   - content: What it has.
  ///   - beforeAppend: Runs before entries are appended.
  ///   - beforeNote: Runs before a note with a name is written.
  ///   - afterNote: Runs after each note of the start, with what the journal has then.
  public init(
    _ content: Content = Content(), beforeAppend: @escaping @Sendable () -> Void = {},
    beforeNote: @escaping @Sendable () -> Void = {},
    afterNote: @escaping @Sendable (Content) -> Void = { _ in }
  ) {
    state = Mutex(content)
    endedStarts = content.starts
    self.beforeAppend = beforeAppend
    self.beforeNote = beforeNote
    self.afterNote = afterNote
  }

  /// What the journal has now.
  public var content: Content { state.withLock { $0 } }
  /// The positions of the checkpoints, oldest first.
  public var positions: [Int] { content.checkpoints.map(\.position) }
  /// All entries.
  public var entries: [Entry] { content.entries }

  /// Makes each write fail from now on, or succeed again.
  public func fail(_ failure: JournalError?) { state.withLock { $0.failure = failure } }

  /// Makes each checkpoint fail from now on, or succeed again.
  public func fail(checkpoints failure: JournalError?) {
    state.withLock { $0.checkpointFailure = failure }
  }

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

  public func marks() -> [Checkpoint.Mark] { content.checkpoints.map(\.mark) }

  public func checkpoint(at position: Int) throws(JournalError) -> Checkpoint? {
    guard let checkpoint = content.checkpoints.first(where: { $0.position == position }) else {
      throw .damaged("there is no checkpoint at \(position)")
    }
    return checkpoint
  }

  public var byteCount: Int {
    let content = content
    let entries = content.entries.reduce(0) { $0 + $1.input.canonicalBytes().count }
    return content.checkpoints.flatMap(\.parts.values).reduce(entries) {
      $0 + $1.canonicalBytes().count
    }
  }

  public func note(_ name: Text) -> JSONValue? { content.notes[name] }

  public func write(_ note: JSONValue, named name: Text) {
    beforeNote()
    state.withLock { $0.notes[name] = note }
  }

  public func write(start note: JSONValue?) {
    let content = state.withLock { content in
      content.starts = note.map { endedStarts + [$0] } ?? []
      return content
    }
    afterNote(content)
  }

  public func write(_ checkpoint: Checkpoint) throws(JournalError) {
    try state.withLock { (content) throws(JournalError) in
      if let failure = content.failure ?? content.checkpointFailure { throw failure }
      content.checkpoints.append(checkpoint)
    }
  }

  public func removeCheckpoints(in positions: ClosedRange<Int>) {
    state.withLock { content in
      content.checkpoints.removeAll { positions.contains($0.position) }
    }
  }

  public func trim(to position: Int) {
    state.withLock { content in
      content.checkpoints.removeAll { $0.position < position }
      content.entries.removeAll { $0.position <= position }
    }
  }
}
