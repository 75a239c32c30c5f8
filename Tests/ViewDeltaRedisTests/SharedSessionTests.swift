import TestSupport
import Testing

@testable import ViewState

@Suite("A session on servers that share a journal")
struct SharedSessionTests {
  static let session: Text = "a@AAAAAAAAAAAAAAAAAAAAAA"

  @Test("is kept as long as one of them reads it, and a day more")
  func readOnOne() async throws {
    let redis = try RedisServer()
    let schedulers = [ManualScheduler(), ManualScheduler()]
    let servers = try schedulers.map {
      try SharedWorld(redis.journal, CountScreen(), .init(), replicas: 0, $0)
    }
    try await servers[0].send("add", to: Self.session)
    var hours = 0
    // Lets an hour pass. What a server has posted comes before the command.
    func pass() async throws {
      hours += 1
      for (server, scheduler) in zip(servers, schedulers) {
        scheduler.advance(by: .seconds(3_600))
        try await server.send("add")
      }
      try await wait { try servers.allSatisfy { try $0.number == .integer(2 * hours) } }
    }
    for _ in 1...72 {
      #expect(try servers[0].number(of: Self.session) == 1, "after \(hours) hours")
      try await pass()
    }
    for _ in 1...23 { try await pass() }
    let epoch = try servers[0].registry.instance(screen: "count", key: Self.session).epoch
    #expect(servers.allSatisfy { $0.registry.contains(epoch) })
    for _ in 1...49 { try await pass() }
    #expect(servers.allSatisfy { !$0.registry.contains(epoch) })
    #expect(try servers.map { try $0.number(of: Self.session) } == [0, 0])
  }
}
