import CanonicalJSON
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import ViewState

/// What inputs make of a view model is laid out when somebody looks at it.
@Suite("A view model that nobody has read")
struct UnreadViewTests {
  /// An engine with a view model of a store, one of a whole store, and two with states of their own.
  struct World {
    let store: Store<Counters>
    let registry: ScreenRegistry
    let laidOut = Noted<Int>()
    let incidents = Noted<ScreenIncident>()
    let scheduler = ManualScheduler()
    let isAwaited: Bool

    static let names: [(screen: Text, key: Text)] = [
      ("counter", "a"), ("counter", "b"), ("sum", "all"), ("noted", "b"), ("tally", "x"),
    ]

    init(seed: [UInt8] = Engine.randomSeed(), isAwaited: Bool = false) {
      self.isAwaited = isAwaited
      let engine = Engine(
        environment: ScreenEnvironment(
          scheduler: scheduler,
          now: { [scheduler] in JournalWorld.start.advanced(by: scheduler.now) },
          record: incidents.add),
        seed: seed)
      store = Store("numbers", Counters(["a": 1, "b": 1]), in: engine)
      var registry = ScreenRegistry(engine)
      registry.register(
        CounterScreen(
          store: store, whileAssembling: laidOut.add, isTwice: { $0 == 7 }))
      registry.register(SumScreen(store: store), keys: [])
      registry.register(NotedScreen(store: store))
      registry.register(TallyScreen())
      self.registry = registry
    }

    func counter(_ key: Text = "a") throws -> Instance {
      try registry.instance(screen: "counter", key: key)
    }

    /// The numbers that were laid out since the last call.
    func takeNumbers() -> [Int] {
      // A debug build applies each input twice.
      laidOut.take().reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    func send(_ command: JSONValue, to screen: Text, _ key: Text) async throws -> CommandOutcome {
      try await registry.send(SentCommand(JSONReader(command)), to: screen, key)
    }
  }

  @Test("is laid out by its first reader, once; a change after a reader is laid out at once")
  func laziness() async throws {
    let world = World()
    let instance = try world.counter()
    for number in 2...5 { _ = try await world.store.write(["a": number]) }
    #expect(world.takeNumbers() == [1])
    #expect(StoreTests.number(instance) == 5 && StoreTests.number(instance) == 5)
    #expect(world.takeNumbers() == [5])
    try await world.store.write(["a": 6])
    #expect(world.takeNumbers() == [6])
    try await world.store.write(["a": 8])
    #expect(world.takeNumbers() == [])
  }

  @Test("is left to its first reader if one input changes many, even if all were read before")
  func manyAtOnce() async throws {
    for (count, isLaidOut) in [(32, true), (33, false)] {
      let world = World()
      let keys = (0..<count).map { "\($0)" as Text }
      try await world.store.write(Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) }))
      let instances = try keys.map { try world.counter($0) }
      for instance in instances { withExtendedLifetime(instance.current.snapshot) {} }
      _ = world.takeNumbers()
      try await world.store.write(Dictionary(uniqueKeysWithValues: keys.map { ($0, 2) }))
      #expect(world.takeNumbers() == (isLaidOut ? [2] : []), "\(count)")
      #expect(instances.allSatisfy { StoreTests.number($0) == 2 })
    }
  }

  @Test("is laid out at once for who waits for it")
  func waiting() async throws {
    let world = World()
    let instance = try world.counter()
    let woken = Mutex(0)
    try await world.store.write(["a": 2])
    let token = RevisionToken(epoch: instance.epoch, number: 1)
    let watch = instance.watch(after: token, ClosureWatcher { woken.withLock { $0 += 1 } })
    #expect(watch != nil && world.takeNumbers() == [1, 2])
    try await world.store.write(["a": 3])
    #expect(woken.withLock { $0 } == 1 && world.takeNumbers() == [3])
  }

  @Test("is the same for all who read it first at once, while it changes")
  func manyReaders() async throws {
    let world = World()
    let instance = try world.counter()
    for number in 0..<300 {
      async let written = world.store.write(["a": number % 6 + 1])
      let revisions = await withTaskGroup(of: Revision.self) { group in
        for _ in 0..<4 {
          group.addTask {
            let current = instance.current
            _ = current.snapshot.digest
            return current
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      _ = try await written
      for (one, other) in zip(revisions, revisions.dropFirst()) where one.token == other.token {
        #expect(one.snapshot.isIdentical(to: other.snapshot))
      }
      // Not read by a few writes, so that one reader may be the first.
      for _ in 0..<3 { _ = try await world.store.write(["a": number % 5 + 2]) }
      #expect(StoreTests.number(instance) == .integer(number % 5 + 2))
    }
  }

  @Test("is laid out while no input waits at the gate, although it changes during a joint reading")
  func gate() async throws {
    let engine = Engine.still()
    let store = Store("numbers", Counters(["a": 1, "b": 1]), in: engine)
    var registry = ScreenRegistry(engine)
    let isWritten = Mutex(false)
    registry.register(
      CounterScreen(
        store: store,
        whileAssembling: { number in
          let isFree = DispatchSemaphore(value: 0)
          DispatchQueue.global().async {
            _ = engine.stores
            isFree.signal()
          }
          if !isFree.waitPatiently() {
            Issue.record("an input must wait while \(number) is laid out")
          }
          let isFirst = isWritten.withLock { isWritten in
            defer { isWritten = isWritten || number == 2 }
            return number == 2 && !isWritten
          }
          guard isFirst else { return }
          // The view model of the second write is left to a reader.
          for next in [10, 11] { engine.post(WriteInput(store: store, write: ["a": next])) }
        }))
    let instances = try ["a", "b"].map { try registry.instance(screen: "counter", key: $0) }
    try await store.write(["b": 2])
    let readings = registry.reading(of: [("counter", "a"), ("counter", "b")])
    let rows = try readings.map { try $0.get().revision.snapshot.sections[0].rows[0] }
    #expect(rows.map { $0.fields["n"] } == [1, 2])
    #expect(isWritten.withLock { $0 } && instances.map(StoreTests.number) == [11, 2])
  }

  @Test("has all its revisions for clients that name them, with their causes")
  func between() async throws {
    let world = World()
    let instance = try world.counter()
    var tokens: [RevisionToken] = []
    for _ in 2...5 {
      tokens.append(try await world.send(["type": "add", "by": 1], to: "counter", "a").revision)
    }
    #expect(world.takeNumbers() == [1])
    #expect(StoreTests.number(instance) == 5 && instance.current.token == tokens.last)
    for (token, number) in zip(tokens, 2...5) {
      let revision = try instance.revision(token)
      #expect(revision.snapshot.sections[0].rows[0].fields["n"] == .integer(number))
      #expect(revision.cause == .command("add"))
      #expect(revision.arguments == .kept(Array(#"{"by":1}"#.utf8)))
    }
    #expect(instance.kept.map(\.token.number) == [0, 1, 2, 3, 4])
    #expect(try world.counter("b").current.cause != .command("add"))
  }

  @Test("and cannot be shown is an incident once it is read, and no part of the history")
  func failure() async throws {
    let world = World()
    let instance = try world.counter()
    try await world.store.write(["a": 7, "b": 7])
    world.scheduler.advance(by: .seconds(10))
    let failing = RevisionToken(epoch: instance.epoch, number: 1)
    #expect(world.incidents.all.isEmpty)
    #expect(instance.failure == .failed && instance.failure == .failed)
    #expect(world.incidents.all.map(\.screen) == ["counter/a"])
    // It has the time of the input, as if somebody had waited for the change.
    for failed in [instance, try world.counter("b")] {
      #expect(failed.incidents.map(\.time) == [JournalWorld.start])
    }
    #expect(instance.watch(after: failing, ClosureWatcher()) == nil)
    #expect(throws: ResetReason.historyExpired) { try instance.revision(failing) }
    // Who knows that it fails waits for the next change.
    let woken = Noted<Bool>()
    let watch = instance.watch(after: nil, ClosureWatcher { woken.add(true) })
    #expect(watch != nil && woken.all.isEmpty)
    try await world.store.write(["a": 8])
    #expect(woken.all == [true])
    #expect(instance.failure == nil && StoreTests.number(instance) == 8)
    #expect(instance.kept.map(\.token.number) == [0, 2])
    #expect(world.incidents.all.count == 2)
  }

  @Test("answers a command as one that is read, even if it cannot be shown")
  func outcomes() async throws {
    let seed = Engine.randomSeed()
    let (one, other) = (World(seed: seed), World(seed: seed))
    for number in [6, 8, 2] {
      for world in [one, other] { _ = try await world.store.write(["a": number, "b": 0]) }
      #expect(try one.counter().current.token.number > 0)
      // The first one shows 7, then 9, then 3.
      let outcomes = [
        try await one.send(["type": "add", "by": 1], to: "counter", "a"),
        try await other.send(["type": "add", "by": 1], to: "counter", "a"),
      ]
      #expect(outcomes[0] == outcomes[1] && outcomes[0].isAccepted)
      #expect(try one.counter().failure == other.counter().failure)
    }
  }

  @Test("is laid out once in a while, so that its size is known")
  func depth() async throws {
    let world = World()
    _ = try world.counter()
    for number in 0..<200 { _ = try await world.store.write(["a": number % 2 + 2]) }
    #expect((4...10).contains(world.takeNumbers().count))
  }

  @Test("takes as much of the memory of histories as its inputs have brought")
  func memory() async throws {
    let world = World()
    let instance = try world.counter()
    for number in 2...5 { _ = try await world.store.write(["a": number]) }
    let few = instance.historyByteCount
    var write: Counters.Write = ["a": 6]
    for number in 0..<1_000 { write["\(number) \(String(repeating: "x", count: 100))"] = 1 }
    try await world.store.write(write)
    #expect(instance.historyByteCount - few > 100_000)
  }

  @Test("has the history of one for which a client waits all the time")
  func law() async throws {
    try await withSeeds(30) { random in
      let seed = Engine.randomSeed()
      let (one, other) = (World(seed: seed, isAwaited: true), World(seed: seed))
      func read(_ world: World, _ chance: Double) {
        for name in World.names {
          let instance = try? world.registry.instance(screen: name.screen, key: name.key)
          guard let instance, random.chance(chance), instance.failure == nil else { continue }
          withExtendedLifetime(instance.current.snapshot) {}
          // In one world the next input lays it out, for a client that waits.
          if world.isAwaited { _ = instance.watch(after: instance.current.token, ClosureWatcher()) }
        }
      }
      let chance = random.pick([0, 0.02, 0.2, 0.9])
      for _ in 0..<random.number(in: 1...150) {
        var outcomes: [String] = []
        let (write, input) = (Self.write(&random), random.number(in: 0...5))
        let by = random.number(in: 0...3)
        let key = random.pick(["a", "b"] as [Text])
        for world in [one, other] {
          do {
            switch input {
            case 0...2: _ = try await world.store.write(write)
            case 3:
              let command: JSONValue = ["type": "add", "by": .integer(by)]
              outcomes.append("\(try await world.send(command, to: "counter", key))")
            case 4: outcomes.append("\(try await world.send(["type": "add"], to: "noted", "b"))")
            default: outcomes.append("\(try await world.send(["type": "add"], to: "tally", "x"))")
            }
          } catch {
            outcomes.append("\(error)")
          }
        }
        try require(outcomes.first == outcomes.last, "other outcomes: \(outcomes)")
        read(one, 1)
        read(other, chance)
        one.scheduler.advance(by: .seconds(1))
        other.scheduler.advance(by: .seconds(1))
      }
      for name in World.names {
        let found = [one, other].map {
          try? $0.registry.instance(screen: name.screen, key: name.key)
        }
        guard let all = found[0], let some = found[1] else {
          try require(found[0] == nil && found[1] == nil, "one has ended")
          continue
        }
        try require(all.failure == some.failure, "another failure of \(all.name)")
        try require(all.failure != nil || all.current.token == some.current.token, "other tokens")
        try require(
          all.kept.map(\.token) == some.kept.map(\.token),
          "others of \(all.name): \(all.kept.map(\.token.number)), \(some.kept.map(\.token.number))"
        )
        var paged: [Revision] = []
        while case let page = some.shown(before: paged.first, limit: 2), !page.isEmpty {
          paged = page + paged
        }
        try require(paged.map(\.token) == some.kept.map(\.token), "other pages of \(all.name)")
        let pairs = Array(zip(all.kept, some.kept))
        for ((first, second), before) in zip(pairs.dropFirst(), pairs) {
          try require(first.snapshot == second.snapshot, "other rows of \(first.token)")
          try require(
            first.cause == second.cause && first.arguments == second.arguments
              && first.date == second.date
              && first.diffSize(after: before.0) == second.diffSize(after: before.1),
            "another change to \(first.token) of \(all.name)")
          try require(
            first.difference(from: before.0) == second.difference(from: before.1),
            "another difference to \(first.token)")
        }
      }
    }
  }

  private static func write(_ random: inout SeededGenerator) -> Counters.Write {
    let number = random.number(in: 1...9)
    // Some leave the sum as it is, and some only one of the numbers.
    if random.chance(0.3) { return ["a": number, "b": 10 - number] }
    if random.chance(0.03) { return ["a": nil] }
    return [random.pick(["a", "b"]): number]
  }
}
