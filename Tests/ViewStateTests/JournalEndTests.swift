import Snapshots
import TestSupport
import Testing

@testable import ViewState

@Suite("A journal that an engine has ended")
struct JournalEndTests {
  @Test("has all revisions after orderly ends, of which only the last has a checkpoint")
  func ends() async throws {
    let world = try JournalWorld(program: "1")
    let first = try world.shown("tally", "a")
    var journal = world.journal
    for number in 1...3 {
      let again = try JournalWorld(journal, program: "1")
      try await again.send(JournalTests.add, to: "tally", "a")
      // The second end has nothing to write.
      for _ in 1...2 { again.engine.closeJournal() }
      #expect(again.journal.positions == [0, number])
      let instance = try again.registry.instance(screen: "tally", key: "a")
      #expect(try instance.revision(first.token).snapshot == first.snapshot)
      #expect(instance.kept.count == number + 1)
      journal = MemoryJournal(again.journal.content)
    }
    // A program that does not say which one it is goes on as that one.
    #expect(try JournalWorld(journal, program: nil).shown("tally", "a").token.number == 3)

    let failing = try JournalWorld(journal, program: "1")
    try await failing.send(JournalTests.add, to: "tally", "a")
    journal.fail(.unavailable("full"))
    failing.engine.closeJournal()
    #expect(failing.incidents == [.checkpointFailed(.unavailable("full"))])
    #expect(journal.positions == [0, 3])
  }
}
