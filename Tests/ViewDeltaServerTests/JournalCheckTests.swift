import ArgumentParser
import TestSupport
import Testing
import ViewDelta

@Suite("A check of a journal")
struct JournalCheckTests {
  private struct Gone: Error {}

  private static func broken() throws -> any Feature { throw Gone() }

  @Test("and a replay end with 69 if a feature cannot start, not with the 1 of different looks")
  func brokenFeature() throws {
    let replay = try ReplayOptions.parse([])
    let checked = #expect(throws: ExitCode.self) {
      try JournalCheck.run(MemoryJournal()) { try Self.broken() }
    }
    let replayed = #expect(throws: ExitCode.self) {
      try replay.replay(MemoryJournal()) { try Self.broken() }
    }
    #expect(checked?.rawValue == 69 && replayed?.rawValue == 69)
  }
}
