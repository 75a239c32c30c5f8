import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@testable import ViewState

@Suite("An engine that starts with a journal")
struct JournalStartTests {
  @Test("goes on after a restart with all states, tokens, histories and outcomes of keys")
  func restart() async throws {
    let world = try JournalWorld()
    let key = OutcomesTests.key("k")
    let command = try SentCommand(JSONReader(JournalTests.add))
    let first = try await world.registry.send(command, to: "tally", "a", once: key)
    for number in 2...5 {
      try await world.send(JournalTests.add, to: "tally", "a")
      try await world.store.write(["a": number, "c": number])
    }
    let tally = try world.registry.instance(screen: "tally", key: "a")
    let (counter, new) = (try world.shown("counter", "a"), try world.shown("counter", "c"))

    // Another program may begin with other data, which the journal overrules.
    let again = try JournalWorld(world.journal, numbers: ["z": 9])
    #expect(again.store.value.numbers == ["a": 5, "b": 1, "c": 5])
    #expect(try again.shown("counter", "a") == counter)
    #expect(try again.shown("counter", "c") == new)
    let restored = try again.registry.instance(screen: "tally", key: "a")
    #expect(restored.kept.map(\.token) == tally.kept.map(\.token))
    #expect(restored.kept.map(\.snapshot) == tally.kept.map(\.snapshot))
    #expect(try await again.registry.send(command, to: "tally", "a", once: key) == first)
    #expect(StoreTests.number(restored) == 5)
    let next = try await again.send(JournalTests.add, to: "tally", "a")
    #expect(next.revision == RevisionToken(epoch: tally.epoch, number: 11))
  }

  @Test("takes all that came before it has started, such as ends of loads, however much that is")
  func backlog() async throws {
    let world = try JournalWorld(starting: false)
    let taken = Noted<Int>()
    for number in 1...600 { world.engine.perform { taken.add(number) } }
    // The thread of the journal has looked for them then.
    world.engine.closeJournal()
    #expect(taken.all.isEmpty)
    try world.engine.start()
    try await wait { taken.all.count == 600 }
  }

  @Test("applies no command that was refused because its revision was not current")
  func outdated() async throws {
    let world = try JournalWorld()
    let token = try await world.send(JournalTests.add, to: "tally", "a").revision
    let newer = try await world.send(JournalTests.add, to: "tally", "a").revision
    let command = try SentCommand(JSONReader(JournalTests.add))
    await #expect(throws: CommandFailure.outdated(current: newer)) {
      try await world.registry.send(command, to: "tally", "a", expecting: [token])
    }
    let again = try JournalWorld(world.journal)
    #expect(try again.shown("tally", "a") == world.shown("tally", "a"))
    #expect(again.engine.position == 3 && !again.engine.incidents.isSilent)
  }

  @Test("goes on loading by the clock what was loaded so before")
  func refreshes() async throws {
    let world = try JournalWorld(every: .seconds(1))
    try await world.send(JournalTests.load, to: "weather", "x")
    #expect(world.engine.answer("degrees", .success(7)))
    await world.settle()
    let again = try JournalWorld(world.journal, every: .seconds(1))
    let instance = try again.registry.instance(screen: "weather", key: "x")
    #expect(try again.state("x") == "loaded" && again.engine.heldCalls.isEmpty)
    for degrees in 8...9 {
      again.scheduler.advance(by: .seconds(1))
      #expect(again.engine.answer("degrees", .success(.integer(degrees))))
      await again.settle()
      #expect(StoreTests.number(instance) == .integer(degrees))
    }
  }

  @Test(
    "warns if the last input is ahead of the clock by more than clocks differ",
    arguments: [(60, false), (61, true)])
  func clockSetBack(seconds: Int, isTold: Bool) async throws {
    let world = try JournalWorld()
    world.scheduler.advance(by: .seconds(seconds))
    try await world.send(JournalTests.add, to: "tally", "a")
    let incidents = try JournalWorld(world.journal).incidents
    #expect(incidents.count == (isTold ? 1 : 0))
    if case .warning(let reason)? = incidents.first {
      let time = JournalWorld.start + .seconds(seconds)
      #expect(reason.contains("its last input has the time \(time), ahead"), "\(reason)")
    }
  }

  @Test("warns each time that the clock is set back, once, and not again after a start")
  func clockSetBackLater() async throws {
    let world = try JournalWorld()
    for shift in [100, 0, 0, 100, 30, 30] {
      world.clockShifts.add(.seconds(shift))
      try await world.send(JournalTests.add, to: "tally", "a")
    }
    await world.settle()
    #expect(world.incidents.count == 2, "\(world.incidents)")
    let again = try JournalWorld(world.journal)
    try await again.send(JournalTests.add, to: "tally", "a")
    await again.settle()
    #expect(again.incidents == [world.incidents[1]])
  }

  @Test("has the revisions that clients hold of view models which no command has changed")
  func readHistory() async throws {
    let world = try JournalWorld()
    let before = try world.shown("counter", "a")
    try await world.store.write(["a": 2])
    let again = try JournalWorld(world.journal)
    let kept = try again.registry.instance(screen: "counter", key: "a").revision(before.token)
    #expect(kept.snapshot == before.snapshot)
  }

  @Test("dates revisions and incidents by their inputs, whenever it starts")
  func dates() async throws {
    let names: [(Text, Text)] = [
      ("counter", "a"), ("counter", "b"), ("sum", "all"), ("tally", "a"), ("weather", "x"),
    ]
    func instances(_ world: JournalWorld) throws -> [Instance] {
      try names.map { try world.registry.instance(screen: $0.0, key: $0.1) }
    }
    let world = try JournalWorld()
    for number in 2...3 {
      world.scheduler.advance(by: .seconds(10))
      try await world.store.write(["a": number])
    }
    // The second one is an incident, because the first one runs.
    for _ in 1...2 { try await world.send(JournalTests.load, to: "weather", "x") }
    world.scheduler.advance(by: .seconds(1))
    #expect(world.engine.answer("degrees", .failure(LoadFailure(code: "fog", message: "Fog."))))
    await world.settle()
    try await world.send(JournalTests.add, to: "tally", "a")
    let kept = try instances(world).map { $0.kept.map { $0.date - JournalWorld.start } }
    let times = [21, 20].map { JournalWorld.start + .seconds($0) }
    #expect(try instances(world)[4].incidents.map(\.time) == times)
    #expect(kept[0] == [.zero, .seconds(10), .seconds(20)] && kept[1] == [.zero])
    #expect(kept[2] == kept[0] && kept[3] == [.zero, .seconds(21)])
    #expect(kept[4] == [.zero, .seconds(20), .seconds(21)])

    // One goes on from the entries, and one from a checkpoint alone.
    let rested = MemoryJournal()
    try rested.write(world.engine.checkpoint())
    for (journal, count) in [(world.journal, 3), (rested, 1)] {
      let again = try JournalWorld(journal, starting: false)
      again.scheduler.advance(by: .seconds(1_000))
      try again.engine.start()
      for (instance, dates) in zip(try instances(again), kept) {
        #expect(instance.kept.map { $0.date - JournalWorld.start } == dates.suffix(count))
      }
      let incidents = try instances(again)[4].incidents
      #expect(incidents.map(\.time) == (count == 1 ? [] : times))
    }
  }

  @Test("has the revisions that clients hold of a whole store, under any key")
  func readSums() async throws {
    let world = try JournalWorld()
    let before = try world.shown("sum", "never listed")
    for number in 2...4 { _ = try await world.store.write(["a": number]) }
    let again = try JournalWorld(world.journal)
    let sum = try again.registry.instance(screen: "sum", key: "never listed")
    #expect(try sum.revision(before.token).snapshot == before.snapshot)
    let former = try world.registry.instance(screen: "sum", key: "never listed")
    #expect(sum.kept.map(\.token) == former.kept.map(\.token))
  }

  @Test("goes on with the states of another program, and gives them other tokens")
  func program() async throws {
    let world = try JournalWorld(program: "1")
    for _ in 1...3 { try await world.send(JournalTests.add, to: "tally", "a") }
    try await world.store.write(["a": 2])
    try await world.send(JournalTests.load, to: "weather", "x")
    #expect(world.engine.answer("degrees", .success(7)))
    await world.settle()
    let names: [(Text, Text)] = [("tally", "a"), ("counter", "a"), ("weather", "x")]
    let before = try names.map { try world.shown($0.0, $0.1) }

    // One goes on from a checkpoint alone, one from entries. A second restart is one like any other.
    let rested = MemoryJournal()
    try rested.write(world.engine.checkpoint())
    let former = try JournalWorld(rested, program: "2")
    #expect(!former.registry.contains(before[0].token.epoch))
    var tokens: Set<[RevisionToken]> = []
    for _ in 1...2 {
      let again = try JournalWorld(world.journal, program: "2")
      let after = try names.map { try again.shown($0.0, $0.1) }
      #expect(after.map(\.snapshot) == before.map(\.snapshot))
      for (new, old) in zip(after, before) { #expect(new.token.epoch != old.token.epoch) }
      #expect(!again.registry.contains(before[0].token.epoch))
      tokens.insert(after.map(\.token))
    }
    #expect(tokens.count == 1)
  }

  @Test("starts the loads again that were under way")
  func loads() async throws {
    let world = try JournalWorld()
    try await world.send(JournalTests.load, to: "weather", "x")
    try await world.send(JournalTests.load, to: "weather", "y")
    #expect(world.engine.answer("degrees", .success(7)))
    await world.settle()
    try await world.send(JournalTests.load, to: "weather", "y")
    #expect(world.engine.heldCalls.count == 1)

    let again = try JournalWorld(world.journal)
    #expect(again.engine.heldCalls.map(\.part) == ["degrees"])
    #expect(try again.shown("weather", "x") == world.shown("weather", "x"))
    #expect(again.engine.answer("degrees", .success(8)))
    await again.settle()
    #expect(try again.state("y") == "loaded")

    // One that does not end fails at its time-out.
    try await again.send(JournalTests.load, to: "weather", "z")
    let third = try JournalWorld(world.journal)
    third.scheduler.advance(by: .seconds(10))
    await third.settle()
    #expect(try third.state("z") == "failed")
  }

  @Test("takes over the settings of the process, unless its screens are made for others")
  func settings() async throws {
    let world = try JournalWorld(settings: Settings(language: .de))
    let longer = Settings(loadTimeout: .seconds(20), language: .de)
    let again = try JournalWorld(world.journal, settings: longer)
    await again.settle()
    #expect(again.engine.settings == longer && world.journal.entries.count == 1)
    #expect(throws: JournalError.self) {
      try JournalWorld(world.journal, settings: Settings(language: .en))
    }
  }

  @Test("applies nothing that comes before the start")
  func early() async throws {
    let world = try JournalWorld(starting: false)
    async let written = world.store.write(["a": 2])
    while world.engine.queue.count == 0 { await Task.yield() }
    #expect(world.journal.entries.isEmpty && world.journal.positions.isEmpty)
    try world.engine.start()
    #expect(try await written == 2 && world.journal.positions == [0])
  }

  @Test("refuses a journal with a gap, with damage, or of other screens and stores")
  func damage() async throws {
    let world = try JournalWorld()
    for _ in 1...3 { try await world.send(JournalTests.add, to: "tally", "a") }
    func start(_ change: (inout MemoryJournal.Content) -> Void) throws {
      var content = world.journal.content
      change(&content)
      _ = try JournalWorld(MemoryJournal(content))
    }
    try start { _ in }
    #expect(throws: JournalError.damaged("entry 2 is missing")) {
      try start { $0.entries.remove(at: 1) }
    }
    let strange: JSONValue = [
      "kind": "command", "screen": "gone", "key": "a", "body": JournalTests.add,
    ]
    let entry = Entry(position: 4, time: JournalWorld.start, input: strange)
    var content = world.journal.content
    content.entries.append(entry)
    // However often: it is not skipped as one is that ends the process.
    for _ in 1...4 {
      let journal = MemoryJournal(content)
      let reason =
        #"this program lacks the screen gone: keep it, or drop its states by Retired(screens: ["gone"])"#
      #expect(throws: JournalError.damaged("entry 4: \(reason) (/screen)")) {
        try JournalWorld(journal)
      }
      content = journal.content
    }
    #expect(content.entries.last == entry && content.starts.count == 4)
    for (members, message) in [
      (["kind": "forget", "number": -1], "expected a count from 0, found -1 (/number)"),
      (["kind": "gone"], "no such kind of input (/kind)"),
    ] as [([Text: JSONValue], String)] {
      let input: JSONValue = ["screen": "tally", "key": "a", "epoch": "00000000"]
      #expect(throws: JournalError.damaged("entry 4: \(message)")) {
        try start { content in
          let strange = input.mergePatched(with: .object(members))
          content.entries.append(
            Entry(position: 4, time: JournalWorld.start, input: strange))
        }
      }
    }
    for (part, message) in [
      ("store/gone", #"store gone: keep it, or drop its data by Retired(stores: ["gone"])"#),
      ("screen/gone", #"screen gone: keep it, or drop its states by Retired(screens: ["gone"])"#),
    ] as [(Text, String)] {
      #expect(throws: JournalError.damaged("this program lacks the \(message)")) {
        try start { content in
          let parts = content.checkpoints[0].parts.merging([part: [:]]) { $1 }
          content.checkpoints = [Checkpoint(position: 0, parts: parts)]
        }
      }
    }
    for part: Text in ["engine", "store/numbers"] {
      #expect(throws: JournalError.self) {
        try start { content in
          var parts = content.checkpoints[0].parts
          parts[part] = "?"
          content.checkpoints = [Checkpoint(position: 0, parts: parts)]
        }
      }
    }
  }
}
