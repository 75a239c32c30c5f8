#if Redis
  import CanonicalJSON
  import Foundation
  import Synchronization
  public import ViewState

  extension RedisJournal {
    /// The largest piece of a checkpoint that one command writes, in bytes.
    private static let pieceByteCount = 1024 * 1024
    /// The time in which a server has to begin an empty journal, in seconds.
    private static let beginTime = 30
    /// The time after which the pieces of an unfinished checkpoint expire, and the keys of a former era, in seconds.
    private static let restLifetime = 3600

    /// Returns the places of all checkpoints, oldest first. If the journal is empty, and another server is about to
    /// begin it, or runs and may replace it by one with its own state, waits until that server has begun it.
    public func marks() throws(JournalError) -> [Checkpoint.Mark] {
      let end = ContinuousClock.now + .seconds(Self.beginTime + 10)
      /// The time since which no server was seen that runs.
      var quiet: ContinuousClock.Instant?
      while ContinuousClock.now < end {
        if let era = try readEra() {
          if try checkRun(of: era) {
            state.withLock { $0.era = era }
            return try marks(of: era)
          }
        } else if try isFollowed {
          quiet = nil
        } else {
          let since = quiet ?? ContinuousClock.now
          quiet = since
          let isUnused =
            if ContinuousClock.now - since >= Self.returnTime { true } else { try hasSettled }
          if isUnused, try claim() { return [] }
        }
        Thread.sleep(forTimeInterval: 0.05)
      }
      throw .unavailable("\(address): another server begins it, and does not finish")
    }

    /// Reads the id of the era; returns `nil` if the journal is empty.
    ///
    /// - Throws: `JournalError.damaged` if another program uses the key.
    private func readEra() throws(JournalError) -> String? {
      let reply = try run { (connection) throws(JournalError) in
        connection.add(["GET", address.name])
        return try connection.reply()
      }
      if case .error(let text) = reply, !text.hasPrefix("WRONGTYPE") {
        throw .unavailable("\(address): \(text)")
      }
      if case .null = reply { return nil }
      guard let era = reply.text, Self.isID(era) else {
        throw .damaged("\(address): the key is not that of a journal")
      }
      return era
    }

    /// Returns whether this server is the one to begin the empty journal.
    private func claim() throws(JournalError) -> Bool {
      let begin = ["SET", "\(address.name):begin", id, "NX", "EX", "\(Self.beginTime)"]
      return try run { (connection) throws(JournalError) in
        try connection.call(begin).text != nil
      }
    }

    private func marks(of era: String) throws(JournalError) -> [Checkpoint.Mark] {
      let list = key(era, "checkpoints")
      return try run { (connection) throws(JournalError) in
        let entries = try connection.call(["ZRANGE", list, "0", "-1", "WITHSCORES"]).elements
        var marks: [Checkpoint.Mark] = []
        for index in stride(from: 0, to: entries.count - 1, by: 2) {
          guard let name = entries[index].text,
            let position = entries[index + 1].text.flatMap({ Int($0) }),
            // Several servers may have written the same one.
            position != marks.last?.position,
            // It may have been removed meanwhile.
            let bookmark = try cursor(of: name, at: position, connection)
          else { continue }
          let weight = try connection.call(["HGET", name, "0 \(Checkpoint.weight)"]).bytes
          marks.append(
            Checkpoint.Mark(
              position: position, time: bookmark.id.time,
              weight: weight.flatMap { try? JSONValue(parsing: $0) }))
        }
        // It was begun with one. It must not be begun again with the data of the program.
        if marks.isEmpty {
          throw .damaged("\(address): it has begun, and has no checkpoint; does Redis evict keys?")
        }
        return marks
      }
    }

    public var newestMark: Checkpoint.Mark? {
      get throws(JournalError) {
        let era = state.withLock { $0.era }
        let newest = try era.map { (era) throws(JournalError) in try marks(of: era) }?.last
        let current = try run { (connection) throws(JournalError) in
          try connection.call(["GET", address.name]).text
        }
        guard current == era else { throw .replaced("\(address): it was replaced") }
        return newest
      }
    }

    /// Reads the place of a checkpoint in the stream; returns `nil` if it is not there.
    private func cursor(
      of name: String, at position: Int, _ connection: RedisConnection
    ) throws(JournalError) -> RedisCursor? {
      let bytes = try connection.call(["HGET", name, "0 \(Checkpoint.bookmark)"]).bytes
      return bytes.flatMap {
        try? RedisCursor(JSONReader(JSONValue(parsing: $0)), position: position)
      }
    }

    /// Reads a checkpoint, and goes to its place. Returns `nil` also if the stream no longer has the entry at that place,
    /// because entries after it may be gone, too.
    public func checkpoint(at position: Int) throws(JournalError) -> Checkpoint? {
      let list = key(state.withLock { $0.era }, "checkpoints")
      let names = try run { (connection) throws(JournalError) in
        try connection.call(["ZRANGEBYSCORE", list, "\(position)", "\(position)"])
          .elements.compactMap(\.text)
      }
      // Several servers may have written the same one, and one of them may be gone.
      for name in names {
        guard let pieces = try pieces(of: name) else { continue }
        let checkpoint = try checkpoint(of: pieces, at: position)
        if try isPlaced() { return checkpoint }
      }
      return nil
    }

    /// Whether the stream still has the last entry that was read.
    private func isPlaced() throws(JournalError) -> Bool {
      let (era, id) = state.withLock { ($0.era, $0.cursor.id.description) }
      return try run { (connection) throws(JournalError) in
        try !connection.call(["XRANGE", key(era, "entries"), id, id]).elements.isEmpty
      }
    }

    /// Reads the pieces of the parts of a checkpoint by their numbers; returns `nil` if it is not there.
    private func pieces(of name: String) throws(JournalError) -> [String: [Int: [UInt8]]]? {
      let fields = try run { (connection) throws(JournalError) in
        try connection.call(["HKEYS", name]).elements.compactMap(\.text)
      }
      guard fields.contains("0 \(Checkpoint.bookmark)") else { return nil }
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
      return pieces
    }

    private func checkpoint(
      of pieces: [String: [Int: [UInt8]]], at position: Int
    ) throws(JournalError) -> Checkpoint {
      var parts: [Text: JSONValue] = [:]
      do {
        for (part, pieces) in pieces {
          let bytes = pieces.sorted { $0.key < $1.key }.flatMap(\.value)
          parts[Text(part)] = try JSONValue(parsing: bytes, limits: .greatest)
        }
        let bookmark = parts.removeValue(forKey: Checkpoint.bookmark) ?? .null
        let cursor = try RedisCursor(JSONReader(bookmark), position: position)
        state.withLock { $0.cursor = cursor }
      } catch {
        throw .damaged("\(address): the checkpoint cannot be read: \(error)")
      }
      return Checkpoint(position: position, parts: parts)
    }

    public func begin(with checkpoint: Checkpoint) throws(JournalError) {
      let (former, new) = (state.withLock { $0.era }, Self.randomID())
      let cursor = RedisCursor(position: checkpoint.position)
      let parts = checkpoint.parts.merging([Checkpoint.bookmark: cursor.bookmark]) { $1 }
      let placed = Checkpoint(position: checkpoint.position, parts: parts)
      let process = try run { (connection) throws(JournalError) in connection.process }
      try write(
        // Redis may have lost that there was one.
        placed, to: new, inPlaceOf: [former, nil],
        [
          ["SET", address.name, new],
          ["SET", key(new, "run"), process],
          // The stream always has the entry that a server has read last, unless it was lost or trimmed.
          ["XADD", key(new, "entries"), cursor.id.description, "begin", new],
          ["DEL", "\(address.name):begin"],
        ]
          + ["entries", "checkpoints", "run", "trials"].map {
            ["EXPIRE", key(former, $0), "\(Self.restLifetime)"]
          })
      // No server adds to them any more. The new journal has begun, so an error here is none of it.
      try? expireCheckpoints(of: former)
      state.withLock { state in
        state = State(
          era: new, cursor: cursor, configuration: state.configuration,
          hasEntered: state.hasEntered, isLeaving: state.isLeaving)
      }
    }

    private func expireCheckpoints(of era: String?) throws(JournalError) {
      let list = key(era, "checkpoints")
      try run { (connection) throws(JournalError) in
        for name in try connection.call(["ZRANGE", list, "0", "-1"]).elements.compactMap(\.text) {
          try connection.call(["EXPIRE", name, "\(Self.restLifetime)"])
        }
      }
    }

    public func write(_ checkpoint: Checkpoint) throws(JournalError) {
      guard let era = state.withLock({ $0.era }) else {
        throw .unavailable("\(address): it has not begun")
      }
      try write(checkpoint, to: era, inPlaceOf: [era], [])
    }

    /// Writes a checkpoint, which counts together with further commands, and only if the journal has one of some eras.
    private func write(
      _ checkpoint: Checkpoint, to era: String, inPlaceOf formers: [String?], _ further: [[String]]
    ) throws(JournalError) {
      let name = key(era, "checkpoint:\(Self.randomID())")
      var pieceCount = 0
      for (part, value) in checkpoint.parts {
        let bytes = value.canonicalBytes()
        let starts = stride(from: 0, to: bytes.count, by: Self.pieceByteCount)
        for (number, start) in starts.enumerated() {
          let piece = Array(bytes[start..<min(start + Self.pieceByteCount, bytes.count)])
          try run { (connection) throws(JournalError) in
            try connection.call(["HSET", name, "\(number) \(part)"], piece)
            try connection.call(["EXPIRE", name, "\(Self.restLifetime)"])
          }
          pieceCount += 1
        }
      }
      let list = key(era, "checkpoints")
      let isWritten = try run { [pieceCount] (connection) throws(JournalError) in
        // A store whose piece is missing would begin with the data of the program.
        func checkPieces() throws(JournalError) {
          if try connection.call(["HLEN", name]).integer == pieceCount { return }
          throw .unavailable(
            "\(address): Redis has removed pieces of a checkpoint while it was written; does it evict keys?"
          )
        }
        try connection.call(["WATCH", address.name, name])
        guard formers.contains(try connection.call(["GET", address.name]).text) else {
          try connection.call(["UNWATCH"])
          return false
        }
        try checkPieces()
        try connection.call(["MULTI"])
        let last = [["PERSIST", name], ["ZADD", list, "\(checkpoint.position)", name]]
        for command in further + last { try connection.call(command) }
        if !(try connection.call(["EXEC"]).elements.isEmpty) { return true }
        // To make space for these commands.
        try checkPieces()
        return false
      }
      if !isWritten { throw .replaced("\(address): another server has replaced it") }
    }

    public func trim(to position: Int) throws(JournalError) {
      let era = state.withLock { $0.era }
      let list = key(era, "checkpoints")
      let stream = key(era, "entries")
      try run { (connection) throws(JournalError) in
        let base = try connection.call(["ZRANGEBYSCORE", list, "\(position)", "\(position)"])
        guard let name = base.elements.first?.text,
          let bookmark = try cursor(of: name, at: position, connection)
        else { return }
        try remove("-inf", "(\(position)", of: list, connection)
        // The entry of the checkpoint stays: whoever has read it must find it.
        try connection.call(["XTRIM", stream, "MINID", bookmark.id.description])
      }
    }

    public func removeCheckpoints(in positions: ClosedRange<Int>) throws(JournalError) {
      let list = key(state.withLock { $0.era }, "checkpoints")
      try run { (connection) throws(JournalError) in
        try remove("\(positions.lowerBound)", "\(positions.upperBound)", of: list, connection)
      }
    }

    /// Removes the checkpoints between two positions.
    private func remove(
      _ first: String, _ last: String, of list: String, _ connection: RedisConnection
    ) throws(JournalError) {
      let names = try connection.call(["ZRANGEBYSCORE", list, first, last])
      for name in names.elements.compactMap(\.text) {
        // In this order, so that the next removal finds it if the process or Redis ends in between.
        try connection.call(["UNLINK", name])
        try connection.call(["ZREM", list, name])
      }
    }

    /// The memory that the stream takes in Redis.
    public var byteCount: Int {
      get throws(JournalError) {
        let stream = key(state.withLock { $0.era }, "entries")
        return try run { (connection) throws(JournalError) in
          try connection.call(["MEMORY", "USAGE", stream]).integer ?? 0
        }
      }
    }
  }
#endif
