import TestSupport
import Testing

@Suite("A Redis that comes back without what it had")
struct EmptyRedisTests {
  @Test("gets the state of the server that runs, also if another one starts first")
  func start() async throws {
    let redis = try RedisServer(["--appendonly", "no"])
    let running = try SharedWorld(redis.journal, CountScreen())
    try await running.send("add")
    redis.kill()
    try redis.restart()
    let next = try SharedWorld(redis.journal, CountScreen())
    #expect(try next.number == 1)
  }
}
