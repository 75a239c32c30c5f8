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
  /// What is acknowledged is as safe as Redis makes it: with `appendonly yes` and `appendfsync always` it is on the
  /// disk. Replicas of Redis get it later, so a failover may lose it.
  ///
  /// The key `NAME` has the era of the journal, which changes when it begins anew; `NAME:ERA:entries` is the stream.
  public final class RedisJournal: SharedJournal {
    private struct State: Sendable {
      /// The era that was read; `nil` if there is none.
      var era: String?
      var cursor = RedisCursor(position: 0)
      /// The id of the entry with which this server has joined; `nil` if it has to join.
      var session: String?
      /// The last session, whose entries must not count any more when the server joins again.
      var lastSession: String?
    }

    private let address: RedisAddress
    /// Distinguishes this server from others.
    private let id = RedisJournal.randomID()
    private let state = Mutex(State())
    private let commands = Mutex<RedisConnection?>(nil)

    /// The time that a read waits for entries, in milliseconds.
    private static let block = 100
    /// The largest number of entries that are read at once.
    private static let readCount = 128
    /// The largest piece of a checkpoint that one command writes, in bytes.
    private static let pieceByteCount = 1024 * 1024
    /// The time in which a server has to begin an empty journal, in seconds.
    private static let beginTime = 30
    /// The time after which the rest of a checkpoint goes that was not finished, and that of a former era, in seconds.
    private static let restLifetime = 3600
    /// The first entry of each stream. The stream always has the entry that a server has read last, unless it has
    /// lost entries or they were trimmed.
    private static let firstID = "0-1"

    /// Opens a journal.
    ///
    /// - Parameter address: The address, such as `redis://127.0.0.1:6379/notes`, or
    ///   `redis://USER:PASSWORD@HOST/notes`.
    /// - Throws: `JournalError` if the address is malformed.
    public init(_ address: String) throws(JournalError) {
      self.address = try RedisAddress(address)
    }

    private static func randomID() -> String {
      String(UInt64.random(in: UInt64(1) << 60 ... .max), radix: 16)
    }

    private func key(_ era: String?, _ suffix: String) -> String {
      "\(address.name):\(era ?? ""):\(suffix)"
    }

    /// Runs commands on the connection that all threads share. After an error it is made anew.
    private func run<Result: Sendable>(
      _ work: @Sendable (RedisConnection) throws(JournalError) -> Result
    ) throws(JournalError) -> Result {
      try commands.withLock { (connection) throws(JournalError) in
        do throws(JournalError) {
          if let connection { return try work(connection) }
          let made = try RedisConnection(address, name: "viewdelta:\(id)")
          connection = made
          return try work(made)
        } catch {
          connection = nil
          throw error
        }
      }
    }
  }

  // MARK: - Entries

  extension RedisJournal {
    public func append(_ entries: [Entry]) throws(JournalError) {
      let (era, session) = state.withLock { ($0.era, $0.session) }
      guard let session else { throw .unavailable("\(address): it is not joined") }
      let key = key(era, "entries")
      do throws(JournalError) {
        try run { (connection) throws(JournalError) in
          for entry in entries {
            let sender = entry.by.map { [RedisCursor.Field.sender, $0.rawValue.string] } ?? []
            connection.add(
              ["XADD", key, "*", RedisCursor.Field.session, session] + sender
                + [RedisCursor.Field.input], entry.input.canonicalBytes())
          }
          for _ in entries { _ = try connection.success(connection.reply()) }
        }
      } catch {
        state.withLock { $0.session = nil }
        throw error
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
          return (read.entries.map(\.entry), read.isEnd)
        }
        if !read.isEmpty || isEnd { return read }
      }
    }

    public var bookmark: JSONValue { state.withLock { $0.cursor.bookmark } }

    /// Reads the entries after those that were read.
    ///
    /// - Returns: Those that count, each with whether it is of this server; whether the stream had none; and whether
    ///   this server has joined among them.
    /// - Throws: `JournalError.damaged` if the stream no longer has what was read.
    private func read(
      _ connection: borrowing RedisConnection, limit: Int, isBlocking: Bool
    ) throws(JournalError) -> (
      entries: [(entry: Entry, isOwn: Bool)], isEnd: Bool, hasJoined: Bool
    ) {
      var (era, cursor, session) = state.withLock { ($0.era, $0.cursor, $0.session) }
      let (stream, last) = (key(era, "entries"), cursor.id.description)
      let wait = isBlocking ? ["BLOCK", "\(Self.block)"] : []
      connection.add(["XREAD", "COUNT", "\(limit)"] + wait + ["STREAMS", stream, last])
      connection.add(["GET", address.name])
      let new = try connection.success(connection.reply())
      let current = try connection.success(connection.reply())
      guard current.text == era else { throw .damaged("\(address): it was begun anew") }
      let replies = new.elements.first?.elements.last?.elements ?? []
      if !replies.isEmpty || !isBlocking {
        // If the last one is still there now, none was lost or trimmed before those that were read.
        guard !(try connection.call(["XRANGE", stream, last, last]).elements.isEmpty) else {
          throw .damaged("\(address): entries that were read are no longer there")
        }
      }
      var entries: [(entry: Entry, isOwn: Bool)] = []
      var hasJoined = false
      for reply in replies {
        do throws(JournalError) {
          switch try cursor.read(reply) {
          case .entry(let entry, let sender): entries.append((entry, sender == session))
          case .join(let joined): hasJoined = hasJoined || joined == session
          case .nothing: break
          }
        } catch {
          throw .damaged("\(address): \(error)")
        }
      }
      state.withLock { [cursor] in $0.cursor = cursor }
      return (entries, replies.isEmpty, hasJoined)
    }

    public func follow(_ receive: @escaping @Sendable (JournalEvent) -> Bool) {
      Thread.detachNewThread { [self] in
        while true {
          do throws(JournalError) {
            if !(try follow(with: receive)) { return }
          } catch {
            state.withLock { $0.session = nil }
            if case .damaged = error {
              _ = receive(.replaced(error))
              return
            }
            guard receive(.failing(error)) else { return }
            Thread.sleep(forTimeInterval: 0.1)
          }
        }
      }
    }

    /// Joins, and delivers what is read until something fails.
    ///
    /// - Returns: `false` if the receiver wants no more.
    private func follow(with receive: (JournalEvent) -> Bool) throws(JournalError) -> Bool {
      let connection = try RedisConnection(address, name: followerName)
      // What was read must be there before anything is added.
      guard try deliver(connection, isBlocking: false, receive) else { return false }
      try join()
      while state.withLock({ $0.session }) != nil {
        guard try deliver(connection, isBlocking: true, receive) else { return false }
      }
      throw .unavailable("\(address): the connection was lost")
    }

    private func deliver(
      _ connection: RedisConnection, isBlocking: Bool, _ receive: (JournalEvent) -> Bool
    ) throws(JournalError) -> Bool {
      let read = try read(connection, limit: Self.readCount, isBlocking: isBlocking)
      if read.isEnd || !read.entries.isEmpty {
        guard receive(.entries(read.entries)) else { return false }
      }
      return read.hasJoined ? receive(.joined) : true
    }

    /// Adds the entry with which this server joins, and which ends its former session.
    private func join() throws(JournalError) {
      let (era, former) = state.withLock { ($0.era, $0.lastSession) }
      let stream = key(era, "entries")
      let session = try run { (connection) throws(JournalError) in
        try connection.call(["XADD", stream, "*", RedisCursor.Field.join, former ?? ""]).text
      }
      state.withLock { state in
        state.session = session
        state.lastSession = session
      }
    }

    private var followerName: String { "viewdelta-follower:\(address.name):\(id)" }

    public var hasOthers: Bool {
      get throws(JournalError) {
        let list = try run { (connection) throws(JournalError) in
          try connection.call(["CLIENT", "LIST", "TYPE", "normal"]).text ?? ""
        }
        let others = "name=viewdelta-follower:\(address.name):"
        return list.split(separator: "\n").contains { line in
          line.split(separator: " ").contains { $0.hasPrefix(others) && !$0.hasSuffix(":\(id)") }
        }
      }
    }
  }

  // MARK: - Checkpoints

  extension RedisJournal {
    public func checkpoint() throws(JournalError) -> Checkpoint? {
      let end = ContinuousClock.now + .seconds(Self.beginTime + 10)
      while ContinuousClock.now < end {
        let (era, mayBegin) = try run { (connection) throws(JournalError) in
          let era = try connection.call(["GET", address.name]).text
          if era != nil { return (era, false) }
          let begin = ["SET", "\(address.name):begin", id, "NX", "EX", "\(Self.beginTime)"]
          return (nil, try connection.call(begin).text != nil)
        }
        if mayBegin { return nil }
        if let era, let checkpoint = try checkpoint(of: era) { return checkpoint }
        Thread.sleep(forTimeInterval: 0.05)
      }
      throw .unavailable("\(address): another server begins it, and does not finish")
    }

    /// Reads the oldest checkpoint of an era, and goes to its place.
    ///
    /// - Returns: `nil` if it was removed meanwhile.
    private func checkpoint(of era: String) throws(JournalError) -> Checkpoint? {
      let list = key(era, "checkpoints")
      let found = try run { (connection) throws(JournalError) -> (String, Int, [String])? in
        let oldest = try connection.call(["ZRANGE", list, "0", "0", "WITHSCORES"]).elements
        guard oldest.count == 2, let name = oldest[0].text,
          let position = oldest[1].text.flatMap({ Int($0) })
        else { return nil }
        let fields = try connection.call(["HKEYS", name]).elements.compactMap(\.text)
        return (name, position, fields)
      }
      guard let (name, position, fields) = found, !fields.isEmpty else { return nil }
      var pieces: [String: [Int: [UInt8]]] = [:]
      for field in fields {
        let piece = try run { (connection) throws(JournalError) in
          try connection.call(["HGET", name, field]).bytes
        }
        guard let piece else { return nil }
        let words = field.split(separator: " ", maxSplits: 1)
        guard words.count == 2, let number = Int(words[0]) else {
          throw .damaged("\(address): the checkpoint has the field \(field)")
        }
        pieces[String(words[1]), default: [:]][number] = piece
      }
      var parts: [Text: JSONValue] = [:]
      do {
        for (part, pieces) in pieces {
          let bytes = pieces.sorted { $0.key < $1.key }.flatMap(\.value)
          parts[Text(part)] = try JSONValue(parsing: bytes, limits: RedisCursor.limits)
        }
        let bookmark = parts.removeValue(forKey: Checkpoint.bookmark) ?? .null
        let cursor = try RedisCursor(JSONReader(bookmark), position: position)
        state.withLock { state in
          state.era = era
          state.cursor = cursor
        }
      } catch {
        throw .damaged("\(address): the checkpoint cannot be read: \(error)")
      }
      return Checkpoint(position: position, parts: parts)
    }

    public func begin(with checkpoint: Checkpoint) throws(JournalError) {
      let (former, new) = (state.withLock { $0.era }, Self.randomID())
      let bookmark: JSONValue = ["id": .string(Text(Self.firstID)), "sessions": []]
      let parts = checkpoint.parts.merging([Checkpoint.bookmark: bookmark]) { $1 }
      let placed = Checkpoint(position: checkpoint.position, parts: parts)
      try write(
        placed, to: new, inPlaceOf: former,
        [
          ["SET", address.name, new],
          ["XADD", key(new, "entries"), Self.firstID, "begin", new],
          ["DEL", "\(address.name):begin"],
          ["EXPIRE", key(former, "entries"), "\(Self.restLifetime)"],
          ["EXPIRE", key(former, "checkpoints"), "\(Self.restLifetime)"],
        ])
      do {
        let cursor = try RedisCursor(JSONReader(bookmark), position: checkpoint.position)
        state.withLock { $0 = State(era: new, cursor: cursor) }
      } catch {
        throw .damaged("\(address): \(error)")
      }
    }

    public func write(_ checkpoint: Checkpoint) throws(JournalError) {
      guard let era = state.withLock({ $0.era }) else {
        throw .unavailable("\(address): it has not begun")
      }
      try write(checkpoint, to: era, inPlaceOf: era, [])
    }

    /// Writes a checkpoint, which counts together with further commands.
    private func write(
      _ checkpoint: Checkpoint, to era: String, inPlaceOf former: String?, _ further: [[String]]
    ) throws(JournalError) {
      let name = key(era, "checkpoint:\(Self.randomID())")
      for (part, value) in checkpoint.parts {
        let bytes = value.canonicalBytes()
        let starts = stride(from: 0, to: bytes.count, by: Self.pieceByteCount)
        for (number, start) in starts.enumerated() {
          let piece = Array(bytes[start..<min(start + Self.pieceByteCount, bytes.count)])
          try run { (connection) throws(JournalError) in
            try connection.call(["HSET", name, "\(number) \(part)"], piece)
            try connection.call(["EXPIRE", name, "\(Self.restLifetime)"])
          }
        }
      }
      let list = key(era, "checkpoints")
      let isWritten = try run { (connection) throws(JournalError) in
        try connection.call(["WATCH", address.name])
        guard try connection.call(["GET", address.name]).text == former else {
          try connection.call(["UNWATCH"])
          return false
        }
        try connection.call(["MULTI"])
        let last = [["PERSIST", name], ["ZADD", list, "\(checkpoint.position)", name]]
        for command in further + last { try connection.call(command) }
        return !(try connection.call(["EXEC"]).elements.isEmpty)
      }
      if !isWritten { throw .unavailable("\(address): another server has begun it anew") }
    }

    public func trim(to position: Int) throws(JournalError) {
      let era = state.withLock { $0.era }
      let list = key(era, "checkpoints")
      let stream = key(era, "entries")
      try run { (connection) throws(JournalError) in
        let base = try connection.call(["ZRANGEBYSCORE", list, "\(position)", "\(position)"])
        guard let name = base.elements.first?.text,
          let bytes = try connection.call(["HGET", name, "0 \(Checkpoint.bookmark)"]).bytes,
          let bookmark = try? RedisCursor(JSONReader(JSONValue(parsing: bytes)), position: position)
        else { return }
        let former = try connection.call(["ZRANGEBYSCORE", list, "-inf", "(\(position)"])
        for name in former.elements.compactMap(\.text) {
          try connection.call(["ZREM", list, name])
          try connection.call(["UNLINK", name])
        }
        // The entry of the checkpoint stays: whoever has read it must find it.
        try connection.call(["XTRIM", stream, "MINID", bookmark.id.description])
      }
    }
  }
#endif
