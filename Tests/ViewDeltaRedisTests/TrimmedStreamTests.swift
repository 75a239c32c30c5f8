import TestSupport
import Testing
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
}
