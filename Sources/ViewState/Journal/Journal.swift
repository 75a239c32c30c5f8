public import CanonicalJSON

/// Keeps the inputs of an ``Engine`` on a disk, so that an engine of another process goes on where this one
/// ended.
///
/// An input is appended before it is applied, so that nothing is shown or acknowledged that could be lost. An
/// engine begins with the oldest checkpoint and applies the entries after it.
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
  /// Appends entries, all of them or none. After it returns they are read again, whatever happens to the process
  /// and the power.
  ///
  /// - Parameter entries: At least one entry; the first follows the last one of the journal.
  /// - Throws: `JournalError` if the entries cannot be written; the journal is as before then.
  func append(_ entries: [Entry]) throws(JournalError)

  /// Reads the entries after a position, in order.
  ///
  /// - Parameters:
  ///   - position: The position of the last entry that is known; 0 for none.
  ///   - limit: The largest number of entries to return.
  /// - Throws: `JournalError` if the entries cannot be read.
  func entries(after position: Int, limit: Int) throws(JournalError) -> [Entry]

  /// Reads the oldest checkpoint; returns `nil` if the journal is empty.
  ///
  /// - Throws: `JournalError` if it cannot be read.
  func checkpoint() throws(JournalError) -> Checkpoint?

  /// Adds a checkpoint, all of it or nothing.
  ///
  /// - Throws: `JournalError` if it cannot be written; the journal is as before then.
  func write(_ checkpoint: Checkpoint) throws(JournalError)

  /// Removes the checkpoints before a position, and the entries up to it.
  ///
  /// - Parameter position: The position of a checkpoint, which stays.
  /// - Throws: `JournalError` if they cannot be removed; the journal has no gap then.
  func trim(to position: Int) throws(JournalError)
}

/// The states of an engine after an input, from which another engine goes on.
public struct Checkpoint: Hashable, Sendable {
  /// The position of the last input that the states have; 0 if there was none.
  public let position: Int
  /// The states by their names.
  public let parts: [Text: JSONValue]

  /// Creates a checkpoint that was read from a journal.
  public init(position: Int, parts: [Text: JSONValue]) {
    self.position = position
    self.parts = parts
  }
}

/// The reason why a journal cannot be used.
public enum JournalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It cannot be opened, read or written now, such as for a full disk.
  case unavailable(String)
  /// Its content is not what this program can go on with.
  case damaged(String)

  public var description: String {
    switch self {
    case .unavailable(let reason), .damaged(let reason): reason
    }
  }
}

/// An event of a ``Journal`` for the log of the operator.
public enum JournalIncident: Hashable, Sendable {
  /// Inputs cannot be recorded. They are refused from now on, and screens are read as before.
  case failing(JournalError)
  /// Inputs are recorded again.
  case recovered
  /// An input cannot be written as JSON, such as one with an infinite number. It is refused; if a store has no
  /// ``KeyRefusal``, the sender gets no answer.
  case unwritable(String)
  /// The journal is no longer the one that the engine has applied: it has lost its end, or was begun anew. The process
  /// must start again.
  case replaced(JournalError)
  /// A checkpoint could not be written. The journal keeps its entries until the next one.
  case checkpointFailed(JournalError)
}
