import CanonicalJSON
import TestSupport
import Testing

@testable import ViewState

@Suite("The revisions from before a view model was made")
struct FormerRevisionsTests {
  private static let names: [(screen: Text, key: Text)] = [
    ("counter", "a"), ("counter", "b"), ("sum", "all"), ("sum", "never listed"),
    ("sum", "all@0123456789abcdefghijkl"),
  ]

  private static func write(_ random: inout SeededGenerator) -> Counters.Write {
    let number = random.number(in: 1...9)
    // Some leave the sum as it is, and some only one of the numbers.
    if random.chance(0.3) { return ["a": number, "b": 10 - number, "c": nil] }
    if random.chance(0.05) { return [random.pick(["a", "b"]): nil] }
    return [random.pick(["a", "b", "c"]): number]
  }

  /// Makes an instance of the counters that no reader finds.
  private static func instance(
    _ key: Text, of world: JournalWorld, _ stores: Stores
  ) throws -> Instance {
    let screen = DeclaredScreen(CounterScreen(store: world.store))
    let host = ScreenHost(
      screen, keys: [], engine: world.engine, keeper: InstanceKeeper(world.engine))
    return try Instance(
      of: host, InstanceKey(key, isPersonal: true), rest: nil, like: nil, stores: stores,
      forInput: false)
  }

  @Test("are those of one that was read all the time, on a server that starts with the journal")
  func history() async throws {
    try await withSeeds(12) { random in
      let first = try JournalWorld()
      let count = random.pick([1, 20, 127, 129, 200])
      let (restart, reading) = (
        random.number(in: 0...count), random.number(in: 0...count)
      )
      var second: JournalWorld?
      func read(_ world: JournalWorld) -> [Instance] {
        Self.names.compactMap { try? world.registry.instance(screen: $0.screen, key: $0.key) }
      }
      var held: [Instance] = []
      for step in 0...count {
        _ = read(first)
        if step == restart { second = try JournalWorld(MemoryJournal(first.journal.content)) }
        if step == max(restart, reading), let second { held = read(second) }
        if step == count { break }
        let write = Self.write(&random)
        try await first.store.write(write)
        if let second { _ = try await second.store.write(write) }
      }
      let made = read(try #require(second))
      try require(made.map(\.name) == read(first).map(\.name), "other view models")
      for (one, other) in zip(read(first), made) {
        let (all, some) = (one.kept, other.kept)
        let isSession = one.name.string.contains("@")
        try require(
          isSession || some.count >= min(all.count, 128), "\(some.count) of \(all.count) are kept")
        let rest = all.suffix(some.count)
        try require(some.map(\.token) == rest.map(\.token), "other tokens of \(one.name)")
        try require(some.map(\.snapshot) == rest.map(\.snapshot), "other rows of \(one.name)")
        let pairs = Array(zip(some, rest))
        for ((newer, older), before) in zip(pairs.dropFirst(), pairs) {
          try require(
            newer.cause == older.cause && newer.date == older.date
              && newer.diffSize(after: before.0) == older.diffSize(after: before.1)
              && newer.isShown(since: older.shownSince),
            "another change of \(one.name)")
        }
        // Also those further back.
        let last = other.current
        for revision in all {
          let again = try other.revision(revision.token)
          try require(again.snapshot == revision.snapshot, "\(revision.token) shows other rows")
          try require(
            again.isShown(as: last) || !revision.isShown(since: one.current.shownSince),
            "\(revision.token) of \(one.name) is shown no longer")
          try require(
            !again.isShown(as: last) || again.snapshot == last.snapshot,
            "\(revision.token) is not shown now")
          try require(
            last.difference(from: again) == one.current.difference(from: revision),
            "another difference from \(revision.token)")
        }
      }
      withExtendedLifetime(held) {}
    }
  }

  @Test("tell as before whether the change to a later one may be animated")
  func animation() throws {
    let world = try JournalWorld()
    var stores = world.engine.stores
    var past = PastStores(stores, at: 0, now: .zero, limits: RevisionLogLimits())
    let animated = [false, true, false, false, true, false]
    for (index, isAnimated) in animated.enumerated() {
      var transaction = Transaction(stores, at: index + 1, JournalWorld.start)
      try transaction.write(["a": index + 2], to: world.store)
      transaction.isAnimated = isAnimated
      past.add(transaction, bringing: 0, now: .zero)
      stores = transaction.stores
    }
    let made = try Self.instance("a", of: world, stores)
    let former = try #require(made.former)
    let head = made.head
    let revisions =
      try (0..<6).map { try #require(former.revision($0, like: head, in: past)) } + [head]
    for older in 0..<6 {
      for newer in (older + 1)...6 {
        let change = revisions[newer].difference(from: revisions[older])
        #expect(change.isAnimated == animated[older..<newer].contains(true), "\(older) to \(newer)")
      }
    }
  }

  /// A value whose writes say how much they make.
  private struct Bulk: StoreValue {
    var count = 0

    mutating func apply(_ byteCount: Int, at time: Timestamp) throws(StoreError) -> Written<Void> {
      count += 1
      return Written((), changing: ["a"], of: "bulk").making(byteCount).map { $0 }
    }
  }

  @Test("take no more memory than they may if each write makes much of a short input")
  func shortInputs() throws {
    let engine = Engine.still()
    let store = Store("bulk", Bulk(), in: engine)
    var stores = engine.stores
    let megabyte = 1024 * 1024
    let limits = RevisionLogLimits(byteCount: 20 * megabyte)
    var past = PastStores(stores, at: 0, now: .zero, limits: limits)
    for position in 1...50 {
      var transaction = Transaction(stores, at: position, JournalWorld.start)
      for _ in 0..<2 { try transaction.write(megabyte / 2, to: store) }
      past.add(transaction, bringing: 0, now: .zero)
      stores = transaction.stores
    }
    // The oldest ones cost nothing, and each of the others a little more than a megabyte.
    #expect(past.count == 20 && past.byteCount <= limits.byteCount)
  }

  @Test("older than those that a reader has brought back are made anew for each request")
  func older() async throws {
    let first = try JournalWorld()
    for number in 2...200 { _ = try await first.store.write(["a": 2 + number % 5]) }
    let second = try JournalWorld(MemoryJournal(first.journal.content))
    let instance = try second.registry.instance(screen: "counter", key: "a")
    func mustRecall(_ number: Int) -> Bool {
      instance.mustRecall(RevisionToken(epoch: instance.current.token.epoch, number: number))
    }
    #expect(mustRecall(1) && mustRecall(198))
    let oldest = try #require(instance.kept.first).token.number
    #expect(mustRecall(oldest - 1) && !mustRecall(oldest))
  }

  @Test("are none of those that its key had before it was deleted and created again")
  func otherLife() async throws {
    let world = try JournalWorld()
    for number in [3, nil, 5, 6] { _ = try await world.store.write(["a": number]) }
    let instance = try world.registry.instance(screen: "counter", key: "a")
    #expect(instance.kept.map { $0.snapshot.sections[0].rows[0].fields["n"] } == [5, 6])
  }

  @Test("do not come back once the key is deleted, so that nothing is kept of it")
  func deleted() async throws {
    let first = try JournalWorld()
    for number in 2...9 { _ = try await first.store.write(["a": number]) }
    let second = try JournalWorld(MemoryJournal(first.journal.content))
    let instance = try second.registry.instance(screen: "counter", key: "a")
    try await second.store.write(["a": nil])
    #expect(instance.kept.count == 1 && second.registry.kept.count == 0)
  }

  /// A value with writes that run a closure when they are encoded or measured.
  private struct Measured: StoreValue {
    struct Write: Codable {
      let look: @Sendable () -> Void

      init(look: @escaping @Sendable () -> Void) { self.look = look }

      init(from decoder: any Decoder) { look = {} }

      func encode(to encoder: any Encoder) throws {
        look()
        try "write".encode(to: encoder)
      }
    }

    var count = 0

    mutating func apply(_ write: Write, at time: Timestamp) throws(StoreError) -> Written<Void> {
      count += 1
      return Written((), changing: ["a"], of: "measured")
    }
  }

  @Test("can be made of the stores as soon as a reader sees the last input")
  func order() async throws {
    let environment = ScreenEnvironment(scheduler: ManualScheduler())
    let engine = try Engine(environment: environment, journal: MemoryJournal())
    let store = Store("measured", Measured(), in: engine)
    try engine.start()
    let counts = Noted<Int>()
    try await store.write(.init { counts.add(store.value.count) })
    // What the input brings is measured last when its stores are kept.
    #expect(!counts.all.isEmpty && counts.all.allSatisfy { $0 == 0 })
  }

  @Test("are shown still if clients have seen nothing of the changes after them")
  func unseen() async throws {
    let world = try JournalWorld()
    let names: [Text] = ["all", "all@0123456789abcdefghijkl"]
    let before = try names.map { try world.registry.instance(screen: "sum", key: $0).current }
    try await world.store.write(["a": 2, "b": 0])
    let again = try JournalWorld(world.journal)
    for (name, older) in zip(names, before) {
      let instance = try again.registry.instance(screen: "sum", key: name)
      #expect(instance.current.token.number == 1)
      #expect(try instance.revision(older.token).isShown(as: instance.current))
    }
  }

  @Test("count among all histories once a reader has made them")
  func memory() async throws {
    let first = try JournalWorld()
    for number in 2...9 { _ = try await first.store.write(["a": number]) }
    let second = try JournalWorld(MemoryJournal(first.journal.content))
    let instance = try second.registry.instance(screen: "counter", key: "a")
    #expect(second.registry.kept.byteCount == 0)
    #expect(instance.changeCount == 8 && second.registry.kept.byteCount > 0)
  }

  @Test("reach back as far as the stores are kept: by count, age and size")
  func limits() throws {
    let world = try JournalWorld()
    var limits = RevisionLogLimits(count: 3, age: .seconds(10), byteCount: 40_000)
    func past(_ writes: Int, of byteCount: Int, each time: Duration) throws -> PastStores {
      let stores = world.engine.stores
      var past = PastStores(stores, at: 0, now: .zero, limits: limits)
      for position in 1...writes {
        var transaction = Transaction(stores, at: position, JournalWorld.start)
        try transaction.write(["a": 2], to: world.store)
        past.add(transaction, bringing: byteCount, now: time * position)
        past.add(Transaction(stores, at: position, JournalWorld.start), bringing: 1, now: .zero)
      }
      #expect(past.byteCount <= limits.byteCount)
      return past
    }
    #expect(try past(9, of: 0, each: .seconds(1)).count == 10)
    #expect(try past(30, of: 0, each: .milliseconds(1)).count == 10)
    #expect(try past(30, of: 0, each: .seconds(3)).count == 4)
    #expect(try past(30, of: 0, each: .seconds(100)).count == 3)
    #expect(try past(30, of: 16_000, each: .seconds(1)).count == 2)
    #expect(try past(1, of: 50_000, each: .seconds(1)).count == 1)
    // A quarter of what all histories may take.
    limits = RevisionLogLimits(count: 3, age: .seconds(10), totalByteCount: 160_000)
    #expect(try past(30, of: 16_000, each: .seconds(1)).count == 2)
  }
}
