import ArgumentParser
import CanonicalJSON
import Synchronization
import TestSupport
import Testing
import ViewDelta

@Suite("A task of a feature")
struct ApplicationTaskTests {
  private struct Ended: Error {}

  /// A feature with tasks alone.
  private struct Tasks: Feature {
    var operations: [@Sendable () async throws -> Void]

    func register(in application: inout ApplicationBuilder) {
      for (number, operation) in operations.enumerated() {
        application.addTask("task \(number)", operation)
      }
    }
  }

  @Test("writes to a store what comes by itself, and screens show it, until it is cancelled")
  func writes() async throws {
    let (texts, feed) = AsyncStream<Text>.makeStream()
    let backend = try FeatureTests.backend { NotesFeature(incoming: texts) }
    let note = "/v1/view-models/note/1"
    #expect(await backend.get(note).status == 404)
    let tasks = Task { await backend.application.runTasks { _, _ in } }
    feed.yield("Bread")
    try await wait { await backend.get(note).status == 200 }
    #expect(await backend.get(note).text.contains(#""text":"Bread""#))

    tasks.cancel()
    await tasks.value
    feed.yield("Milk")
    #expect(try await backend.get("/v1/notes").json.elements().count == 1)
  }

  @Test("runs again after 1 s, 2 s and so on up to 60 s if it throws, and each failure is told")
  func pauses() async throws {
    let runs = Mutex(0)
    let failed = Noted<String>()
    let backend = try FeatureTests.backend {
      Tasks(operations: [
        {
          runs.withLock { $0 += 1 }
          throw Ended()
        }
      ])
    }
    let scheduler = backend.scheduler
    let tasks = Task {
      await backend.application.runTasks { name, error in failed.add("\(name): \(error)") }
    }
    for (index, pause) in [1, 2, 4, 8, 16, 32, 60, 60].enumerated() {
      try await wait { scheduler.pendingCount == 1 }
      #expect(failed.all == Array(repeating: "task 0: Ended()", count: index + 1))
      scheduler.advance(by: .seconds(pause) - .nanoseconds(1))
      #expect(scheduler.pendingCount == 1)
      scheduler.advance(by: .nanoseconds(1))
    }
    try await wait { scheduler.pendingCount == 1 }
    tasks.cancel()
    await tasks.value
    #expect(runs.withLock { $0 } == 9 && scheduler.pendingCount == 0)
  }

  @Test("pauses for 1 s again after it has run for 60 s")
  func longRun() async throws {
    let (ends, end) = AsyncStream<Void>.makeStream()
    let runs = Mutex(0)
    let backend = try FeatureTests.backend {
      Tasks(operations: [
        {
          runs.withLock { $0 += 1 }
          for await _ in ends { throw Ended() }
        }
      ])
    }
    let scheduler = backend.scheduler
    let tasks = Task { await backend.application.runTasks { _, _ in } }
    for (index, (run, pause)) in [(0, 1), (59, 2), (60, 1), (0, 2)].enumerated() {
      try await wait { runs.withLock { $0 } == index + 1 }
      scheduler.advance(by: .seconds(run))
      end.yield()
      try await wait { scheduler.pendingCount == 1 }
      scheduler.advance(by: .seconds(pause) - .nanoseconds(1))
      #expect(scheduler.pendingCount == 1)
      scheduler.advance(by: .nanoseconds(1))
    }
    tasks.cancel()
    await tasks.value
  }

  @Test("is done if it returns, and may block its thread, which it has alone")
  func blocks() async throws {
    let blocker = Blocker()
    let count = 100
    let backend = try FeatureTests.backend {
      Tasks(operations: Array(repeating: { blocker.block() }, count: count) + [{}])
    }
    let tasks = Task { await backend.application.runTasks { _, _ in } }
    try await wait { blocker.begun == count }
    for _ in 0..<count { blocker.release() }
    await tasks.value
    #expect(blocker.ended == count && backend.scheduler.pendingCount == 0)
  }

  @Test("runs only while the application is served, and not in a check or a replay")
  func served() async throws {
    let runs = Mutex(0)
    let tasks = Tasks(operations: [{ runs.withLock { $0 += 1 } }])
    let journal = MemoryJournal()
    let backend = try FeatureTests.backend {
      $0.journal = journal
    } features: {
      tasks
    }
    backend.application.close()
    try JournalCheck.run(MemoryJournal(journal.content)) { tasks }
    try ReplayOptions.parse([]).replay(MemoryJournal(journal.content)) { tasks }
    #expect(runs.withLock { $0 } == 0)
    await backend.application.runTasks { _, _ in }
    #expect(runs.withLock { $0 } == 1)
  }
}
