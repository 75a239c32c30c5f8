import Foundation
import TestSupport
import Testing
import ViewState

@Suite("An input that Redis has recorded, and whose reply was lost")
struct LostReplyTests {
  @Test("is acknowledged when it comes back, and applied once")
  func connectionEnds() async throws {
    // A machine may be too slow for the input to come back in time.
    for _ in 1...20 {
      if try await Self.isAcknowledged() { return }
    }
    Issue.record("it is never acknowledged")
  }

  /// Returns whether the input is acknowledged whose reply does not come.
  private static func isAcknowledged() async throws -> Bool {
    let redis = try RedisServer()
    let (begun, isOpen) = (Noted<Void>(), DispatchSemaphore(value: 0))
    let screen = CountScreen(whileAdding: {
      begun.add(())
      // Stays open for all that follow.
      isOpen.wait()
      isOpen.signal()
    })
    let server = try SharedWorld(redis.journal, screen)
    async let first: Void = server.send("add")
    // While it is being applied, the server does not read the next one.
    try await wait { !begun.all.isEmpty }
    kill(redis.identifier, SIGSTOP)
    async let second: Void = server.send("add")
    // Redis gets it, and no reply comes in time.
    try await wait { !server.incidents.all.isEmpty }
    kill(redis.identifier, SIGCONT)
    isOpen.signal()
    try await first
    do {
      try await second
    } catch CommandFailure.unconfirmed {
      return false
    } catch CommandFailure.notRecorded {
      // The server knew that Redis was away before it sent the input.
      #expect(try server.number == 1)
      return false
    }
    #expect(try server.number == 2)
    return true
  }

  @Test("is not acknowledged if Redis ends while it waits for a replica")
  func replicaIsMissing() async throws {
    let redis = try RedisServer()
    let server = try SharedWorld(redis.journal, CountScreen(), replicas: 1)
    let answer = Task { try await server.send("add") }
    try await wait { try server.number == 1 }
    redis.kill()
    await #expect(throws: CommandFailure.unconfirmed) { try await answer.value }
  }
}
