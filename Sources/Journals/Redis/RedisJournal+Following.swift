#if Redis
  import Foundation
  import Synchronization
  public import ViewState

  /// Delivers what servers append to a journal.
  extension RedisJournal {
    /// The time before a new connection is made after an error, in seconds.
    private static let pause = 0.1
    /// The shortest time between two joins, so that inputs that Redis refuses again and again do not fill it with the
    /// entries of joins.
    private static let patience = Duration.seconds(1)
    /// The largest number of entries that are read at once.
    private static let readCount = 128

    public func follow(_ receive: @escaping @Sendable (JournalEvent) -> Bool) {
      Thread.detachNewThread { [self] in
        defer { left.signal() }
        while !state.withLock({ $0.isLeaving }) {
          var link: RedisConnection?
          // Its name says until the next one that this server runs, so that no other one begins the journal meanwhile.
          defer { withExtendedLifetime(link) {} }
          do throws(JournalError) {
            let connection = try RedisConnection(address, name: name(.returning))
            link = connection
            return try follow(on: connection, with: receive)
          } catch {
            state.withLock { $0.failure = error.description }
            let isAway = if case .unavailable = error { true } else { false }
            guard receive(isAway ? .failing(error) : .replaced(error)) else { return }
            Thread.sleep(forTimeInterval: Self.pause)
          }
        }
      }
    }

    /// Joins, and delivers what is read until something fails, the receiver wants no more, or this server leaves.
    private func follow(
      on connection: RedisConnection, with receive: (JournalEvent) -> Bool
    ) throws(JournalError) {
      try checkRun(connection)
      guard try enter(connection, as: .following) == nil else {
        throw .replaced("\(address): servers with other options use it")
      }
      // What was read must be there before anything is added.
      guard try deliver(connection, isBlocking: false, receive) != nil else { return }
      try join()
      var last = ContinuousClock.now
      while true {
        let (failure, isLeaving) = state.withLock { ($0.failure, $0.isLeaving) }
        if isLeaving { return try deliverRest(connection, receive) }
        // Once this server has joined again, it is known which of its inputs count. The receiver must append nothing
        // meanwhile, and may have seen no append fail.
        if let failure, .now - last >= Self.patience {
          guard receive(.failing(.unavailable(failure))) else { return }
          try join()
          last = .now
        }
        guard try deliver(connection, isBlocking: true, receive) != nil else { return }
      }
    }

    /// Hides this server from other servers, and delivers what they acknowledged before they hid.
    private func deliverRest(
      _ connection: RedisConnection, _ receive: (JournalEvent) -> Bool
    ) throws(JournalError) {
      // Redis may notice the end of a connection later than other servers look for it.
      try connection.call(["CLIENT", "SETNAME", "viewdelta:\(id)"])
      while let read = try deliver(connection, isBlocking: false, receive), !read.isEnd {}
    }

    /// Delivers what is read.
    ///
    /// - Returns: What was read; `nil` if the receiver wants no more.
    private func deliver(
      _ connection: RedisConnection, isBlocking: Bool, _ receive: (JournalEvent) -> Bool
    ) throws(JournalError) -> Read? {
      let own = state.withLock { $0.sessions }
      let read = try read(connection, limit: Self.readCount, isBlocking: isBlocking)
      var entries: [SharedEntry] = []
      for input in read.inputs {
        let isOwn = own.contains(input.session)
        entries.append(isOwn ? .own(at: input.id.time) : .other(try entry(of: input)))
      }
      guard receive(.entries(entries, isEnd: read.isEnd)) else { return nil }
      for (digest, position) in read.digests {
        guard receive(.digest(digest, position: position)) else { return nil }
      }
      if read.hasSuccessor {
        guard receive(.takenOver) else { return nil }
      }
      return !read.hasJoined || receive(.joined) ? read : nil
    }

    /// Adds the entry with which this server joins, and which ends its former session.
    private func join() throws(JournalError) {
      let (era, former) = state.withLock { ($0.era, $0.sessions.last) }
      let stream = key(era, "entries")
      let session = try run { (connection) throws(JournalError) in
        try connection.call(["XADD", stream, "*", RedisCursor.Field.join, former ?? ""]).text
      }
      guard let session else { throw .unavailable("\(address): an entry has no id") }
      state.withLock { state in
        state.sessions.append(session)
        state.failure = nil
      }
    }
  }
#endif
