#if Redis
  public import CanonicalJSON
  import Synchronization
  public import ViewState

  /// Knows the servers that use a journal, by the names of their connections: Redis forgets one that ends.
  ///
  /// The key `NAME:configuration` has what they have in common. A server enters with a transaction that sets the key
  /// and names its connection, so that of two that enter at once the second one sees the first.
  extension RedisJournal {
    /// What a server does on a connection.
    enum Role: String, CaseIterable {
      case starting = "viewdelta-starting"
      case following = "viewdelta-following"
    }

    public func enter(as configuration: JSONValue) throws(JournalError) -> JSONValue? {
      state.withLock { $0.configuration = configuration.canonicalBytes() }
      let other = try run { (connection) throws(JournalError) in
        try enter(connection, as: .starting)
      }
      return other.map { (try? JSONValue(parsing: $0)) ?? .null }
    }

    /// Names a connection, unless servers with another configuration use the journal.
    ///
    /// - Returns: The configuration of these; `nil` if there are none.
    func enter(_ connection: RedisConnection, as role: Role) throws(JournalError) -> [UInt8]? {
      let (key, own) = ("\(address.name):configuration", state.withLock { $0.configuration })
      while true {
        try connection.call(["WATCH", key])
        let known = try connection.call(["GET", key]).bytes
        if let known, known != own, try !others(connection, Role.allCases).isEmpty {
          try connection.call(["UNWATCH"])
          return known
        }
        try connection.call(["MULTI"])
        try connection.call(["SET", key], own)
        try connection.call(["CLIENT", "SETNAME", "\(role.rawValue):\(address.name):\(id)"])
        // There is no reply if another server was first.
        if !(try connection.call(["EXEC"]).elements.isEmpty) { return nil }
      }
    }

    public var hasOthers: Bool {
      get throws(JournalError) {
        try run { (connection) throws(JournalError) in
          try !others(connection, [.following]).isEmpty
        }
      }
    }

    /// The ids of the other servers that have connections for something.
    private func others(
      _ connection: RedisConnection, _ roles: [Role]
    ) throws(JournalError) -> Set<String> {
      let list = try connection.call(["CLIENT", "LIST", "TYPE", "normal"]).text ?? ""
      let names = roles.map { "name=\($0.rawValue):\(address.name):" }
      var ids: Set<String> = []
      for word in list.split(whereSeparator: \.isWhitespace) {
        for name in names where word.hasPrefix(name) {
          ids.insert(String(word.dropFirst(name.count)))
        }
      }
      return ids.subtracting([id])
    }
  }
#endif
