import CanonicalJSON
import TestSupport
import Testing

@testable import ViewState

/// A session is forgotten after the same time if its server is started anew meanwhile.
extension SessionTests {
  @Test("is forgotten although its server is started anew each day")
  func restarts() async throws {
    let journal = MemoryJournal()
    var epochs: Set<RevisionEpoch> = []
    for day in 0...3 {
      let scheduler = ManualScheduler()
      let start = JournalWorld.start + .seconds(day * 86_400)
      var environment = ScreenEnvironment(scheduler: scheduler, now: { start + scheduler.now })
      environment.sessionLifetime = .seconds(86_400)
      let engine = try Engine(
        environment: environment, seed: Engine.randomSeed(), journal: journal, program: nil,
        CheckpointSchedule(interval: 5))
      let (_, registry) = Self.world(engine)
      try engine.start()
      if day == 0 {
        let session = try registry.instance(screen: "desk", key: Self.ada)
        try await InstanceKeepingTests.add(to: session)
        epochs.insert(session.epoch)
      }
      #expect(epochs.allSatisfy(registry.contains) == (day < 3), "on day \(day)")
      // A start goes on from a checkpoint of some hours before, with fewer looks.
      for _ in 1...23 {
        scheduler.advance(by: .seconds(3_600))
        try await Self.add("b", in: registry)
        try journal.write(engine.checkpoint())
      }
    }
  }

  @Test(
    "is kept for a day after it was last in use, although its server is started anew meanwhile",
    arguments: [128, 1])
  func usedBeforeStart(historyCount: Int) async throws {
    var environment = environment
    environment.logLimits = RevisionLogLimits(count: historyCount)
    let journal = MemoryJournal()
    func pass(hours: Int, _ engine: Engine) async {
      for _ in 1...hours * 60 {
        scheduler.advance(by: .seconds(60))
        // What upkeep posts comes after it.
        await engine.settle()
      }
    }
    let epoch: RevisionEpoch
    do {
      let (engine, _, registry) = try Self.start(environment, journal)
      try await Self.add(Self.ada, in: registry)
      await pass(hours: 25, engine)
      epoch = try registry.instance(screen: "desk", key: Self.ada).current.token.epoch
      await pass(hours: 1, engine)
      try journal.write(engine.checkpoint())
      journal.trim(to: engine.position)
    }
    let (engine, _, registry) = try Self.start(environment, journal)
    await pass(hours: 23, engine)
    #expect(registry.contains(epoch), "after a day")
    await pass(hours: 24, engine)
    #expect(!registry.contains(epoch), "after two days")
  }
}
