import CanonicalJSON
import Synchronization
import TestSupport
import Testing

@testable import ViewState

/// A session that is not in use is forgotten in the second day.
extension SessionTests {
  @Test(
    "is forgotten in the second day after it was last in use, and begins anew under another revision"
  )
  func forgotten() async throws {
    try await add(Self.ada, Self.bea)
    let before = try instance(Self.ada).current.token
    for _ in 1...60 {
      scheduler.advance(by: .seconds(3_600))
      if try fields(Self.bea) != [1, 1] { Issue.record("a session in use is forgotten") }
    }
    #expect(!registry.contains(before.epoch))
    let again = try instance(Self.ada)
    #expect(try fields(Self.ada) == [1, 0] && again.current.token != before)
    #expect(throws: ResetReason.historyExpired) { try again.revision(before) }
    #expect(scheduler.upkeepCount > 0)
    scheduler.advance(by: .seconds(300_000))
    #expect(scheduler.upkeepCount == 0, "nothing is left to forget")
    #expect(try fields(Self.bea) == [1, 0])
  }

  @Test("is not forgotten by a server that does not know its newest revision")
  func newerRevision() async throws {
    try await add(Self.ada)
    let session = try instance(Self.ada)
    let before = session.current.token
    try await add(Self.ada)
    engine.post(Forget(host: session.host, key: Self.ada, token: before))
    await engine.settle()
    #expect(try !session.isEnded && fields(Self.ada) == [1, 2])
    engine.post(Forget(host: session.host, key: Self.ada, token: session.current.token))
    await engine.settle()
    #expect(try session.isEnded && fields(Self.ada) == [1, 0])
  }

  @Test("that is forgotten does not come to rest, although it was about to")
  func restsAtEnd() async throws {
    try await add(Self.ada)
    let session = try instance(Self.ada)
    engine.post(Forget(host: session.host, key: Self.ada, token: session.current.token))
    await engine.settle()
    // The first call finds it read.
    for _ in 1...2 { session.rest(at: scheduler.now, isEarly: true) }
    #expect(try engine.moment.rests["desk"]?[Self.ada] == nil && fields(Self.ada) == [1, 0])
  }

  @Test("that is forgotten notifies those who have found it just before, and wait for its element")
  func foundAtEnd() async throws {
    try await add(Self.ada)
    let session = try instance(Self.ada)
    let notices = Noted<Text>()
    session.host.awaited.withLock {
      for element: Text in ["a", "b"] {
        _ = $0.add(ClosureWatcher { notices.add(element) }, of: element)
      }
    }
    engine.post(Forget(host: session.host, key: Self.ada, token: session.current.token))
    await engine.settle()
    #expect(notices.all == ["a"])
  }

  @Test("is not forgotten while a client reads it that has made it again from its rest")
  func readFromRest() async throws {
    let registry = world(historyCount: 1).registry
    try await Self.add(Self.ada, in: registry)
    scheduler.advance(by: .seconds(1_000))
    let instance = try registry.instance(screen: "desk", key: Self.ada)
    #expect(!instance.isTouched)
    for _ in 1...60 {
      scheduler.advance(by: .seconds(3_600))
      #expect(instance.current.snapshot.sections[0].rows[0].fields["count"] == 1)
    }
    #expect(!instance.isEnded && registry.contains(instance.epoch))
  }

  @Test("has no revision again that it had before it was forgotten, whatever writes have named it")
  func formerNames() async throws {
    var names: [RevisionToken] = []
    func note() throws {
      let current = try instance(Self.ada).current.token
      if names.last != current { names.append(current) }
    }
    func check(_ place: String) throws {
      let again = try instance(Self.ada)
      for name in names {
        #expect(throws: ResetReason.historyExpired, "\(name) \(place)") {
          try registry.revision(named: Text(name.description), of: again)
        }
        #expect(again.watch(after: name, ClosureWatcher()) == nil, "\(name) \(place)")
      }
    }
    for round in 1...2 {
      try await add(Self.ada)
      try note()
      // The last one changes nothing that clients see.
      for number in [2, 60, 70] {
        try await store.write(["a": number + round])
        try note()
      }
      let epoch = try #require(names.last).epoch
      scheduler.advance(by: .seconds(300_000))
      #expect(!registry.contains(epoch))
      try check("after the session is forgotten")
      try await store.write(["a": 80 + round])
      try check("after a write that clients do not see")
      try await store.write(["a": 3])
      try check("after a write")
      let before = try instance(Self.ada).current
      try await add(Self.ada)
      try check("after a command")
      let current = try instance(Self.ada).current
      #expect(try fields(Self.ada) == [3, 1])
      #expect(try instance(Self.ada).revision(before.token).snapshot == before.snapshot)
      #expect(current.follows(before) && current.token != before.token)
      scheduler.advance(by: .seconds(300_000))
    }
  }

  @Test("is looked at with few others at a time after a start, and soon enough if there are many")
  func spreadLooks() async throws {
    for (count, lifetime, batch) in [(200, 86_400, 16), (1_000, 40, 216)] {
      let journal = MemoryJournal()
      var environment = environment
      environment.sessionLifetime = .seconds(lifetime)
      do {
        let (engine, _, registry) = try Self.start(environment, journal)
        for number in 1_000..<1_000 + count {
          let key = Text("a@xxxxxxxxxxxxxxxxxxxxx\(number)")
          try await Self.add(key, in: registry)
        }
        try journal.write(engine.checkpoint())
        journal.trim(to: engine.position)
      }
      let (engine, _, registry) = try Self.start(environment, journal)
      func lookCount() throws -> Int {
        try #require(engine.moment.rests["desk"]).values.reduce(0) { $0 + ($1.unusedCount ?? 0) }
      }
      scheduler.advance(by: .seconds(lifetime) / 4)
      #expect(try lookCount() == batch)
      scheduler.advance(by: .seconds(1))
      #expect(try lookCount() == 2 * batch)
      scheduler.advance(by: .seconds(min(20, lifetime / 8)))
      #expect(try lookCount() == count)
      withExtendedLifetime(registry) {}
    }
  }

  @Test(
    "is looked at once in a while, however often it has come to rest, and is kept from its last change on"
  )
  func resting() async throws {
    for number in 1...50 {
      try await add(Self.ada)
      scheduler.advance(by: .seconds(1_800))
      #expect(registry.keeper.sessionCount == 1, "after \(number) changes")
    }
    // It was changed for 25 hours.
    scheduler.advance(by: .seconds(80_000))
    #expect(try fields(Self.ada) == [1, 50])
    scheduler.advance(by: .seconds(300_000))
    #expect(try fields(Self.ada) == [1, 0])
  }

  @Test(
    "is kept for a day after its last reader or command, and not for two, whenever that was, also if it was at rest",
    arguments: [128, 1], [false, true])
  func usedOnce(historyCount: Int, byCommand: Bool) async throws {
    let registry = world(historyCount: historyCount).registry
    // Without a reader.
    func add() async throws -> RevisionToken {
      let command = try SentCommand(JSONReader(["type": "add"]))
      return try await registry.send(command, to: "desk", Self.ada).revision
    }
    for hour in 1...24 {
      let epoch = try await add().epoch
      scheduler.advance(by: .seconds(hour * 3_600))
      let again =
        byCommand
        ? try await add() : try registry.instance(screen: "desk", key: Self.ada).current.token
      #expect(again.epoch == epoch)
      scheduler.advance(by: .seconds(86_400))
      #expect(registry.contains(epoch), "after \(hour) hours")
      scheduler.advance(by: .seconds(86_400))
      #expect(!registry.contains(epoch), "after \(hour) hours")
    }
  }

  @Test(
    "is forgotten in the second day after it was last in use, although writes change what it shows at rest"
  )
  func writtenTo() async throws {
    let (store, registry) = world(historyCount: 1)
    try await Self.add(Self.ada, in: registry)
    let epoch = try registry.instance(screen: "desk", key: Self.ada).epoch
    for number in 1...8 {
      scheduler.advance(by: .seconds(21_600))
      if number == 4 { #expect(registry.contains(epoch), "after a day") }
      try await store.write(["a": number + 1])
    }
    #expect(!registry.contains(epoch), "after two days")
  }

  @Test("is looked after from the first input on that gives it a state of its own")
  func unowned() async throws {
    for number in 1...9 {
      // Any client can name a session.
      _ = try instance("a@\(Text(String(repeating: "x", count: 21)))\(number)").current
    }
    try await store.write(["a": 2])
    #expect(registry.keeper.sessionCount == 0, "the store says all that they show")
    try await add("a@xxxxxxxxxxxxxxxxxxxxx7")
    #expect(registry.keeper.sessionCount == 1)
    scheduler.advance(by: .seconds(200_000))
    #expect(try fields("a@xxxxxxxxxxxxxxxxxxxxx7") == [2, 0])
  }

  @Test("leaves nothing to look at when its element is deleted, and is looked at when it is back")
  func deleted() async throws {
    try await add(Self.bea, "b@cccccccccccccccccccccc")
    for _ in 1...9 {
      try await add(Self.ada, Self.bea)
      #expect(registry.keeper.sessionCount == 3)
      try await store.write(["a": nil])
      #expect(registry.keeper.sessionCount == 1, "any client may do so again and again")
      try await store.write(["a": 1])
    }
    try await add(Self.ada)
    for _ in 1...9 {
      scheduler.advance(by: .seconds(30_000))
      _ = try fields(Self.ada)
      #expect(registry.keeper.sessionCount <= 2)
    }
    #expect(try fields(Self.ada) == [1, 1])
    scheduler.advance(by: .seconds(300_000))
    #expect(registry.keeper.sessionCount == 0 && scheduler.upkeepCount == 0)
  }

  @Test("comes to rest minutes after its history, long before it is looked at")
  func restsBeforeLook() async throws {
    let registry = world(historyCount: 1).registry
    try await Self.add(Self.ada, in: registry)
    #expect(registry.keeper.kept.count == 1)
    scheduler.advance(by: .seconds(900))
    #expect(registry.keeper.kept.count == 0 && registry.keeper.sessionCount == 1)
  }

  @Test("is forgotten although there were writes to its element that it does not show")
  func unseenWrites() async throws {
    try await store.write(["a": 60])
    try await add(Self.ada)
    scheduler.advance(by: .seconds(3_600))
    try await store.write(["a": 70])
    scheduler.advance(by: .seconds(200_000))
    #expect(try fields(Self.ada) == [50, 0])
    scheduler.advance(by: .seconds(200_000))
    #expect(scheduler.upkeepCount == 0)
  }

  @Test("has the looks that found it unused in a checkpoint, also while it has a history")
  func keptCount() async throws {
    let before = try instance(Self.ada).current.token
    try await add(Self.ada)
    #expect(registry.contains(before.epoch))
    scheduler.advance(by: .seconds(86_400))
    #expect(registry.keeper.kept.count == 1)
    let rest = try #require(engine.moment.rests["desk"]?[Self.ada])
    #expect((2...4).contains(rest.unusedCount ?? 0))
  }

  @Test("is forgotten by an input, which other engines take over")
  func replayed() async throws {
    let journal = MemoryJournal()
    let (engine, _, registry) = try Self.start(environment, journal)
    for key in [Self.ada, Self.bea] { try await Self.add(key, in: registry) }
    for _ in 1...17 {
      scheduler.advance(by: .seconds(10_000))
      // What upkeep posts comes after it.
      for _ in 1...2 { await engine.settle() }
    }
    try await Self.add(Self.bea, in: registry)
    let other = try Engine(
      environment: ScreenEnvironment(scheduler: ManualScheduler()), journal: journal)
    let (_, others) = Self.world(other)
    _ = try other.beginReplay()
    try other.replay(until: .max) { _ in }
    for key in [Self.ada, Self.bea] {
      let seen = try [registry, others].map { try $0.instance(screen: "desk", key: key).current }
      #expect(seen[0].token == seen[1].token && seen[0].snapshot == seen[1].snapshot)
    }
    let kinds = journal.entries.map { try? JSONReader($0.input).member("kind").value }
    #expect(kinds.count { $0 == "forget" } == 2)
  }

  @Test("at rest, which is looked at hours later, keeps no other one in memory until then")
  func beside() async throws {
    let registry = world(historyCount: 1).registry
    _ = try await registry.instance(screen: "desk", key: Self.ada).send(type: "add")
    scheduler.advance(by: .seconds(3_000))
    #expect(registry.kept.count == 0)
    let seen = InstanceKeepingTests.Glimpse(try registry.instance(screen: "desk", key: Self.bea))
    scheduler.advance(by: .seconds(240))
    #expect(seen.instance == nil)
  }
}
