#if Redis
  import Foundation
  import Synchronization
  import ViewState

  /// Noticing that Redis may lack what it has acknowledged.
  ///
  /// The key `NAME:ERA:run` names the process of Redis whose answers count. Another process at the address has all
  /// that was acknowledged if it syncs each command to its disk before it answers, and if it has not been a replica,
  /// which gets commands after they are acknowledged. Otherwise entries may be gone that only clients know of. The
  /// journal must begin anew then, before anything takes the place of such an entry under the same revision.
  extension RedisJournal {
    public var mayLackEntries: Bool { state.withLock { $0.mayLackEntries } }

    /// Checks the process that a connection leads to.
    ///
    /// - Throws: `JournalError.lost` if it may lack entries.
    func checkRun(_ connection: RedisConnection) throws(JournalError) {
      guard try hasAll(connection, of: state.withLock { $0.era }) else {
        throw .lost(
          "\(address): another process of Redis answers, which may lack the last entries: it was started again "
            + "without appendfsync always, or was a replica")
      }
    }

    /// Looks whether an era that was found has all its entries. If not, gives the servers that run the time to begin
    /// it anew with what they have.
    ///
    /// - Returns: `false` if the era must be looked for again.
    func checkRun(of era: String) throws(JournalError) -> Bool {
      func hasAll() throws(JournalError) -> Bool {
        try run { (connection) throws(JournalError) in try self.hasAll(connection, of: era) }
      }
      if try hasAll() { return true }
      // They connect again within a tenth of that.
      Thread.sleep(forTimeInterval: 1)
      if try hasOthers { return false }
      let mayLackEntries = try !hasAll()
      state.withLock { $0.mayLackEntries = mayLackEntries }
      return true
    }

    /// Returns the name of the process that a connection leads to.
    static func runID(_ connection: borrowing RedisConnection) throws(JournalError) -> String {
      let info = try connection.call(["INFO", "server"]).text ?? ""
      return value(of: "run_id", in: info)
    }

    private func hasAll(
      _ connection: borrowing RedisConnection, of era: String?
    ) throws(JournalError) -> Bool {
      let run = try Self.runID(connection)
      if try connection.call(["GET", key(era, "run")]).text == run { return true }
      let info = try connection.call(["INFO", "replication"]).text ?? ""
      let wasReplica = Self.value(of: "master_replid2", in: info).contains { $0 != "0" }
      if wasReplica { return false }
      // A user of Redis may not be allowed to ask, so an error is no failure.
      connection.add(["CONFIG", "GET", "append*"])
      let words = try connection.reply().elements.compactMap(\.text)
      func isSet(_ option: String, to value: String) -> Bool {
        words.firstIndex(of: option).map { words.dropFirst($0 + 1).first == value } ?? false
      }
      guard isSet("appendonly", to: "yes"), isSet("appendfsync", to: "always") else { return false }
      try connection.call(["SET", key(era, "run"), run, "XX"])
      return true
    }

    private static func value(of name: String, in info: String) -> String {
      let lines = info.split(whereSeparator: \.isNewline)
      return lines.first { $0.hasPrefix("\(name):") }.map { String($0.dropFirst(name.count + 1)) }
        ?? ""
    }
  }
#endif
