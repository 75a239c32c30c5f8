public import CanonicalJSON

/// A ``Journal`` that several servers append to. Each of them applies all of it, so that they answer as one.
///
/// ```swift
/// await Application.main(journal: try RedisJournal("redis://127.0.0.1:6379/notes")) {
///   NotesFeature()
/// }
/// ```
///
/// The journal decides on the order: ``Journal/append(_:)`` ignores the positions and times of entries, and
/// ``follow(_:)`` delivers the entries that all servers append. If `append` throws, the entries may still be recorded,
/// until the server has joined again: nothing is appended before the next event ``JournalEvent/joined``. There are two
/// exceptions:
///
/// - ``JournalError/refused(_:)``: none of the entries is recorded. The server must join again, too.
/// - ``JournalError/unconfirmed(_:)``: the entries may be recorded and delivered, and their senders get an answer that
///   says that the changes may be lost. If the server must join again, the event ``JournalEvent/failing(_:)`` says so
///   first.
///
/// Reading begins with ``Journal/checkpoint(at:)`` and goes on with ``Journal/entries(after:limit:)``, whose position is
/// always that of the last entry that was read.
public protocol SharedJournal: Journal {
  /// Replaces the journal by a new one that begins with a checkpoint. Other servers learn that it was replaced.
  ///
  /// - Throws: `JournalError` if it cannot be written; ``JournalError/replaced(_:)`` if another server has begun it
  ///   since it was read.
  func begin(with checkpoint: Checkpoint) throws(JournalError)

  /// Whether the journal that was read last may lack entries that it has acknowledged, so that a new one must replace
  /// it.
  var mayLackEntries: Bool { get }

  /// The place of the newest checkpoint.
  ///
  /// - Throws: `JournalError` if it is not known; ``JournalError/replaced(_:)`` if the journal is no longer the one that
  ///   was read.
  var newestMark: Checkpoint.Mark? { get throws(JournalError) }

  /// Enters the journal as one of the servers that use it, which all must have the same configuration, until this
  /// process ends.
  ///
  /// - Returns: `nil` if this server has entered; otherwise the different configuration of the servers that use the
  ///   journal.
  func enter(as configuration: JSONValue) throws(JournalError) -> JSONValue?

  /// Asks the servers with another configuration to leave, by the event ``JournalEvent/takenOver``, and keeps others from
  /// entering, for two minutes from the last call: so long that this server can enter once they have left, and start
  /// again.
  ///
  /// - Parameter isWanted: `false` withdraws it, if no other server has asked since.
  /// - Throws: `JournalError` if it cannot be written.
  func takeOver(_ isWanted: Bool) throws(JournalError)

  /// Stops delivering events, and tells other servers that this one no longer follows the journal.
  ///
  /// - Returns: Whether no other server follows it. Of servers that leave together, at least the last one finds none.
  /// - Throws: `JournalError` if that is not known.
  func leave() throws(JournalError) -> Bool

  /// Whether other servers follow the journal now.
  var hasOthers: Bool { get throws(JournalError) }

  /// The place in the journal of the last entry that was read. A checkpoint has it as the part
  /// ``Checkpoint/bookmark``.
  var bookmark: JSONValue { get }

  /// Tells other servers the digest of what the inputs up to a position have changed.
  ///
  /// - Throws: `JournalError` if it cannot be written, which the caller ignores.
  func append(_ digest: Text, at position: Int) throws(JournalError)

  /// Delivers the events after the last entry that was read, on a thread of the journal.
  ///
  /// - Parameter receive: Gets one event after the other until this server leaves, and returns whether to go on. The
  ///   next entries are read after it returns.
  func follow(_ receive: @escaping @Sendable (JournalEvent) -> Bool)
}

/// An event of a ``SharedJournal``.
public enum JournalEvent: Sendable {
  /// Entries of all servers, and whether the journal had no more of them. It comes at least every 50 ms, even without
  /// entries.
  case entries([SharedEntry], isEnd: Bool)
  /// The digest that another server has of the inputs up to a position.
  case digest(Text, position: Int)
  /// The server may append from now on. An entry that it appended before and that has not been delivered is not
  /// recorded.
  case joined
  /// The server cannot append, or read what others append.
  case failing(JournalError)
  /// A server with another configuration takes the journal over, so this server must leave. The event is repeated.
  case takenOver
  /// The journal is no longer the one that this server has applied; ``JournalError/lost(_:)`` if it has lost entries.
  /// The event is repeated if the receiver goes on, unless the former journal is back by then.
  case replaced(JournalError)
}

/// An entry of a ``SharedJournal``, as a server gets it.
public enum SharedEntry: Sendable {
  /// The oldest input that this server has appended and that was not delivered yet, with its time.
  case own(at: Timestamp)
  /// An input of another server, or of this one before it was started.
  case other(Entry)
}
