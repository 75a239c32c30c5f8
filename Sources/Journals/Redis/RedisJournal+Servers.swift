#if Redis
  public import CanonicalJSON
  import Dispatch
  import Synchronization
  public import ViewState

  /// Knows the servers that use a journal, by the names of their connections: Redis forgets one that ends.
  ///
  /// The key `NAME:configuration` has what they have in common. A server enters with a transaction that sets the key
  /// and names its connection, so that of two that enter at once the second one sees the first; if the key is right
  /// already, without one. The key `NAME:successor` has the configuration of a server that takes the journal over, for a
  /// while. The key `NAME:ERA:trials` has, by the ids of servers, the notes of their starts.
  extension RedisJournal {
    /// What a server does on a connection.
    enum Role: String, CaseIterable {
      case starting = "viewdelta-starting"
      /// It has applied the journal, and looks whether that is still the same one. It has not entered yet.
      case returning = "viewdelta-returning"
      case following = "viewdelta-following"
    }

    /// The name of a connection of this server.
    func name(_ role: Role) -> String { "\(role.rawValue):\(address.name):\(id)" }

    public func enter(as configuration: JSONValue) throws(JournalError) -> JSONValue? {
      state.withLock { $0.configuration = configuration.canonicalBytes() }
      let other = try run { (connection) throws(JournalError) in
        try enter(connection, as: .starting)
      }
      state.withLock { $0.hasEntered = other == nil }
      return other.map { (try? JSONValue(parsing: $0)) ?? .null }
    }

    /// Names a connection, unless servers with another configuration use the journal.
    ///
    /// - Returns: The configuration of these; `nil` if there are none.
    func enter(_ connection: RedisConnection, as role: Role) throws(JournalError) -> [UInt8]? {
      let (key, own) = ("\(address.name):configuration", state.withLock { $0.configuration })
      // One that has applied the journal hears of its successor when it reads.
      if role == .starting {
        let successor = try connection.call(["GET", successorKey]).bytes
        if isOther(successor) { return successor }
      }
      while true {
        if try has(own, in: key, connection) {
          // Redis may take no `SET` now. Those that watch the key must see the name; if one of them was first, the
          // key has changed.
          try connection.call(["CLIENT", "SETNAME", name(role)])
          for touch in [["EXPIRE", key, "\(Int32.max)"], ["PERSIST", key]] {
            connection.add(touch)
            _ = try connection.reply()
          }
          if try has(own, in: key, connection) { return nil }
        }
        try connection.call(["WATCH", key])
        let known = try connection.call(["GET", key]).bytes
        if let known, known != own, try !others(connection, [.starting, .following]).isEmpty {
          try connection.call(["UNWATCH"])
          return known
        }
        try connection.call(["MULTI"])
        try connection.call(["SET", key], own)
        try connection.call(["CLIENT", "SETNAME", name(role)])
        // There is no reply if another server was first.
        if !(try connection.call(["EXEC"]).elements.isEmpty) { return nil }
      }
    }

    /// The time in seconds for which a server that takes the journal over keeps servers of other builds out.
    private static let successionTime = 120

    var successorKey: String { "\(address.name):successor" }

    /// Returns whether there is a configuration, and it is not that of this server.
    func isOther(_ configuration: [UInt8]?) -> Bool {
      configuration.map { configuration in state.withLock { $0.configuration != configuration } }
        ?? false
    }

    public func takeOver(_ isWanted: Bool) throws(JournalError) {
      let own = state.withLock { $0.configuration }
      try run { (connection) throws(JournalError) in
        if isWanted {
          try connection.call(["SETEX", successorKey, "\(Self.successionTime)"], own)
        } else if try connection.call(["GET", successorKey]).bytes == own {
          try connection.call(["DEL", successorKey])
        }
      }
    }

    private func has(
      _ configuration: [UInt8], in key: String, _ connection: RedisConnection
    ) throws(JournalError) -> Bool {
      try connection.call(["GET", key]).bytes == configuration
    }

    /// The longest time to wait for the end of the events, in seconds.
    private static let endTime = 5.0

    public func leave() throws(JournalError) -> Bool {
      state.withLock { $0.isLeaving = true }
      guard left.wait(timeout: .now() + Self.endTime) == .success else {
        throw .unavailable("\(address): its events do not end")
      }
      return try !hasOthers
    }

    public var hasOthers: Bool {
      get throws(JournalError) {
        let (hasOthers, era) = try run { (connection) throws(JournalError) in
          (
            try !others(connection, [.following]).isEmpty,
            try connection.call(["GET", address.name]).text
          )
        }
        guard era == state.withLock({ $0.era }) else {
          throw .replaced("\(address): it was replaced")
        }
        return hasOthers
      }
    }

    /// The number of starts that have ended, after which all are forgotten.
    private static let trialLimit = 100

    public func write(start note: JSONValue?) throws(JournalError) {
      let key = key(state.withLock { $0.era }, "trials")
      try run { (connection) throws(JournalError) in
        if let note {
          do throws(JournalError) {
            try connection.call(["HSET", key, id], note.canonicalBytes())
          } catch {
            // The earlier note would accuse an input that has not ended the process.
            try connection.call(["HDEL", key, id])
            throw error
          }
        } else {
          let ended = try ended(connection, in: key)
          try connection.call(["HDEL", key, id] + ended.keys)
        }
      }
    }

    public var endedStarts: [JSONValue] {
      get throws(JournalError) {
        let key = key(state.withLock { $0.era }, "trials")
        return try run { (connection) throws(JournalError) in
          let ended = try ended(connection, in: key)
          if ended.count < Self.trialLimit {
            return ended.values.compactMap { try? JSONValue(parsing: Array($0.utf8)) }
          }
          try connection.call(["HDEL", key] + ended.keys)
          return []
        }
      }
    }

    /// The notes of the servers that have ended, by their ids.
    private func ended(
      _ connection: RedisConnection, in trials: String
    ) throws(JournalError) -> [String: String] {
      let words = try connection.call(["HGETALL", trials]).elements.compactMap(\.text)
      let others = try others(connection, Role.allCases)
      var ended: [String: String] = [:]
      for index in stride(from: 0, to: words.count - 1, by: 2) where words[index] != id {
        if !others.contains(words[index]) { ended[words[index]] = words[index + 1] }
      }
      return ended
    }

    /// The ids of the other servers that have connections for something.
    func others(
      _ connection: RedisConnection, _ roles: [Role]
    ) throws(JournalError) -> Set<String> {
      let list = try connection.call(["CLIENT", "LIST", "TYPE", "normal"]).text ?? ""
      let names = roles.map { "name=\($0.rawValue):\(address.name):" }
      var ids: Set<String> = []
      for word in list.split(whereSeparator: \.isWhitespace) {
        // What has a further colon is of a journal with a longer name.
        for name in names where word.hasPrefix(name) && !word.dropFirst(name.count).contains(":") {
          ids.insert(String(word.dropFirst(name.count)))
        }
      }
      return ids.subtracting([id])
    }
  }
#endif
