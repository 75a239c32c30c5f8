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
}
