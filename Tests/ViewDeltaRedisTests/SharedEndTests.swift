import Dispatch
import TestSupport
import Testing
import ViewDeltaRedis
import ViewState

@Suite("The end of servers that share a journal")
struct SharedEndTests {
  private static func positions(_ redis: RedisServer) throws -> [Int] {
    try RedisJournal(redis.journal).marks().map(\.position)
  }

  @Test("leaves the state of the last one, with which servers of another program begin")
  func last() async throws {
    let redis = try RedisServer()
    await #expect(processExitsWith: .success) { [journal = redis.journal as String] in
      let servers = try (1...2).map { _ in try SharedWorld(journal, CountScreen()) }
      for server in servers { try await server.send("add") }
      servers[0].engine.closeJournal()
      let positions = try RedisJournal(journal).marks().map(\.position)
      precondition(positions == [0], "a server goes on, and needs no checkpoint")
      try await servers[1].send("add")
      servers[1].engine.closeJournal()
    }
    #expect(try Self.positions(redis) == [0, 3])

    // It would count one of the inputs twice.
    let other = try SharedWorld(redis.journal, CountScreen(mistake: 1), program: "2")
    #expect(try other.number == 3)
    try await other.send("add")
    #expect(try other.number == 4)
  }

  @Test("comes after all that was recorded before, and only the last one finds no other")
  func rest() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let servers = try (1...2).map { _ in try RedisJournalTests.Follower(redis) }
      // It takes many reads.
      try servers[1].append(1...5_000)
      #expect(try !servers[0].journal.leave())
      #expect(try servers[0].inputs(0).count == 5_000)
      #expect(try servers[1].journal.leave())
    }
  }

  @Test("leaves the state also if they end together")
  func together() async throws {
    let redis = try RedisServer()
    for number in 1...5 {
      let servers = try (1...3).map { _ in try SharedWorld(redis.journal, CountScreen()) }
      try await servers[0].send("add")
      for server in servers { try await wait { try server.number == .integer(number) } }
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          DispatchQueue.concurrentPerform(iterations: servers.count) { index in
            servers[index].engine.closeJournal()
          }
          continuation.resume()
        }
      }
      #expect(try Self.positions(redis) == [0, number])
      #expect(servers.allSatisfy { $0.incidents.all.isEmpty })
    }
  }
}
