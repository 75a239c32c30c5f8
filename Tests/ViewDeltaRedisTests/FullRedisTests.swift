import TestSupport
import Testing
import ViewState

@Suite("A Redis that takes no changes")
struct FullRedisTests {
  @Test(
    "lets a server start, which shows all, and goes on once Redis takes changes again",
    arguments: ["maxmemory", "min-replicas-to-write"])
  func start(limit: String) async throws {
    let redis = try RedisServer()
    try await SharedWorld(redis.journal, CountScreen()).send("add")
    try redis.command("config set \(limit) 1")
    let next = try SharedWorld(redis.journal, CountScreen())
    #expect(try next.number == 1)
    await #expect(throws: CommandFailure.notRecorded) { try await next.send("add") }
    try redis.command("config set \(limit) 0")
    try await wait { next.incidents.all.last == .recovered }
    try await next.send("add")
    #expect(try next.number == 2)
  }
}
