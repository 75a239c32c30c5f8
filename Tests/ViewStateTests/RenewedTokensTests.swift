import CanonicalJSON
import Synchronization
import TestSupport
import Testing

@testable import ViewState

/// An engine whose journal must not go on as it was.
@Suite("An engine that starts after starts that ended, or from a copy")
struct RenewedTokensTests {
  /// What the next process finds if one ends while it applies an entry.
  private static func ended(
    _ content: MemoryJournal.Content, at position: Int
  ) throws -> MemoryJournal.Content {
    let found = Mutex<MemoryJournal.Content?>(nil)
    let journal = MemoryJournal(
      content,
      afterNote: { content in
        let start = try? content.starts.last?.decode(ReplayProgress.Start.self)
        if let start, start.position == position, start.isApplying {
          found.withLock { $0 = content }
        }
      })
    _ = try JournalWorld(journal)
    return try #require(found.withLock { $0 })
  }

  @Test("skips an input at which two starts have ended, says so, and gives other tokens")
  func skip() async throws {
    let world = try JournalWorld()
    for _ in 1...3 { try await world.send(JournalTests.add, to: "tally", "a") }
    let before = try world.shown("tally", "a").token
    func number(_ world: JournalWorld) throws -> JSONValue? {
      try StoreTests.number(world.registry.instance(screen: "tally", key: "a"))
    }
    let once = try Self.ended(world.journal.content, at: 2)
    // One end says nothing: the process may have been killed.
    let unharmed = try JournalWorld(MemoryJournal(once))
    #expect(try number(unharmed) == 3 && unharmed.incidents.isEmpty)
    #expect(unharmed.journal.content.starts.isEmpty)
    #expect(try unharmed.shown("tally", "a").token == before)

    let again = try JournalWorld(MemoryJournal(try Self.ended(once, at: 2)))
    #expect(again.incidents == [.skipped(position: 2, input: "command tally/a")])
    #expect(try number(again) == 2)
    // Clients may have seen the input.
    let token = try again.shown("tally", "a").token
    #expect(token.epoch != before.epoch && !again.registry.contains(before.epoch))
    // The journal begins without it, so that it is not skipped again.
    #expect(again.journal.entries.isEmpty && again.journal.positions == [3])
    let third = try JournalWorld(MemoryJournal(again.journal.content))
    #expect(try third.incidents.isEmpty && number(third) == 2)
    #expect(try third.shown("tally", "a").token == token)
  }

  @Test("skips no input if starts end at different ones, or if one has come further")
  func kills() async throws {
    let world = try JournalWorld()
    for _ in 1...3 { try await world.send(JournalTests.add, to: "tally", "a") }
    for positions in [[1, 2, 3], [2, 3, 2], [3, 2, 2]] {
      let ended = try positions.reduce(world.journal.content) { try Self.ended($0, at: $1) }
      #expect(ended.starts.count == 3)
      let again = try JournalWorld(MemoryJournal(ended))
      #expect(try again.shown("tally", "a") == world.shown("tally", "a"))
      #expect(again.incidents.isEmpty && again.journal.entries.count == 3)
    }
  }

  @Test("gives other tokens if its journal is a copy, once")
  func copy() async throws {
    let world = try JournalWorld()
    try await world.send(JournalTests.add, to: "tally", "a")
    var content = world.journal.content
    content.notes[JournalNote.copy] = true
    let before = try world.shown("tally", "a")
    let copy = try JournalWorld(MemoryJournal(content))
    let after = try copy.shown("tally", "a")
    #expect(after.snapshot == before.snapshot && after.token.epoch != before.token.epoch)
    #expect(!copy.registry.contains(before.token.epoch))
    #expect(try JournalWorld(copy.journal).shown("tally", "a") == after)
  }
}
