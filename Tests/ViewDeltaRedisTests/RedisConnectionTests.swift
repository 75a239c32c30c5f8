import TestSupport
import Testing
import ViewState

@testable import ViewDeltaRedis

@Suite("A connection to Redis")
struct RedisConnectionTests {
  @Test("fails after a while if a reply goes on and on")
  func endlessReply() async throws {
    try await SocketThread.run {
      let server = try ScriptedWebServer()
      // To it, a name of no characters ends the head of a request without a path.
      server.answer("", .endless(Array("+".utf8), then: Array("x".utf8)))
      let address = try RedisAddress("redis://127.0.0.1:\(server.port)/demo")
      #expect(throws: JournalError.unavailable("\(address): no reply in time")) {
        try RedisConnection(address, name: "", within: .milliseconds(100))
      }
    }
  }
}
