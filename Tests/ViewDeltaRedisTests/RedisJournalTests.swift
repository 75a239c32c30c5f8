import CanonicalJSON
import Foundation
import Synchronization
import TestSupport
import Testing
import ViewDeltaRedis
import ViewState

@Suite("A journal in Redis")
struct RedisJournalTests {
  @Test("delivers what all append in one order, and tells each what is its own")
  func order() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let followers = try [Follower(redis), Follower(redis)]
      #expect(try followers[0].journal.hasOthers)
      for number in 1...20 {
        try followers[number % 2].append(number * 3...number * 3 + 2)
      }
      let inputs = try followers.map { try $0.inputs(60) }
      #expect(inputs[0].count == 60 && inputs[1].count == 60)
      // Each has what the other has appended, and a place for what it has.
      #expect(zip(inputs[0], inputs[1]).allSatisfy { ($0 == nil) != ($1 == nil) })
      let numbers = zip(inputs[0], inputs[1]).compactMap {
        try? JSONReader($0 ?? $1 ?? .null).member("n").integer()
      }
      for remainder in 0...1 {
        let sent = (1...20).filter { $0 % 2 == remainder }.flatMap { $0 * 3...$0 * 3 + 2 }
        #expect(numbers.filter { $0 / 3 % 2 == remainder } == sent)
      }
    }
  }

  @Test("takes all inputs that are sent together, or none if Redis has no memory for one of them")
  func refusal() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let follower = try Follower(redis)
      let used = try #require(
        redis.command("info memory").split(whereSeparator: \.isNewline)
          .first { $0.hasPrefix("used_memory:") }.flatMap { Int($0.dropFirst(12)) })
      try redis.command("config set maxmemory \(used + 500_000)")
      let large = Text(String(repeating: "x", count: 1_000_000))
      let inputs: [JSONValue] = [["n": 1], ["n": .string(large)], ["n": 3]]
      let error = #expect(throws: JournalError.self) {
        try follower.journal.append(
          inputs.map { Entry(position: 0, time: Timestamp.now(), input: $0) })
      }
      guard case .refused(let reason) = error else { throw LawViolation("it may be recorded") }
      #expect(reason.contains("OOM"))
      try redis.command("config set maxmemory 0")
      try follower.join(times: 2)
      // What was taken of the former ones would come before it.
      try follower.append(4...4)
      #expect(try follower.inputs(1).count == 1)
      let rest = try RedisJournal(redis.journal)
      #expect(try rest.checkpoint()?.position == 0)
      #expect(try rest.entries(after: 0, limit: 100).map(\.input) == [["n": 4]])
    }
  }

  @Test("goes on from a checkpoint, and has nothing before it")
  func checkpoints() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let slow = try RedisJournal(redis.journal)
      let follower = try Follower(redis)
      #expect(try slow.checkpoint()?.parts == Follower.first.parts)
      try follower.append(1...5)
      _ = try follower.inputs(5)
      // More than ten pieces.
      let large: JSONValue = .string(Text(String(repeating: "ä", count: 6_000_000)))
      try follower.journal.write(
        Checkpoint(
          position: 5,
          parts: [
            "part": large, Checkpoint.weight: 70, Checkpoint.bookmark: follower.journal.bookmark,
          ]))
      try follower.append(6...9)
      _ = try follower.inputs(9)
      try follower.journal.trim(to: 5)

      let next = try RedisJournal(redis.journal)
      let mark = try #require(try next.marks().first)
      #expect(mark == Checkpoint.Mark(position: 5, time: mark.time, weight: 70))
      let checkpoint = try #require(try next.checkpoint())
      #expect(
        checkpoint == Checkpoint(position: 5, parts: ["part": large, Checkpoint.weight: 70]))
      let rest = try next.entries(after: 5, limit: 100)
      #expect(rest.map(\.position) == Array(6...9))
      #expect(rest.map(\.input) == (6...9).map { ["n": .integer($0)] })
      #expect(throws: JournalError.self) { try slow.entries(after: 0, limit: 100) }
      let era = try redis.command("get demo").prefix(16)
      #expect(try redis.command("xlen demo:\(era):entries") == "5\n")
    }
  }

  @Test("is refused as damaged if another program uses its key, which stays as it is")
  func foreignKey() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      for command in ["set demo hello", "rpush demo a", "xadd demo 1-1 a b"] {
        try redis.command(command)
        let before = try redis.command("dump demo")
        let error = #expect(throws: JournalError.self) { try RedisJournal(redis.journal).marks() }
        guard case .damaged(let reason) = error else {
          throw LawViolation("\(command): \(String(describing: error))")
        }
        #expect(reason.hasSuffix("the key is not that of a journal"))
        #expect(try redis.command("dump demo") == before)
        try redis.command("del demo")
      }
    }
  }

  @Test(
    "is read from the copy of a checkpoint that is there, and damaged if none is, but never empty")
  func eviction() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let follower = try Follower(redis)
      let copy = Checkpoint(
        position: 0,
        parts: Follower.first.parts.merging([Checkpoint.bookmark: follower.journal.bookmark]) { $1 }
      )
      try follower.journal.write(copy)
      let era = try redis.command("get demo").prefix(16)
      let list = "demo:\(era):checkpoints"
      let names = try redis.command("zrange \(list) 0 -1").split(separator: "\n")
      #expect(names.count == 2)
      #expect(try RedisJournal(redis.journal).marks().count == 1)
      // The first one, which is read unless it is gone.
      try redis.command("del \(names[0])")
      #expect(try RedisJournal(redis.journal).checkpoint() == Follower.first)
      for gone in [String(names[1]), list] {
        try redis.command("del \(gone)")
        let journal = try RedisJournal(redis.journal)
        let error = #expect(throws: JournalError.self) { try journal.marks() }
        guard case .damaged = error else { throw LawViolation("\(String(describing: error))") }
      }
    }
  }

  @Test("says that it was begun anew, and lets one server begin it")
  func begin() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let follower = try Follower(redis)
      let others = try (1...2).map { _ in try RedisJournal(redis.journal) }
      for other in others { _ = try other.checkpoint() }
      try others[0].begin(with: Checkpoint(position: 7, parts: [:]))
      #expect(throws: JournalError.self) { try others[1].newestMark }
      #expect(throws: JournalError.self) { try others[1].hasOthers }
      #expect(throws: JournalError.self) { try others[1].begin(with: Follower.first) }
      guard case .replaced = try follower.end() else { throw LawViolation("it goes on") }
      #expect(try RedisJournal(redis.journal).checkpoint()?.position == 7)
    }
  }

  @Test("lets all keys expire except those of the journal that has begun last")
  func rest() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let (journal, other) = try (RedisJournal(redis.journal), RedisJournal(redis.journal))
      _ = try journal.checkpoint()
      try journal.begin(with: Follower.first)
      try journal.write(start: ["n": 1])
      _ = try other.checkpoint()
      try journal.begin(with: Follower.first)
      #expect(throws: JournalError.self) { try other.write(Follower.first) }
      let era = try redis.command("get demo").prefix(16)
      for key in try redis.command("keys demo*").split(separator: "\n") {
        let isOwn = key == "demo" || key.hasPrefix("demo:\(era):")
        #expect(try (redis.command("ttl \(key)") == "-1\n") == isOwn, "\(key)")
      }
    }
  }

  @Test("forgets the starts that have ended when there are a hundred")
  func manyStarts() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let journal = try RedisJournal(redis.journal)
      try journal.begin(with: Follower.first)
      let era = try redis.command("get demo").prefix(16)
      for (starts, count) in [(1...99, 99), (100...100, 0), (101...101, 1)] {
        let notes = starts.map { "s\($0) \($0)" }.joined(separator: " ")
        try redis.command("hset demo:\(era):trials \(notes)")
        #expect(try journal.endedStarts.count == count)
      }
    }
  }

  @Test("says that entries are lost")
  func loss() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let follower = try Follower(redis)
      try follower.append(1...5)
      _ = try follower.inputs(5)
      try redis.command("flushall")
      guard case .lost = try follower.end() else { throw LawViolation("it goes on") }
    }
  }

  @Test("goes on after a restart of Redis only if that has what it has acknowledged")
  func restart() async throws {
    try await SocketThread.run {
      let durable = RedisServer.durability
      let cases = [
        (durable, durable, true),
        (["--appendonly", "yes"], ["--appendonly", "yes"], false),
        // What the first one has lost, the second one does not bring back.
        (["--appendonly", "yes"], durable, false),
        (durable + ["--no-appendfsync-on-rewrite", "yes"], durable, false),
      ]
      for (former, next, hasAll) in cases {
        let redis = try RedisServer(former)
        let follower = try Follower(redis)
        try follower.append(1...5)
        _ = try follower.inputs(5)
        redis.kill()
        try redis.restart(next)
        if hasAll {
          try follower.join(times: 2)
          try follower.append(6...6)
          #expect(try follower.inputs(6).count == 6)
          #expect(try !Self.mayLackEntries(redis))
        } else {
          guard case .lost = try follower.end() else { throw LawViolation("it goes on") }
        }
      }
    }
  }

  @Test("is doubted if a replica took the place of Redis")
  func doubt() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      try RedisJournal(redis.journal).begin(with: Follower.first)
      // It notes that Redis syncs each change.
      #expect(try !Self.mayLackEntries(redis))
      let replica = try redis.replica()
      try replica.command("replicaof no one")
      #expect(try Self.mayLackEntries(replica))
      // Begun anew, it is that of the replica.
      let next = try RedisJournal(replica.journal)
      _ = try next.checkpoint()
      try next.begin(with: Follower.first)
      #expect(try !Self.mayLackEntries(replica))
    }
  }

  /// Returns whether a server that starts has to begin the journal anew.
  private static func mayLackEntries(_ redis: RedisServer) throws -> Bool {
    let journal = try RedisJournal(redis.journal)
    _ = try #require(try journal.checkpoint())
    return journal.mayLackEntries
  }

  @Test("lets servers with one configuration in, of those that come at once")
  func configurations() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      for round in 1...20 {
        let journals = try (1...4).map { _ in try RedisJournal("\(redis.journal)\(round)") }
        let own: [JSONValue] = ["a", "b", "a", "b"]
        let results = Mutex<[Int: Result<JSONValue?, JournalError>]>([:])
        DispatchQueue.concurrentPerform(iterations: 4) { index in
          let result = Result { () throws(JournalError) in
            try journals[index].enter(as: own[index])
          }
          results.withLock { $0[index] = result }
        }
        let others = try results.withLock { results in
          try results.sorted { $0.key < $1.key }.map { try $0.value.get() }
        }
        let first = try #require(others.firstIndex { $0 == .none })
        #expect(others == own.map { $0 == own[first] ? JSONValue?.none : own[first] })
      }
      // A server of a journal with a longer name is no server of this journal.
      let longer = try RedisJournal("\(redis.journal)1:longer")
      for journal in [longer, try RedisJournal("\(redis.journal)1")] {
        #expect(try journal.enter(as: "c") == nil)
      }
    }
  }

  @Test("joins again if so many others have joined since that its entries count no more")
  func manyServers() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let followers = try [Follower(redis), Follower(redis)]
      let era = try redis.command("get demo").prefix(16)
      try redis.command("-r 1023 xadd demo:\(era):entries * join 0-0")
      // The session of the second one is the oldest now.
      try followers[0].join(times: 2)
      try followers[0].append(1...1)
      for follower in followers { #expect(try follower.inputs(1).count == 1) }
    }
  }

  @Test(
    "says that it fails before it joins again, if an append has ended before replicas confirmed it")
  func unconfirmed() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let follower = try Follower(redis, replicas: 1)
      let (errors, end) = (Noted<JournalError>(), DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        defer { end.signal() }
        do { try follower.append(1...1) } catch { (error as? JournalError).map(errors.add) }
      }
      // The append waits for a replica when its input is back.
      _ = try follower.inputs(1)
      try redis.cutLast("viewdelta")
      end.wait()
      guard case .unconfirmed(let reason) = errors.all.first else {
        throw LawViolation("\(errors.all)")
      }
      try follower.join(times: 2)
      #expect(follower.failures == [.unavailable(reason)])
    }
  }

  @Test("adds an input also if Redis has closed the connection since the last one")
  func idleConnection() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let follower = try Follower(redis)
      try follower.append(1...1)
      try redis.cutLast("viewdelta")
      try follower.append(2...2)
      #expect(try follower.inputs(2).count == 2)
    }
  }
}
