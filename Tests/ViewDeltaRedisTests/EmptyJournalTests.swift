import Dispatch
import TestSupport
import Testing
import ViewDeltaRedis
import ViewState

@Suite("A journal in Redis that is empty")
struct EmptyJournalTests {
  @Test("is begun by one of the servers that start at once, with which the others go on")
  func manyStarts() async throws {
    let redis = try RedisServer()
    let starts = Noted<Result<SharedWorld, any Error>>()
    try await SocketThread.run { [journal = redis.journal] in
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        starts.add(Result { try SharedWorld(journal, CountScreen()) })
      }
    }
    let servers = try starts.all.map { try $0.get() }
    for server in servers { try await server.send("add") }
    for server in servers { try await wait { try server.number == 4 } }
  }

  @Test("is left to another server if the one that wanted to begin it has ended")
  func endedStart() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      #expect(try RedisJournal(redis.journal).marks().isEmpty)
      let seconds = try redis.command("ttl demo:begin").dropLast()
      #expect((1...30).contains(try #require(Int(seconds))))
    }
  }

  @Test("is begun at once if its keys were removed just after it had begun")
  func removed() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let journal = try RedisJournal(redis.journal)
      _ = try journal.marks()
      try journal.begin(with: RedisJournalTests.Follower.first)
      #expect(try redis.command("exists demo:begin") == "0\n")
    }
  }

  @Test("is begun by one of the servers that begin it at once, and replaced for the others")
  func manyBegins() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      for round in 1...20 {
        let journals = try (1...4).map { _ in try RedisJournal("\(redis.journal)\(round)") }
        let results = Noted<Result<Void, JournalError>>()
        DispatchQueue.concurrentPerform(iterations: 4) { index in
          results.add(
            Result { () throws(JournalError) in
              try journals[index].begin(with: RedisJournalTests.Follower.first)
            })
        }
        #expect(results.all.count { if case .success = $0 { true } else { false } } == 1)
      }
    }
  }
}
