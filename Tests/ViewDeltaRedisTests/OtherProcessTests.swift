import TestSupport
import Testing
import ViewState

/// A server keeps one connection to append inputs, and one to read what all append.
@Suite("A server whose new connections lead to another Redis, while the former one goes on")
struct OtherProcessTests {
  @Test(
    "begins a journal there with all that it has acknowledged, whichever connection it makes anew",
    arguments: ["viewdelta-starting", "viewdelta-following"])
  func newConnection(_ name: String) async throws {
    let redis = try RedisServer()
    let server = try SharedWorld(redis.journal, CountScreen())
    try await server.send("add")
    let replica = try redis.replica()
    try replica.takePlace(of: redis)
    // Only the former one gets it.
    try await server.send("add")
    try redis.cutLast(name)
    await #expect(throws: CommandFailure.self) { try await server.send("add") }
    try await wait {
      server.incidents.all.contains { if case .replaced(.lost) = $0 { true } else { false } }
    }
    #expect(try SharedWorld(replica.journal, CountScreen()).number == 2)
  }
}
