import CanonicalJSON
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ViewState

@Suite("An engine with a journal")
struct JournalTests {
  static let add: JSONValue = ["type": "add"]
  static let load: JSONValue = ["type": "loadDegrees"]
  static let full = JournalError.unavailable("the disk is full")

  @Test("shows nothing of an input before the input is recorded")
  func order() async throws {
    let shown = Mutex<[Int]>([])
    let world = Mutex<JournalWorld?>(nil)
    let journal = MemoryJournal {
      let number = world.withLock { $0 }?.store.value.numbers["a"] ?? 0
      shown.withLock { $0.append(number) }
    }
    let made = try JournalWorld(journal)
    world.withLock { $0 = made }
    for number in 2...4 { _ = try await made.store.write(["a": number]) }
    #expect(shown.withLock { $0 } == [1, 2, 3] && made.store.value.numbers["a"] == 4)
    #expect(made.journal.entries.map(\.position) == [1, 2, 3])
  }

  @Test("records what is sent while it records together")
  func batches() async throws {
    let isFirst = Mutex(true)
    let gate = DispatchSemaphore(value: 0)
    let journal = MemoryJournal {
      let waits = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if waits { gate.wait() }
    }
    let world = try JournalWorld(journal)
    async let first = world.send(Self.add, to: "tally", "a")
    while isFirst.withLock({ $0 }) { await Task.yield() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...20 { group.addTask { try await world.send(Self.add, to: "tally", "a") } }
      while world.engine.queue.count < 20 { await Task.yield() }
      gate.signal()
      try await group.waitForAll()
    }
    _ = try await first
    #expect(journal.content.appends == [1, 20])
    #expect(StoreTests.number(try world.registry.instance(screen: "tally", key: "a")) == 21)
  }

  @Test(
    "records what is sent while it applies what it has recorded together", .timeLimit(.minutes(5)))
  func overlap() async throws {
    let (recording, applying) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let appends = Mutex(0)
    let journal = MemoryJournal {
      let count = appends.withLock { count in
        count += 1
        return count
      }
      if count == 1 { recording.wait() }
    }
    let world = try JournalWorld(journal)
    async let first = world.store.write(["a": 2])
    while appends.withLock({ $0 }) < 1 { await Task.yield() }
    world.engine.perform { applying.wait() }
    async let second = world.store.write(["a": 3])
    while world.engine.queue.count < 2 { await Task.yield() }
    recording.signal()
    _ = try await first
    while journal.content.appends != [1, 1] { await Task.yield() }
    async let third = world.store.write(["a": 4])
    while journal.content.appends != [1, 1, 1] { await Task.yield() }
    #expect(world.store.value.numbers["a"] == 2)
    applying.signal()
    _ = try await (second, third)
    #expect(world.store.value.numbers["a"] == 4)
    #expect(journal.entries.map(\.position) == [1, 2, 3] && world.engine.position == 3)
  }

  @Test("records no earlier time than before, although the clock goes back")
  func clock() async throws {
    let time = Mutex(JournalWorld.start)
    let journal = MemoryJournal()
    let environment = ScreenEnvironment(
      scheduler: ManualScheduler(), now: { time.withLock { $0 } })
    let engine = try Engine(environment: environment, journal: journal)
    let store = Store("numbers", Counters([:]), in: engine)
    try engine.start()
    try await store.write(["a": 1])
    time.withLock { $0 = JournalWorld.start.advanced(by: .seconds(-60)) }
    try await store.write(["a": 2])
    #expect(journal.entries.map(\.time) == [JournalWorld.start, JournalWorld.start])
  }

  @Test("refuses what it cannot record, and changes nothing; it says once that it fails")
  func refusal() async throws {
    let world = try JournalWorld()
    try await world.send(Self.add, to: "tally", "a")
    let before = try world.shown("tally", "a")
    world.journal.fail(Self.full)
    for _ in 1...2 {
      await #expect(throws: CommandFailure.notRecorded) {
        try await world.send(Self.add, to: "tally", "a")
      }
    }
    #expect(world.engine.journalFailure == Self.full)
    #expect(try world.shown("tally", "a") == before)

    world.journal.fail(nil)
    let outcome = try await world.send(Self.add, to: "tally", "a")
    #expect(outcome.revision.number == before.token.number + 1)
    #expect(world.incidents == [.failing(Self.full), .recovered])
    #expect(world.engine.journalFailure == nil)
  }

  @Test("says that the outcome of an input is unknown if the journal does not know it, and goes on")
  func unknown() async throws {
    let world = try JournalWorld()
    try await world.send(Self.load, to: "weather", "x")
    world.journal.fail(.unconfirmed("the disk fails"))
    await #expect(throws: CommandFailure.unconfirmed) {
      try await world.send(Self.add, to: "tally", "a")
    }
    await #expect(throws: StoreError.unconfirmed) { try await world.store.write(["a": 5]) }
    // What nobody sends again waits as for a full disk.
    #expect(world.engine.answer("degrees", .success(7)))
    await world.settle()
    #expect(try world.state("x") == "isLoading" && world.store.value.numbers["a"] == 1)

    world.journal.fail(nil)
    world.scheduler.advance(by: .seconds(1))
    await world.settle()
    #expect(try world.state("x") == "loaded")
    #expect(world.journal.entries.map(\.position) == [1, 2])
  }

  @Test("keeps what nobody sends again, such as the end of a load, until it can record it")
  func waiting() async throws {
    let world = try JournalWorld()
    try await world.send(Self.load, to: "weather", "x")
    world.journal.fail(Self.full)
    #expect(world.engine.answer("degrees", .success(7)))
    // Whoever sends a write gets an answer at once.
    await #expect(throws: StoreError.notRecorded) { try await world.store.write(["a": 5]) }
    await world.settle()
    #expect(try world.state("x") == "isLoading")
    #expect(world.store.value.numbers["a"] == 1)
    // It tries again each second, by one timer however much is refused meanwhile.
    let timers = world.scheduler.pendingCount
    for _ in 1...3 {
      world.scheduler.advance(by: .seconds(1))
      await #expect(throws: StoreError.notRecorded) { try await world.store.write(["a": 5]) }
      try await wait { world.scheduler.pendingCount == timers }
    }

    world.journal.fail(nil)
    world.scheduler.advance(by: .seconds(1))
    await world.settle()
    #expect(try world.state("x") == "loaded")
    #expect(world.journal.entries.count == 2)
  }

  /// A world with a load under way, whose disk does not answer the next write until it is released.
  private func stalling(_ disk: Blocker) async throws -> JournalWorld {
    let appends = Atomic(0)
    let world = try JournalWorld(
      MemoryJournal {
        if appends.wrappingAdd(1, ordering: .relaxed).newValue == 2 { disk.block() }
      })
    try await world.send(Self.load, to: "weather", "x")
    return world
  }

  @Test(
    "answers all senders while the disk does not, ends, and goes on once the disk answers",
    .timeLimit(.minutes(5)))
  func stall() async throws {
    let disk = Blocker()
    let world = try await stalling(disk)
    let inside = Task { try await world.send(Self.add, to: "tally", "a") }
    while disk.begun == 0 { await Task.yield() }
    let behind = Task { try await world.send(Self.add, to: "tally", "a") }
    #expect(world.engine.answer("degrees", .success(7)))
    while world.engine.queue.count < 2 { await Task.yield() }
    world.scheduler.advance(by: .seconds(5))
    await #expect(throws: CommandFailure.unconfirmed) { _ = try await inside.value }
    await #expect(throws: CommandFailure.notRecorded) { _ = try await behind.value }
    await #expect(throws: CommandFailure.notRecorded) {
      try await world.send(Self.add, to: "tally", "a")
    }
    let failure = JournalError.unavailable("it does not answer")
    #expect(world.engine.journalFailure == failure && world.engine.queue.count == 0)
    world.engine.closeJournal()

    disk.release()
    while try world.state("x") != "loaded" { await Task.yield() }
    #expect(StoreTests.number(try world.registry.instance(screen: "tally", key: "a")) == 1)
    #expect(world.incidents == [.failing(failure), .recovered])
    #expect(world.engine.journalFailure == nil)
    try await world.send(Self.add, to: "tally", "a")
  }

  @Test("shows what came in time, although the disk fails until the time-out has come, too")
  func failedStall() async throws {
    let disk = Blocker()
    let world = try await stalling(disk)
    #expect(world.engine.answer("degrees", .success(7)))
    try await wait { disk.begun == 1 }
    world.scheduler.advance(by: world.engine.settings.loadTimeout)
    world.journal.fail(Self.full)
    disk.release()
    await world.settle()
    #expect(try world.state("x") == "isLoading")
    world.journal.fail(nil)
    await world.settle()
    #expect(try world.state("x") == "loaded")
  }

  @Test(
    "gives a write its time again if the whole process stood still", .timeLimit(.minutes(5)))
  func standstill() async throws {
    let disk = DispatchSemaphore(value: 0)
    let isReached = Atomic(false)
    let world = try JournalWorld(
      MemoryJournal {
        isReached.store(true, ordering: .releasing)
        disk.wait()
      })
    let sent = Task { try await world.send(Self.add, to: "tally", "a") }
    while !isReached.load(ordering: .acquiring) { await Task.yield() }
    world.scheduler.standStill(for: .seconds(7))
    world.scheduler.advance(by: .seconds(4))
    #expect(world.engine.journalFailure == nil)
    world.scheduler.advance(by: .seconds(1))
    await #expect(throws: CommandFailure.unconfirmed) { _ = try await sent.value }
    disk.signal()
  }

  @Test("ends although the disk does not answer when it ends", .timeLimit(.minutes(5)))
  func stalledEnd() async throws {
    let disk = DispatchSemaphore(value: 0)
    let isReached = Atomic(false)
    let isEnded = Atomic(false)
    let journal = MemoryJournal(beforeNote: {
      isReached.store(true, ordering: .releasing)
      disk.wait()
    })
    let world = try JournalWorld(journal)
    Thread.detachNewThread {
      world.engine.closeJournal()
      isEnded.store(true, ordering: .releasing)
    }
    while !isReached.load(ordering: .acquiring) { await Task.yield() }
    world.scheduler.advance(by: .seconds(5))
    while !isEnded.load(ordering: .acquiring) { await Task.yield() }
    disk.signal()
  }

  @Test("refuses an input that is no JSON, and goes on with the others")
  func unwritable() async throws {
    let world = try JournalWorld()
    let number: JSONValue = ["type": "add", "by": .number(.infinity)]
    let infinite = Task { try await world.send(number, to: "counter", "a") }
    let other = Task { try await world.send(Self.add, to: "tally", "a") }
    await #expect(throws: CommandFailure.notRecorded) { _ = try await infinite.value }
    #expect(try await other.value.isAccepted)
    let isTold = world.incidents.contains { if case .unwritable = $0 { true } else { false } }
    #expect(isTold && world.engine.journalFailure == nil)
  }
}
