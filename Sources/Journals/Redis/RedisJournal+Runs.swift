#if Redis
  import Foundation
  import Synchronization
  import ViewState

  /// Detects that Redis may have lost entries that it has acknowledged.
  ///
  /// The key `NAME:ERA:run` names the Redis process that the servers trust, and says whether that process syncs each
  /// command to its disk before it answers. They trust another process at the address if both do so, because what the
  /// former process has lost, the settings of the next one do not bring back. And it must never have been a replica,
  /// because a replica gets a command after it is acknowledged. If they do not trust it, the journal begins anew: a new
  /// entry would otherwise give the revision of a lost entry to other content. A name alone, as former versions wrote
  /// it, says nothing about the disk, so the journal begins anew if Redis was started again before a server looked.
  extension RedisJournal {
    public var mayLackEntries: Bool { state.withLock { $0.mayLackEntries } }

    /// Checks the process that a connection leads to.
    ///
    /// - Throws: `JournalError.lost` if it may lack entries.
    func checkRun(_ connection: RedisConnection) throws(JournalError) {
      let process = connection.process
      state.withLock { $0.process = process }
      // What this server appends must come back on this connection.
      commands.withLock { if $0?.process != process { $0 = nil } }
      guard try hasAll(connection, of: state.withLock { $0.era }) else {
        throw .lost(
          "\(address): another process of Redis answers, which may lack the last entries: it or the one before did "
            + "not sync each change, or it was a replica")
      }
    }

    /// Checks that an era has all its entries. If it may lack some, waits first, so that a running server can begin the
    /// journal anew with its own state.
    ///
    /// - Returns: `false` if a server is running, so that the caller must read the era again.
    func checkRun(of era: String) throws(JournalError) -> Bool {
      func hasAll() throws(JournalError) -> Bool {
        try run { (connection) throws(JournalError) in try self.hasAll(connection, of: era) }
      }
      if try hasAll() { return true }
      Thread.sleep(forTimeInterval: Self.returnTime / .seconds(1))
      if try isFollowed { return false }
      let mayLackEntries = try !hasAll()
      state.withLock { $0.mayLackEntries = mayLackEntries }
      return true
    }

    /// The time in which a running server connects again: it tries to every tenth of a second.
    static let returnTime = Duration.seconds(1)
    /// The age of a Redis, in seconds, at which all running servers are connected to it, even if they have waited until
    /// a connection to the former one failed.
    private static let settledAge = 5

    /// Whether a server runs that has applied a journal of this name.
    var isFollowed: Bool {
      get throws(JournalError) {
        try run { (connection) throws(JournalError) in
          try !others(connection, [.returning, .following]).isEmpty
        }
      }
    }

    /// Whether each running server is connected, because Redis has been there for long enough.
    var hasSettled: Bool {
      get throws(JournalError) {
        try run { (connection) throws(JournalError) in
          let age = Int(try connection.info("server", "uptime_in_seconds")) ?? 0
          return age < Self.settledAge ? false : try !Self.wasReplica(connection)
        }
      }
    }

    private func hasAll(
      _ connection: RedisConnection, of era: String?
    ) throws(JournalError) -> Bool {
      let known = try connection.call(["GET", key(era, "run")]).text ?? ""
      var isDurable = true
      for (name, value) in [
        ("appendonly", "yes"), ("appendfsync", "always"), ("no-appendfsync-on-rewrite", "no"),
      ] {
        if try Self.setting(name, connection) != value { isDurable = false }
      }
      if !known.hasPrefix(connection.process) {
        guard isDurable, known.hasSuffix(Self.durable), try !Self.wasReplica(connection) else {
          return false
        }
      }
      let note = connection.process + (isDurable ? Self.durable : "")
      if note != known { try connection.call(["SET", key(era, "run"), note, "XX"]) }
      return true
    }

    /// What the note of a process ends with that syncs each command.
    private static let durable = " durable"

    public var warning: String? {
      // If Redis is away by now, the log says so later.
      guard let (file, sync, rewrite, policy) = try? settings else { return nil }
      var risks: [String] = []
      switch (file, sync) {
      case (nil, _), (_, nil):
        risks.append(
          "Redis does not say whether it has appendonly yes and appendfsync always; if not, a crash loses acknowledged "
            + "changes")
      case ("yes"?, "always"?): break
      case ("yes"?, let sync?):
        let time = sync == "no" ? "half minute" : "second"
        risks.append(
          "appendfsync is \(sync), not always, so a power failure loses acknowledged changes of the last \(time)"
        )
      case (let file?, _):
        risks.append(
          "appendonly is \(file), not yes, so a crash of Redis loses acknowledged changes")
      }
      if let rewrite, rewrite != "no" {
        risks.append(
          "no-appendfsync-on-rewrite is \(rewrite), not no, so a power failure during a snapshot or a rewrite loses "
            + "acknowledged changes")
      }
      if let policy, policy != "noeviction" {
        risks.append(
          "maxmemory-policy is \(policy), not noeviction, so Redis may remove the journal if its memory is full"
        )
      }
      return risks.isEmpty ? nil : "\(address): \(risks.joined(separator: "; "))"
    }

    /// The settings that decide whether Redis keeps what it acknowledges.
    private var settings: (file: String?, sync: String?, rewrite: String?, policy: String?) {
      get throws(JournalError) {
        try run { (connection) throws(JournalError) in
          (
            try Self.setting("appendonly", connection), try Self.setting("appendfsync", connection),
            try Self.setting("no-appendfsync-on-rewrite", connection),
            try Self.setting("maxmemory-policy", connection)
          )
        }
      }
    }

    /// Returns the value of a setting of Redis; `nil` if the user of Redis may not ask.
    private static func setting(
      _ name: String, _ connection: RedisConnection
    ) throws(JournalError) -> String? {
      connection.add(["CONFIG", "GET", name])
      return try connection.reply().elements.last?.text
    }

    private static func wasReplica(
      _ connection: RedisConnection
    ) throws(JournalError) -> Bool {
      try connection.info("replication", "master_replid2").contains { $0 != "0" }
    }
  }
#endif
