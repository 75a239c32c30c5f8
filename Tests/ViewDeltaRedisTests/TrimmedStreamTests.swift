import TestSupport
import Testing
import ViewDeltaRedis
import ViewState

@Suite("A stream of which Redis was told to remove entries")
struct TrimmedStreamTests {
  @Test("is begun with a newer checkpoint, or not at all if there is none")
  func start() async throws {
    let redis = try RedisServer()
    let server = try SharedWorld(redis.journal, CountScreen())
    for _ in 1...5 { try await server.send("add") }
    let era = try redis.command("get demo").prefix(16)
    try redis.command("xtrim demo:\(era):entries maxlen 1")
    let error = #expect(throws: JournalError.self) {
      try SharedWorld(redis.journal, CountScreen())
    }
    #expect(error == .damaged("the entries after its checkpoints were removed"))
    // It records its state.
    server.engine.closeJournal()
    let next = try SharedWorld(redis.journal, CountScreen())
    #expect(try next.number == 5)
    try await next.send("add")
    #expect(try next.number == 6)
  }

  @Test("is replaced for a server that had not read them, but lost if what it has read is gone")
  func running() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let follower = try RedisJournalTests.Follower(redis)
      let slow = try RedisJournal(redis.journal)
      _ = try slow.checkpoint()
      try follower.append(1...5)
      _ = try follower.inputs(5)
      let quick = try RedisJournal(redis.journal)
      _ = try quick.checkpoint()
      #expect(try quick.entries(after: 0, limit: 10).count == 5)
      let stream = "demo:\(try redis.command("get demo").prefix(16)):entries"
      let last = try redis.command("xrevrange \(stream) + - count 1").split(separator: "\n")[0]
      try redis.command("xdel \(stream) \(last)")
      let loss = #expect(throws: JournalError.self) { try quick.entries(after: 5, limit: 10) }
      guard case .lost = loss else { throw LawViolation("\(String(describing: loss))") }
      try redis.command("xtrim \(stream) maxlen 1")
      let trim = #expect(throws: JournalError.self) { try slow.entries(after: 0, limit: 10) }
      guard case .replaced = trim else { throw LawViolation("\(String(describing: trim))") }
    }
  }
}
