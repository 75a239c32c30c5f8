import TestSupport
import Testing

@testable import ViewDeltaClient

@Suite("A value that work waits for")
struct SharedValueTests {
  private final class Result: Sendable {}

  @Test("keeps nothing of work that has ended")
  func ended() async throws {
    let value = SharedValue(0)
    weak var result: Result?
    do {
      let made = try await value.untilChange(from: 0) { Result() }
      result = made
      #expect(result != nil)
    }
    // The thread that has run the work may still have it for a moment.
    try await wait { result == nil }
  }
}
