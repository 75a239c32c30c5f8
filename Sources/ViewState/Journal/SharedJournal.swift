public import CanonicalJSON

/// A ``Journal`` that several servers append to. Each of them applies all of it, so that they answer as one.
///
/// ```swift
/// await Application.main(journal: try RedisJournal("redis://127.0.0.1:6379/notes")) {
///   NotesFeature()
/// }
/// ```
///
/// The journal decides on the order: ``Journal/append(_:)`` ignores the positions and times of entries, and what all
/// servers append comes back by ``follow(_:)``. If it throws, the entries may be recorded all the same, until the
/// server has joined again. If it throws ``JournalError/unconfirmed(_:)``, they are recorded and come back, and their
/// senders get an answer that says that they may be lost.
///
/// Reading begins with ``Journal/checkpoint(at:)`` and goes on with ``Journal/entries(after:limit:)``, whose position is
/// always that of the last entry that was read.
public protocol SharedJournal: Journal {
  /// Begins the journal anew with a checkpoint. Other servers learn that it is another one.
  ///
  /// - Throws: `JournalError` if it cannot be written; ``JournalError/replaced(_:)`` if another server has begun it
  ///   since it was read.
  func begin(with checkpoint: Checkpoint) throws(JournalError)

  /// Whether the journal that was read last may lack entries that it has acknowledged, so that it must begin anew.
  var mayLackEntries: Bool { get }

  /// Enters the journal as one of the servers that use it, which all must have the same configuration, until this
  /// process ends.
  ///
  /// - Returns: The configuration of those that use it if it is another one, so that this server has not entered;
  ///   `nil` if it has.
  func enter(as configuration: JSONValue) throws(JournalError) -> JSONValue?

  /// Notes the position that this server applies while it starts; 0 before the first. `nil` ends the start, which makes
  /// the notes of processes that have ended void, too.
  ///
  /// - Throws: `JournalError` if it cannot be written, which the caller ignores.
  func note(trial position: Int?) throws(JournalError)

  /// The positions that processes have noted which have ended since, during their starts.
  var endedTrials: [Int] { get throws(JournalError) }

  /// Whether other servers follow the journal now.
  var hasOthers: Bool { get throws(JournalError) }

  /// The place in the journal of the last entry that was read. A checkpoint has it as the part
  /// ``Checkpoint/bookmark``.
  var bookmark: JSONValue { get }

  /// Tells other servers the digest of what the inputs up to a position have changed.
  ///
  /// - Throws: `JournalError` if it cannot be written, which the caller ignores.
  func append(_ digest: Text, at position: Int) throws(JournalError)

  /// Removes the checkpoints after a position.
  ///
  /// - Throws: `JournalError` if they cannot be removed.
  func removeCheckpoints(after position: Int) throws(JournalError)

  /// Delivers what comes after the last entry that was read, on a thread of the journal.
  ///
  /// - Parameter receive: Gets one event after the other. The next entries are read after it returns. It returns
  ///   whether to go on.
  func follow(_ receive: @escaping @Sendable (JournalEvent) -> Bool)
}

/// An event of a ``SharedJournal``.
public enum JournalEvent: Sendable {
  /// Entries of all servers, and whether these are all that the journal had; at least every 50 ms, also if there are
  /// none.
  case entries([SharedEntry], isEnd: Bool)
  /// The digest that another server has of the inputs up to a position.
  case digest(Text, position: Int)
  /// The server may append from now on. What it has appended before and has not come back is not recorded.
  case joined
  /// The server cannot append, or read what others append.
  case failing(JournalError)
  /// The journal is no longer the one that this server has applied; ``JournalError/lost(_:)`` if it has lost entries.
  /// It comes again if the receiver goes on, unless the journal is the former one by then.
  case replaced(JournalError)
}

/// An entry of a ``SharedJournal``, as a server gets it.
public enum SharedEntry: Sendable {
  /// The oldest input that this server has appended and that has not come back, with its time.
  case own(at: Timestamp)
  /// An input of another server, or of this one before it was started.
  case other(Entry)
}

extension Checkpoint {
  /// The name of the part with the place of a checkpoint in a ``SharedJournal``.
  public static let bookmark: Text = "journal"
}
