import CanonicalJSON
import Foundation
import Snapshots
import TestSupport
import Testing

@testable import ViewState

@Suite("The threads outside of the engine")
struct OutsideThreadsTests {
  @Test(
    "run as many calls that block as there are threads, and a further one when a thread is free",
    .timeLimit(.minutes(5)))
  func bound() async throws {
    let (threads, blocker) = (OutsideThreads(count: 3), Blocker())
    let calls = (1...5).map { _ in
      Task(executorPreference: threads) { blocker.block() }
    }
    for ended in 0..<3 {
      try await wait { blocker.begun == 3 + ended || blocker.ended > ended }
      for _ in 1...100 { await Task.yield() }
      #expect(blocker.begun == min(3 + ended, 5) && blocker.ended == ended)
      blocker.release()
    }
    for _ in 1...2 { blocker.release() }
    for call in calls { await call.value }
    #expect(blocker.ended == 5)
  }

  @Test("run the calls of a source for many keys, each of which blocks its thread")
  func sources() async throws {
    let blocker = Blocker()
    let registry = ScreenRegistry(
      Engine(environment: ScreenEnvironment(scheduler: ManualScheduler())),
      of: WeatherScreen(
        source: Source { _ in
          blocker.block()
          return 7
        }))
    // More than Swift's own pool has threads.
    let count = min(40, ProcessInfo.processInfo.activeProcessorCount + 4)
    let instances = try (1...count).map { try registry.instance(screen: "weather", key: "\($0)") }
    for instance in instances {
      _ = try await instance.send(SentCommand(JSONReader(["type": "appear"])), expecting: nil)
    }
    try await wait { blocker.begun == count }
    #expect(blocker.ended == 0)
    for _ in instances { blocker.release() }
    for instance in instances {
      try await wait { instance.current.snapshot.states == ["degrees": "loaded"] }
    }
  }
}
