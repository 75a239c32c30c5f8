#if Redis
  public import CanonicalJSON
  import Foundation
  import Synchronization
  public import ViewState

  /// A `SharedJournal` in a stream of Redis 7, which any number of servers can use.
  ///
  /// ```swift
  /// await Application.main(journal: try RedisJournal("redis://127.0.0.1:6379/notes")) {
  ///   NotesFeature()
  /// }
  /// ```
  ///
  /// An acknowledged input is as safe as Redis makes it: with `appendonly yes` and `appendfsync always` it is on the
  /// disk. Replicas of Redis get the input later, so a failover may lose it.
  ///
  /// The key `NAME` has the era of the journal, which changes when a new journal begins; `NAME:ERA:entries` is the
  /// stream.
  public final class RedisJournal: SharedJournal {
    struct State: Sendable {
      /// The era that was read; `nil` if there is none.
      var era: String?
      var cursor = RedisCursor(position: 0)
      /// The ids of the entries with which this server has joined, oldest first, without those of sessions that have
      /// ended in what was read: the entries of the others may still come.
      var sessions: [String] = []
      /// The reason why this server has to join before it appends; `nil` while it may append to the last session.
      var failure: String? = "it is not joined"
      var session: String? { failure == nil ? sessions.last : nil }
      /// The process of Redis whose entries this server follows; `nil` before it does.
      var process: String?
      /// Whether so many others have joined since that the entries of this server count no more.
      var isForgotten: Bool { sessions.last.map(cursor.hasEnded) ?? false }
      /// Whether the era may lack entries that were acknowledged.
      var mayLackEntries = false
      /// What all servers must have in common.
      var configuration: [UInt8] = []
      /// Whether this server has entered.
      var hasEntered = false
      /// Whether this server delivers no more events.
      var isLeaving = false
    }

    let address: RedisAddress
    /// The number of replicas that must have a change before it is acknowledged.
    private let replicas: Int
    /// Distinguishes this server from others.
    let id = RedisJournal.randomID()
    let state = Mutex(State())
    let commands = Mutex<RedisConnection?>(nil)
    /// Gets a signal when the thread that delivers events ends.
    let left = DispatchSemaphore(value: 0)

    /// The time that a read waits for entries, in milliseconds.
    private static let block = 50
    /// The time in which replicas must have an entry, in milliseconds.
    private static let copyTime = 1_000

    /// Opens a journal.
    ///
    /// - Parameters:
    ///   - address: The address, such as `redis://127.0.0.1:6379/notes`, or `redis://USER:PASSWORD@HOST/notes`.
    ///   - password: The password to use if the address has none; `nil` for no password.
    ///   - replicas: The number of replicas of Redis that must have an input before it is acknowledged. If fewer
    ///     replicas confirm the input within 1 s, its sender gets the refusal `unconfirmed`.
    /// - Throws: `JournalError` if the address is malformed.
    public init(
      _ address: String, password: String? = nil, replicas: Int = 0
    ) throws(JournalError) {
      self.address = try RedisAddress(address, password: password)
      self.replicas = replicas
    }

    static func randomID() -> String {
      String(UInt64.random(in: UInt64(1) << 60 ... .max), radix: 16)
    }

    /// Returns whether a text may be one of ``randomID()``.
    static func isID(_ text: String) -> Bool {
      text.utf8.count == 16 && UInt64(text, radix: 16) != nil
    }

    func key(_ era: String?, _ suffix: String) -> String {
      "\(address.name):\(era ?? ""):\(suffix)"
    }

    /// Runs commands on the connection that all threads share. After an error it is made anew, and if Redis has closed
    /// it because there was no command for a while.
    func run<Result: Sendable>(
      _ work: @Sendable (RedisConnection) throws(JournalError) -> Result
    ) throws(JournalError) -> Result {
      try commands.withLock { (connection) throws(JournalError) in
        do throws(JournalError) {
          if let connection, !connection.isClosed { return try work(connection) }
          // It has the name of the one before, or else other servers would take this one for ended.
          let hasEntered = state.withLock { $0.hasEntered }
          let made = try RedisConnection(
            address, name: hasEntered ? name(.starting) : "viewdelta:\(id)")
          guard state.withLock({ $0.process ?? made.process }) == made.process else {
            throw .unavailable("\(address): another process of Redis answers")
          }
          connection = made
          return try work(made)
        } catch {
          connection = nil
          throw error
        }
      }
    }
  }

  extension RedisJournal {
    public func append(_ entries: [Entry]) throws(JournalError) {
      let (era, session) = state.withLock { ($0.era, $0.session) }
      guard let session else { throw .unavailable("\(address): it is not joined") }
      let key = key(era, "entries")
      let copies: Int
      do throws(JournalError) {
        copies = try run { (connection) throws(JournalError) in
          // All of them or none: if Redis refused one, such as a large one for its memory, and took the next one, that
          // one would come back in the place of the first.
          connection.add(["MULTI"])
          for entry in entries {
            connection.add(
              ["XADD", key, "*", RedisCursor.Field.session, session, RedisCursor.Field.input],
              entry.input.canonicalBytes())
          }
          connection.add(["EXEC"])
          // On the same connection, because Redis waits for what came on it.
          if replicas > 0 { connection.add(["WAIT", "\(replicas)", "\(Self.copyTime)"]) }
          let added = try connection.transaction(of: entries.count).elements
          guard added.count == entries.count else {
            throw .unavailable("\(address): not all entries were added")
          }
          for reply in added { _ = try connection.success(reply) }
          return replicas > 0 ? try connection.success(connection.reply()).integer ?? 0 : 0
        }
      } catch {
        state.withLock { $0.failure = error.description }
        // They may come back although no replica has confirmed them.
        if replicas > 0, case .unavailable(let reason) = error { throw .unconfirmed(reason) }
        throw error
      }
      if copies < replicas {
        throw .unconfirmed(
          "\(address): \(copies) replicas have confirmed the changes in time, not \(replicas)")
      }
    }

    public func append(_ digest: Text, at position: Int) throws(JournalError) {
      let (era, session) = state.withLock { ($0.era, $0.session) }
      guard let session else { return }
      let stream = key(era, "entries")
      _ = try run { (connection) throws(JournalError) in
        try connection.call([
          "XADD", stream, "*", RedisCursor.Field.session, session, RedisCursor.Field.digest,
          digest.string, RedisCursor.Field.position, "\(position)",
        ])
      }
    }

    public func entries(after position: Int, limit: Int) throws(JournalError) -> [Entry] {
      while true {
        let (read, isEnd) = try run { (connection) throws(JournalError) in
          let cursor = state.withLock { $0.cursor }
          guard cursor.position == position else {
            throw .damaged("\(address): it is read up to \(cursor.position), not to \(position)")
          }
          let read = try self.read(connection, limit: limit, isBlocking: false)
          var entries: [Entry] = []
          for input in read.inputs { entries.append(try entry(of: input)) }
          return (entries, read.isEnd)
        }
        if !read.isEmpty || isEnd { return read }
      }
    }

    func entry(of input: RecordedInput) throws(JournalError) -> Entry {
      do throws(JournalError) { return try input.entry } catch {
        throw .damaged("\(address): \(error)")
      }
    }

    public var bookmark: JSONValue { state.withLock { $0.cursor.bookmark } }

    /// Reads the entries after those that were read.
    ///
    /// - Returns: The inputs of entries that count, the digests of other servers, and whether this server has joined.
    /// - Throws: `JournalError.lost` or `replaced` if the stream no longer has what was read.
    func read(
      _ connection: RedisConnection, limit: Int, isBlocking: Bool
    ) throws(JournalError) -> Read {
      var (era, cursor, sessions) = state.withLock { ($0.era, $0.cursor, $0.sessions) }
      let (stream, last) = (key(era, "entries"), cursor.id.description)
      let wait = isBlocking ? ["BLOCK", "\(Self.block)"] : []
      connection.add(["XREAD", "COUNT", "\(limit)"] + wait + ["STREAMS", stream, last])
      connection.add(["GET", address.name])
      connection.add(["GET", successorKey])
      // If the last one is still there afterwards, none was lost or trimmed before those that are read.
      connection.add(["XRANGE", stream, last, last])
      let new = try connection.success(connection.reply())
      let current = try connection.success(connection.reply())
      let successor = try connection.success(connection.reply())
      let known = try connection.success(connection.reply())
      guard let current = current.text else { throw .lost("\(address): it is gone") }
      guard current == era else { throw .replaced("\(address): it was replaced") }
      guard !known.elements.isEmpty else {
        let first = try connection.call(["XRANGE", stream, "-", "+", "COUNT", "1"]).elements.first
        guard let name = first?.elements.first?.text.flatMap(RedisID.init), name > cursor.id
        else {
          throw .lost("\(address): entries that were read are no longer there")
        }
        throw .replaced("\(address): entries were removed before they were read")
      }
      let replies = new.elements.first?.elements.last?.elements ?? []
      var read = Read(isEnd: replies.count < limit)
      read.hasSuccessor = isOther(successor.bytes)
      for reply in replies {
        do throws(JournalError) {
          switch try cursor.read(reply) {
          case .input(let input): read.inputs.append(input)
          case .join(let joined): read.hasJoined = read.hasJoined || joined == sessions.last
          case .digest(let digest, let position, let sender):
            if !sessions.contains(sender) { read.digests.append((digest, position)) }
          case .nothing: break
          }
        } catch {
          throw .damaged("\(address): \(error)")
        }
      }
      state.withLock { [cursor, sessions] state in
        state.cursor = cursor
        if read.hasJoined { state.sessions = sessions.suffix(1) }
        if state.isForgotten { state.failure = "\(address): this server has to join again" }
      }
      return read
    }

    /// What was read of the stream.
    struct Read {
      var inputs: [RecordedInput] = []
      var digests: [(digest: Text, position: Int)] = []
      var hasJoined = false
      /// Whether a server of another build wants to go on with the journal.
      var hasSuccessor = false
      /// Whether the stream had no more.
      let isEnd: Bool
    }
  }
#endif
