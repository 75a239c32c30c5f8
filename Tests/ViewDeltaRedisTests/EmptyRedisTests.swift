import TestSupport
import Testing
import ViewState

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

  @Test("or without the last inputs gets them from the server that runs, if another one starts")
  func startWithLess() async throws {
    let redis = try RedisServer(["--appendonly", "no"])
    let running = try SharedWorld(redis.journal, CountScreen())
    try await running.send("add")
    try redis.command("save")
    try await running.send("add")
    redis.kill()
    try redis.restart()
    #expect(try Self.start(redis).number == 2)
  }

  /// Starts a server, again if the journal is begun anew meanwhile.
  private static func start(_ redis: RedisServer) throws -> SharedWorld {
    while true {
      do { return try SharedWorld(redis.journal, CountScreen()) } catch JournalError.replaced {}
    }
  }
}
