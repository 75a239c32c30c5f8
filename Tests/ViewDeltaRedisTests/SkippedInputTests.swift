import CanonicalJSON
import TestSupport
import Testing
import ViewDeltaRedis
import ViewState

@Suite("An input that ends servers which share a journal")
struct SkippedInputTests {
  /// Starts a server that the input ends.
  private static func end(_ redis: RedisServer) async {
    await #expect(processExitsWith: .failure) { [journal = redis.journal as String] in
      _ = try SharedWorld(journal, CountScreen(ends: true))
    }
  }

  @Test("is left out for all after it has ended two starts, of whichever servers")
  func skipped() async throws {
    let redis = try RedisServer()
    await #expect(processExitsWith: .failure) { [journal = redis.journal as String] in
      let world = try SharedWorld(journal, CountScreen(ends: true))
      for command: Text in ["add", "end"] { try await world.send(command) }
    }
    // The first one only says that a start has ended.
    for _ in 1...3 { await Self.end(redis) }
    let incidents = Noted<JournalIncident>()
    let again = JournalError.replaced("it begins anew without inputs that have ended two starts")
    #expect(throws: again) {
      try SharedWorld(redis.journal, CountScreen(ends: true), incidents)
    }
    #expect(incidents.all == [.skipped(position: 2, input: "command count/a")])

    let servers = try (1...2).map { _ in try SharedWorld(redis.journal, CountScreen(ends: true)) }
    for server in servers { try await server.send("add") }
    for server in servers { try await wait { try server.number == 3 } }
    #expect(servers.allSatisfy { $0.incidents.all.isEmpty })
  }

  @Test("stays if a server that runs has applied it, as others can then")
  func applied() async throws {
    let redis = try RedisServer()
    let server = try SharedWorld(redis.journal, CountScreen())
    for command: Text in ["add", "end"] { try await server.send(command) }
    for _ in 1...4 { await Self.end(redis) }
    let other = try SharedWorld(redis.journal, CountScreen())
    #expect(try server.number == 11)
    #expect(try other.number == 11 && other.incidents.all.isEmpty)
  }

  @Test("is not taken for an earlier one, whose note goes if Redis refuses the next note")
  func refusedNote() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let (start, other) = try (RedisJournal(redis.journal), RedisJournal(redis.journal))
      _ = try start.checkpoint()
      try start.begin(with: RedisJournalTests.Follower.first)
      _ = try other.checkpoint()
      try start.write(start: ["position": 1])
      #expect(try other.endedStarts == [["position": 1]])
      try redis.command("config set maxmemory 1")
      #expect(throws: JournalError.self) { try start.write(start: ["position": 2]) }
      try redis.command("config set maxmemory 0")
      #expect(try other.endedStarts.isEmpty)
    }
  }

  @Test("is told by the notes of starts that have ended, until another start is complete")
  func endedStarts() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let starts = try (1...3).map { _ in try RedisJournal(redis.journal) }
      _ = try starts[0].checkpoint()
      try starts[0].begin(with: RedisJournalTests.Follower.first)
      for start in starts[1...] { _ = try start.checkpoint() }
      // It runs.
      #expect(try starts[2].enter(as: "a") == nil)
      for (start, number) in zip(starts, 1...3) { try start.write(start: ["n": .integer(number)]) }
      #expect(try starts[1].endedStarts == [["n": 1]])
      try starts[1].write(start: nil)
      #expect(try starts[1].endedStarts.isEmpty)
      let era = try redis.command("get demo").prefix(16)
      #expect(try redis.command("hvals demo:\(era):trials") == "{\"n\":3}\n")
    }
  }
}
