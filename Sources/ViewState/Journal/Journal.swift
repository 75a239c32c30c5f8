public import CanonicalJSON

/// Keeps the inputs of an ``Engine`` on a disk, so that an engine of another process goes on where this one
/// ended.
///
/// An input is appended before it is applied, so that nothing is shown or acknowledged that could be lost. An
/// engine begins with a checkpoint and applies the entries after it.
///
/// ```swift
/// let engine = try Engine(environment: environment, journal: SQLiteJournal(path: "notes.journal"))
/// let notes = Store("notes", Notes(), in: engine)  // the notes of the journal, if it has any
/// try engine.start()
/// ```
///
/// The engine appends on one thread, and writes checkpoints on another. A ``SharedJournal`` is one that several servers
/// append to.
public protocol Journal: Sendable {
  /// Appends entries, all of them or none. After it returns, the entries must survive a crash of the process and a
  /// loss of power.
  ///
  /// - Parameter entries: At least one entry; the first follows the last one of the journal.
  /// - Throws: `JournalError` if the entries cannot be written; the journal is as before then. If it is
  ///   ``JournalError/unconfirmed(_:)``, the next process may read the entries all the same, unless others are appended
  ///   in their place before.
  func append(_ entries: [Entry]) throws(JournalError)

  /// Reads the entries after a position, in order.
  ///
  /// - Parameters:
  ///   - position: The position of the last entry that is known; 0 for none.
  ///   - limit: The largest number of entries to return. A journal may return fewer if they are large, but none only
  ///     if there are no more.
  /// - Throws: `JournalError` if the entries cannot be read.
  func entries(after position: Int, limit: Int) throws(JournalError) -> [Entry]

  /// Returns the places of all checkpoints, oldest first; none if the journal is empty.
  ///
  /// Each has the part ``Checkpoint/weight`` of its checkpoint, by which a journal of large inputs is kept short.
  ///
  /// - Throws: `JournalError` if they cannot be read.
  func marks() throws(JournalError) -> [Checkpoint.Mark]

  /// Reads a checkpoint; returns `nil` if there is none at the position, as it may have been removed.
  ///
  /// - Parameter position: The position of one of ``marks()``.
  /// - Throws: `JournalError` if it cannot be read.
  func checkpoint(at position: Int) throws(JournalError) -> Checkpoint?

  /// Adds a checkpoint, all of it or nothing.
  ///
  /// - Throws: `JournalError` if it cannot be written; the journal is as before then.
  func write(_ checkpoint: Checkpoint) throws(JournalError)

  /// Removes the checkpoints before a position, and the entries up to it.
  ///
  /// - Parameter position: The position of a checkpoint, which stays.
  /// - Throws: `JournalError` if they cannot be removed; the entries that are left must have no gap then.
  func trim(to position: Int) throws(JournalError)

  /// Removes the checkpoints in a range of positions. The entries stay.
  ///
  /// - Throws: `JournalError` if they cannot be removed.
  func removeCheckpoints(in positions: ClosedRange<Int>) throws(JournalError)

  /// The size of the journal, in bytes.
  var byteCount: Int { get throws(JournalError) }

  /// The space that the journal takes on the disks of this machine, in bytes, for metrics; `nil` if it is not known,
  /// and unless defined. Any thread may read it, even while the journal waits for a disk, so it must not wait.
  var diskByteCount: Int? { get }

  /// Reads a note; returns `nil` if there is none of the name. Unless defined, a journal has no notes: then
  /// `viewdelta check` has nothing to compare, and a copy is like the journal itself; see ``JournalNote``.
  ///
  /// - Throws: `JournalError` if it cannot be read.
  func note(_ name: Text) throws(JournalError) -> JSONValue?

  /// Writes a note, and replaces the note with the same name. A note must survive a crash of the process, but may be
  /// lost if the power fails.
  ///
  /// - Parameters:
  ///   - note: The note.
  ///   - name: One of a few names.
  /// - Throws: `JournalError` if it cannot be written.
  func write(_ note: JSONValue, named name: Text) throws(JournalError)

  /// Notes how far the start of this process has come, and replaces the earlier note of this process. `nil` says that
  /// the start is complete: then the notes of all processes that have ended are removed, too. Unless defined, a journal
  /// keeps no such notes, so no input is ever skipped.
  ///
  /// A note must survive a crash of the process, but may be lost if the power fails. If it cannot be written, the
  /// earlier note must not stay: it would name an input at which the process has not ended.
  ///
  /// - Parameter note: The note, of less than 200 bytes as JSON.
  /// - Throws: `JournalError` if it cannot be written, which the caller ignores.
  func write(start note: JSONValue?) throws(JournalError)

  /// The last notes of the starts that were not complete when their processes ended, in any order.
  var endedStarts: [JSONValue] { get throws(JournalError) }

  /// A warning for the log, such as that the journal may lose entries that it acknowledges, or may have lost some.
  /// It is `nil` if there is none, and unless defined. The engine asks once, at its start.
  var warning: String? { get }

  /// Prepares the journal to be copied or replaced by other programs; does nothing unless defined. The engine calls it
  /// when no more inputs come.
  func close()
}

extension Journal {
  public var diskByteCount: Int? { nil }

  public func note(_ name: Text) throws(JournalError) -> JSONValue? { nil }

  public func write(_ note: JSONValue, named name: Text) throws(JournalError) {}

  public func write(start note: JSONValue?) throws(JournalError) {}

  public var endedStarts: [JSONValue] { get throws(JournalError) { [] } }

  public var warning: String? { nil }

  public func close() {}

  /// Reads the oldest checkpoint; returns `nil` if the journal is empty.
  ///
  /// - Throws: `JournalError` if it cannot be read.
  public func checkpoint() throws(JournalError) -> Checkpoint? {
    guard let oldest = try marks().first else { return nil }
    return try checkpoint(at: oldest.position)
  }
}

/// The names of the notes of a ``Journal`` that a type of journal writes itself.
public enum JournalNote {
  /// The note is `true` if the journal is a copy, and no server has started from it. The journal itself may have gone
  /// on since, so a server that starts from a copy gives other revisions than those in the copy.
  public static let copy: Text = "copy"
}

/// The limits of the inputs that a journal keeps although a start does not need them.
///
/// ```swift
/// configuration.retention = JournalRetention(age: .seconds(7 * 24 * 60 * 60))
/// ```
public struct JournalRetention: Hashable, Sendable {
  /// The time for which inputs are kept.
  public var age: Duration
  /// The size of the journal in bytes beyond which the oldest inputs are removed, even before ``age`` has passed.
  public var byteCount: Int

  /// Creates limits. By default only what a start needs is kept.
  public init(age: Duration = .zero, byteCount: Int = 1024 * 1024 * 1024) {
    self.age = age
    self.byteCount = byteCount
  }
}

/// The reason why a journal cannot be used.
public enum JournalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The journal cannot be opened, read or written now, for example because the disk is full.
  case unavailable(String)
  /// This program cannot go on with the content of the journal.
  case damaged(String)
  /// The journal was replaced by a new one, or has removed entries that were not read yet. Read it again from its
  /// checkpoint.
  case replaced(String)
  /// The journal has lost entries that were read.
  case lost(String)
  /// The journal has refused entries, for example because its memory is full. None of them is recorded. Or other servers
  /// use it with another program or other settings.
  case refused(String)
  /// The journal may have recorded entries, but too few of its replicas, or not its disk, have confirmed them.
  case unconfirmed(String)

  public var description: String {
    switch self {
    case .unavailable(let reason), .damaged(let reason), .replaced(let reason), .lost(let reason),
      .refused(let reason), .unconfirmed(let reason):
      reason
    }
  }
}

/// An event of a ``Journal`` for the log of the operator.
public enum JournalIncident: Hashable, Sendable {
  /// The engine starts with a journal that has a ``Journal/warning``, or the clock was set back behind the last input.
  case warning(String)
  /// Inputs cannot be recorded, or are not confirmed. Their senders are told so from now on, and reads go on as before.
  case failing(JournalError)
  /// Inputs are recorded and confirmed again.
  case recovered
  /// An input cannot be written as JSON, such as one with an infinite number. It is refused.
  case unwritable(String)
  /// The journal is no longer the one that the engine has applied. If entries were lost, a new journal begins with
  /// the states of this engine, or of another server that was faster. The process must start again.
  case replaced(JournalError)
  /// The engine takes the journal over from servers of another program, and waits until they have ended.
  case takingOver
  /// A server of another program takes the journal over. The process must end, in the way in which it records the whole
  /// state.
  case takenOver
  /// The state of this server after the input at a position differs from the state of other servers that share the
  /// journal, and no majority has the state of this server. The process must start again.
  case differs(position: Int)
  /// A checkpoint could not be written. The journal keeps its entries until the next one.
  case checkpointFailed(JournalError)
  /// A start takes over the states of the journal or applies its inputs, has come to a position, and needs more time. It
  /// is logged every few seconds.
  case replaying(position: Int)
  /// Two starts have ended while they applied the input at a position, such as `command profile/1`, so it is skipped.
  case skipped(position: Int, input: String)
}

extension Journal {
  /// The settings that the inputs were applied with at first; `nil` if the journal is empty.
  package var settings: Settings? {
    get throws(JournalError) {
      try checkpoint().map { (checkpoint) throws(JournalError) in
        let record: EngineRecord = try checkpoint.decode(EngineRecord.part)
        return record.settings
      }
    }
  }

  /// The number of entries that are read at once. Up to twice as many count as the last ones of the journal: it may be
  /// that no process has applied all of them.
  private static var readCount: Int { 1_024 }

  /// Reads the entries after a position, some at a time.
  ///
  /// - Parameters:
  ///   - position: The position of the last entry that is known.
  ///   - body: Gets some entries, and whether they are among the last ones. It returns whether to go on.
  func read(
    after position: Int,
    _ body: (_ entries: [Entry], _ isNearEnd: Bool) throws(JournalError) -> Bool
  ) throws(JournalError) {
    var entries = try entries(after: position, limit: Self.readCount)
    while let end = entries.last {
      let next = try self.entries(after: end.position, limit: Self.readCount)
      guard try body(entries, next.count < Self.readCount) else { return }
      entries = next
    }
  }
}
