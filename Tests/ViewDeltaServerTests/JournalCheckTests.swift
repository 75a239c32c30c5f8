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

  @Test("compares no looks from before the checkpoint with which it begins")
  func olderLooks() async throws {
    let journal = MemoryJournal()
    let backend = try FeatureTests.backend {
      $0.journal = journal
    } features: {
      NotesFeature()
    }
    #expect(await backend.call(.post, "/v1/notes", body: ["text": "Bread"]).status == 201)
    backend.application.close()
    var content = journal.content
    content.checkpoints.removeFirst()
    for (position, isCompared) in [(0, false), (1, true)] {
      content.notes["looks"] = [
        "position": .integer(position), "digests": ["note/99": "gone"],
      ]
      let copy = MemoryJournal(content)
      do {
        try JournalCheck.run(copy) { NotesFeature() }
        #expect(!isCompared)
      } catch let error as ExitCode {
        #expect(isCompared && error.rawValue == 1)
      }
    }
  }
}
