import Glibc
import Testing

@testable import ViewDelta

@Suite("A server that differs from others again and again")
struct ProgramStartTests {
  @Test("waits before each start but the first, each time longer, up to a minute")
  func waits() {
    unsetenv("VIEWDELTA_RESTARTS")
    defer { unsetenv("VIEWDELTA_RESTARTS") }
    let waits = (1...12).map { _ in ProgramStart.countRestart() }
    #expect(waits == [0, 1, 3, 7, 15, 31] + Array(repeating: 60, count: 6))
  }
}
