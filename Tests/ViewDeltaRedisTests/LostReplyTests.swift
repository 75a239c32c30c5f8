import Dispatch
import TestSupport
import Testing
import ViewState

@Suite("An input that Redis has recorded, and whose reply was lost")
struct LostReplyTests {
  @Test("is acknowledged when it comes back, and applied once")
  func connectionEnds() async throws {
    // A machine may be too slow to end the connection before the reply comes.
    for _ in 1...20 {
      if try await Self.isAcknowledged() { return }
    }
    Issue.record("it is never acknowledged")
  }

  /// Returns whether the input is acknowledged whose connection ends.
  private static func isAcknowledged() async throws -> Bool {
    let redis = try RedisServer()
    let isOpen = DispatchSemaphore(value: 0)
    let screen = CountScreen(whileAdding: {
      // Stays open for all that follow.
      isOpen.wait()
      isOpen.signal()
    })
    // Without a replica the reply takes a second, in which the connection can end.
    let server = try SharedWorld(redis.journal, screen, replicas: 1)
    // While it is being applied, the server does not read the next one.
    await #expect(throws: CommandFailure.unconfirmed) { try await server.send("add") }
    async let second: Void = server.send("add")
    let era = try redis.command("get demo").prefix(16)
    // The begin, the server's entry that it has joined, and both inputs.
    try await wait { try redis.command("xlen demo:\(era):entries") == "4\n" }
    try redis.command("client kill type normal skipme yes")
    isOpen.signal()
    do { try await second } catch CommandFailure.unconfirmed { return false }
    #expect(try server.number == 2)
    return true
  }
}
