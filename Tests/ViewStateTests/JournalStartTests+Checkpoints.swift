import CanonicalJSON
import TestSupport
import Testing

@testable import ViewState

/// The checkpoint with which an engine begins, and what the journal keeps.
extension JournalStartTests {
  @Test("begins with the checkpoint that is a history behind, and needs nothing before it")
  func checkpoints() async throws {
    let schedule = CheckpointSchedule(interval: 10)
    let world = try JournalWorld(schedule: schedule)
    try await world.send(JournalTests.load, to: "weather", "x")
    for number in 1...99 {
      try await world.send(JournalTests.add, to: "tally", "\(number % 7)")
      if number % 10 == 0 { _ = try await world.store.write(["n\(number)": number]) }
      // The checkpoint is written beside the inputs.
      while let last = world.journal.positions.last, last + 10 < number { await Task.yield() }
    }
    let position = world.engine.last.position
    // What is not needed any more is removed after the checkpoint is written.
    while let first = world.journal.positions.first, first < position - 45 { await Task.yield() }
    while world.engine.statistics.checkpoint != world.journal.positions.last { await Task.yield() }
    let journal = MemoryJournal(world.journal.content)
    let first = try #require(journal.positions.first)
    #expect(first <= position - 20)
    #expect(journal.entries.first?.position == first + 1)

    // From the copy: the writer of checkpoints may still remove entries of the other one.
    let again = try JournalWorld(journal, schedule: schedule)
    for key in 0...6 {
      #expect(try again.shown("tally", "\(key)") == world.shown("tally", "\(key)"))
    }
    #expect(again.store.value.numbers == world.store.value.numbers)
    #expect(try again.shown("counter", "n10") == world.shown("counter", "n10"))
    #expect(again.engine.heldCalls.count == 1)
    let (here, there) = (world.engine.moment.memory, again.engine.moment.memory)
    #expect(here == there)
  }

  @Test(
    "has few inputs to apply if these are large, also if they were refused, and after a restart",
    arguments: ["xxxxxx", "\u{1}"])
  func largeInputs(sixBytes: String) async throws {
    // Four inputs of 1 MiB weigh more than the interval.
    let schedule = CheckpointSchedule(interval: 100)
    let text = JSONValue.string(Text(String(repeating: sixBytes, count: (1 << 20) / 6)))
    var world = try JournalWorld(schedule: schedule)
    for number in 1...24 {
      await #expect(throws: CommandFailure.self) {
        try await world.registry.send(
          SentCommand(JSONReader(["type": "add", "text": text])), to: "tally", "a", expecting: [])
      }
      if number % 4 == 0 {
        while world.journal.positions.last != number { await Task.yield() }
      }
      if number == 12 {
        world = try JournalWorld(MemoryJournal(world.journal.content), schedule: schedule)
      }
    }
    while world.journal.positions != [16, 20, 24] { await Task.yield() }
    #expect(world.journal.entries.map(\.position) == Array(17...24))
  }

  @Test("begins with the checkpoint that is a history behind, also if older ones are kept")
  func retention() async throws {
    let retention = JournalRetention(age: .seconds(3_600))
    let schedule = CheckpointSchedule(interval: 10, keeping: retention)
    let world = try JournalWorld(schedule: schedule)
    for number in 1...60 {
      try await world.send(JournalTests.add, to: "tally", "a")
      while let last = world.journal.positions.last, last + 10 < number { await Task.yield() }
    }
    #expect(world.journal.positions.first == 0 && world.journal.entries.count == 60)
    var content = world.journal.content
    content.entries.remove(at: 1)
    let again = try JournalWorld(MemoryJournal(content), schedule: schedule)
    #expect(try again.shown("tally", "a") == world.shown("tally", "a"))
    // One that begins with the oldest would miss the entry.
    #expect(throws: JournalError.damaged("entry 2 is missing")) {
      try JournalWorld(MemoryJournal(content), schedule: .all)
    }
  }

  @Test(
    "is refused if the checkpoint has states of later inputs than its own, which would get revisions that go back",
    arguments: [-1, 0, 1])
  func earlierPosition(position: Int) async throws {
    for isWrite in [false, true] {
      let world = try JournalWorld()
      for number in -1..<position {
        if isWrite {
          try await world.store.write(["a": 10 + number])
        } else {
          try await world.send(JournalTests.add, to: "tally", "a")
        }
      }
      let whole = try world.engine.checkpoint()
      #expect(whole.position == position + 1)
      func start(at position: Int) throws {
        let journal = MemoryJournal()
        try journal.write(Checkpoint(position: position, parts: whole.parts))
        _ = try JournalWorld(journal)
      }
      try start(at: position + 1)
      let error = #expect(throws: JournalError.self) { try start(at: position) }
      guard case .damaged = error else { throw LawViolation("\(String(describing: error))") }
    }
  }

  @Test("finds each store, and needs no new checkpoint, also if a name begins with an accent")
  func storeNames() async throws {
    func store(_ journal: MemoryJournal) throws -> Store<Counters> {
      let environment = ScreenEnvironment(scheduler: ManualScheduler())
      let engine = try Engine(environment: environment, journal: journal)
      let store = Store("\u{301}numbers", Counters(["a": 1]), in: engine)
      try engine.start()
      return store
    }
    let journal = MemoryJournal()
    _ = try await store(journal).write(["a": 2])
    #expect(try store(journal).value.numbers == ["a": 2])
    #expect(journal.positions == [0] && journal.entries.count == 1)
    #expect(try journal.checkpoint()?.stores == ["\u{301}numbers"])
  }
}
