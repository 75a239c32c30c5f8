import CanonicalJSON
import Snapshots
import Synchronization
import TestSupport
import Testing

@testable import ViewState

/// A personal screen: a number of a store, and a count of one's own. It cannot show the number 7.
private struct BoardScreen: Screen {
  struct State: Codable, Equatable {
    var number: Int
    var count = 0
  }

  struct Unlucky: Error {}

  static let name: Text = "board"
  static let summary = "A number and a count."
  static let isPersonal = true
  static let row = RowType("board", of: State.self) {
    Field("n", \.number)
    Field("count", \.count)
  }

  let store: Store<Counters>
  var showsAll = false
  let whileAssembling: @Sendable (Int) -> Void

  var commands: [AnyCommand<State>] {
    Command("add", "Adds one.") { (state: inout State) in state.count += 1 }
  }
  var shownStores: [ShownStore] { [showsAll ? .whole(of: store) : .element(of: store)] }
  var rowTypes: [RowTypeDescriptor] { Self.row }

  func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> State {
    guard let number = stores[store].numbers[key] else { throw .unknownKey }
    return State(number: number)
  }

  func follow(_ stores: Stores, on state: inout State, for key: Text) throws(ScreenLookupError) {
    state.number = try initialState(for: key, in: stores).number
  }

  func body(_ state: State) throws -> [ListSection] {
    whileAssembling(state.number)
    if state.number == 7 { throw Unlucky() }
    return [ListSection("s") { Self.row("r", state) }]
  }
}

/// What a write costs that all sessions of an element show.
@Suite("A write that many sessions show")
struct ManySessionsTests {
  private struct World {
    let scheduler = ManualScheduler()
    let laidOut = Noted<Int>()
    let engine: Engine
    let store: Store<Counters>
    let registry: ScreenRegistry

    init(
      age: Duration = .seconds(600), showsAll: Bool = false,
      whileAssembling: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
      engine = Engine(
        environment: ScreenEnvironment(
          scheduler: scheduler, logLimits: RevisionLogLimits(count: 1, age: age),
          now: { JournalWorld.start }),
        seed: [1])
      store = Store("numbers", Counters(["a": 1, "b": 1]), in: engine)
      registry = ScreenRegistry(
        engine,
        of: BoardScreen(store: store, showsAll: showsAll) { [laidOut] number in
          laidOut.add(number)
          whileAssembling(number)
        })
    }

    func instance(_ number: Int, of element: Text = "a") throws -> Instance {
      try registry.instance(screen: "board", key: ManySessionsTests.key(number, of: element))
    }

    func add(_ number: Int, of element: Text = "a") async throws -> CommandOutcome {
      let add = try SentCommand(JSONReader(["type": "add"]))
      return try await registry.send(
        add, to: "board", ManySessionsTests.key(number, of: element))
    }

    /// Gives sessions a state of their own, lets them come to rest, and returns their revisions.
    func rest(_ numbers: Range<Int>) async throws -> [RevisionToken] {
      var tokens: [RevisionToken] = []
      for number in numbers { tokens.append(try await add(number).revision) }
      scheduler.advance(by: .seconds(10_000))
      _ = laidOut.take()
      return tokens
    }
  }

  private static func key(_ number: Int, of element: Text) -> Text {
    "\(element)@xxxxxxxxxxxxxxxxxxxxx\(1_000 + number)"
  }

  @Test("lays out none of those at rest, however often it comes, and the last for its reader once")
  func atRest() async throws {
    let world = World()
    let tokens = try await world.rest(0..<100)
    for number in 2...5 { _ = try await world.store.write(["a": number]) }
    #expect(world.laidOut.take().isEmpty)
    let instances = try (0..<100).map { try world.instance($0) }
    #expect(instances.allSatisfy { StoreTests.number($0) == 5 && StoreTests.number($0) == 5 })
    #expect(world.laidOut.take() == Array(repeating: 5, count: 100))
    for (instance, token) in zip(instances, tokens) {
      #expect(instance.current.token.epoch == token.epoch && instance.current.token.number == 104)
      // A client may have read it before.
      let before = try instance.revision(token).snapshot
      #expect(before.sections[0].rows[0].fields["n"] == 1)
      #expect(instance.revisionCount == 2 && (1..<10_000).contains(instance.historyByteCount))
    }
  }

  @Test("is not applied by a thread that serves connections, until the sessions are few again")
  func pace() throws {
    let world = World()
    var instances = try (0..<ScreenHost.fewSessions).map { try world.instance($0) }
    #expect(world.engine.isQuick)
    instances.append(try world.instance(ScreenHost.fewSessions))
    #expect(!world.engine.isQuick)
    instances = []
    world.scheduler.advance(by: .seconds(10_000))
    #expect(world.engine.isQuick)
  }

  @Test("lays out one for all that have no state of their own, and each of the others")
  func alike() async throws {
    let world = World()
    let instances = try (0..<20).map { try world.instance($0) }
    for number in 0..<3 { _ = try await world.add(number) }
    let before = instances.map(\.current)
    _ = world.laidOut.take()
    try await world.store.write(["a": 2])
    // Twice, because a debug build applies each input twice.
    #expect(world.laidOut.take() == Array(repeating: 2, count: 2 * (1 + 3)))
    for (number, (instance, before)) in zip(instances, before).enumerated() {
      let row = instance.current.snapshot.sections[0].rows[0]
      #expect(row.fields == ["n": 2, "count": number < 3 ? 1 : 0])
      #expect(instance.current.difference(from: before).rows.operationCount == 1)
    }
    #expect(Set(instances.map(\.current.token)).count == 20)
    // Each goes on from what it shows.
    _ = try await world.add(19)
    try await world.store.write(["a": 3])
    #expect(instances.map { StoreTests.number($0) } == Array(repeating: 3, count: 20))
    #expect(instances[19].current.snapshot.sections[0].rows[0].fields["count"] == 1)
  }

  @Test("is laid out for the first session that begins after it, and each has its own history")
  func beginning() async throws {
    let world = World()
    for number in 2...3 {
      try await world.store.write(["a": number])
      _ = try world.instance(40 * number)
      _ = world.laidOut.take()
      let instances = try (1..<20).map { try world.instance(40 * number + $0) }
      #expect(world.laidOut.take().isEmpty)
      #expect(instances.allSatisfy { StoreTests.number($0) == .integer(number) })
      #expect(Set(instances.map(\.current.token)).count == 19)
      // One with a state of its own is not taken for the others.
      _ = try await world.add(40 * number + 19)
      let next = try world.instance(40 * number + 20)
      #expect(StoreTests.number(next) == .integer(number))
      #expect(next.current.snapshot.sections[0].rows[0].fields["count"] == 0)
      #expect(instances[18].current.snapshot.sections[0].rows[0].fields["count"] == 1)
      #expect(instances[17].current.snapshot.sections[0].rows[0].fields["count"] == 0)
    }
  }

  @Test("is laid out once for sessions that begin with an input, and is the first revision of each")
  func beginningWithInputs() async throws {
    let world = World()
    let common = try world.registry.instance(screen: "board", key: "a")
    let add = try SentCommand(JSONReader(["type": "add"]))
    _ = try await common.send(add, expecting: nil)
    for number in 2...3 {
      try await world.store.write(["a": number])
      #expect(StoreTests.number(common) == .integer(number))
      for session in 0..<20 {
        let key = 40 * number + session
        _ = world.laidOut.take()
        let token = try await world.add(key).revision
        // The state after the input, twice, because a debug build applies each input twice. It checks one in eight, too.
        let count = token.number.isMultiple(of: 8) ? 4 : 2
        #expect(session == 0 || world.laidOut.take() == Array(repeating: number, count: count))
        let instance = try world.instance(key)
        let (first, last) = (instance.publication.withLock { $0.log.first }, instance.current)
        #expect(first.snapshot.sections[0].rows[0].fields == ["n": .integer(number), "count": 0])
        #expect(last.snapshot.sections[0].rows[0].fields == ["n": .integer(number), "count": 1])
        #expect(first.token.epoch == instance.initialEpoch && first.cause == .start)
      }
    }
    #expect(common.current.snapshot.sections[0].rows[0].fields == ["n": 3, "count": 1])
  }

  @Test("shows all sessions the same, though a reader makes an earlier revision of one meanwhile")
  func reader() async throws {
    // What is read while the last revision of the first session is made, and then that of the second one.
    let read = Mutex<[Revision?]>([])
    let world = World(whileAssembling: { number in
      guard number == 3 else { return }
      _ = read.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.snapshot
    })
    let instances = try (0..<2).map { try world.instance($0) }
    try await world.store.write(["a": 2])
    let earlier = instances[0].head
    try await world.store.write(["a": 3])
    // Readers have taken both, and not made them yet.
    for instance in instances { _ = instance.current }
    read.withLock { $0 = [nil, earlier] }
    #expect(Set(world.laidOut.take()) == [1])
    try await world.store.write(["a": 4])
    #expect(world.laidOut.take().starts(with: [3, 4, 3, 2]))
    #expect(instances.map { StoreTests.number($0) } == [4, 4])
  }

  @Test("leaves the revision at rest in the history, which its first reader makes")
  func history() async throws {
    let world = World()
    let tokens = try await world.rest(0..<2)
    try await world.store.write(["a": 2])
    #expect(world.laidOut.take().isEmpty)
    let before = try world.instance(1).revision(tokens[1])
    #expect(before.snapshot.sections[0].rows[0].fields == ["n": 1, "count": 1])
    #expect(before.cause == .command("add"))
    #expect(StoreTests.number(try world.instance(1)) == 2)
    #expect(Set(world.laidOut.take()) == [1, 2])
  }

  @Test("lays out none of those that were read before, and leaves what was read in the history")
  func inMemory() async throws {
    let world = World()
    let instances = try (0..<40).map { try world.instance($0) }
    for number in 0..<40 { _ = try await world.add(number) }
    let read = instances.map(\.current)
    _ = world.laidOut.take()
    for number in 0..<200 { _ = try await world.store.write(["a": number % 5 + 1]) }
    #expect(world.laidOut.take().isEmpty)
    for (instance, read) in zip(instances, read) {
      #expect(StoreTests.number(instance) == 5 && instance.current.token.number == 240)
      #expect(try instance.revision(read.token) === read && instance.revisionCount < 70)
      // A client may have one of the last ones from another server.
      for (number, isKept) in [(100, false), (170, false), (180, true), (239, true)] {
        let between = RevisionToken(epoch: instance.epoch, number: number)
        #expect(((try? instance.revision(between)) != nil) == isKept)
      }
      #expect(instance.current.difference(from: read).rows.operationCount == 1)
    }
  }

  @Test("leaves out no revision of those that it changes if they are few, however many may show it")
  func few() async throws {
    let world = World(showsAll: true)
    let others = try (0..<40).map { try world.instance($0, of: "b") }
    for number in 0..<40 { _ = try await world.add(number, of: "b") }
    _ = try await world.add(0)
    let instance = try world.instance(0)
    for number in 0..<200 { _ = try await world.store.write(["a": number % 5 + 2]) }
    for number in 42...241 {
      #expect(throws: Never.self) {
        try instance.revision(RevisionToken(epoch: instance.epoch, number: number))
      }
    }
    #expect(others.allSatisfy { $0.current.token.number <= 40 })
  }

  @Test("is compared by servers without laying any out, and is the same for them whoever reads")
  func digest() async throws {
    var digests: [Text] = []
    for isRead in [false, true] {
      let world = World()
      world.engine.beginBlocks()
      _ = try await world.rest(0..<33)
      for number in 34...BlockDigest.length {
        try await world.store.write(["a": number % 5 + 1])
        if isRead { _ = try world.instance(number % 33).current.snapshot }
      }
      #expect(world.laidOut.take().isEmpty != isRead)
      let block = try #require(world.engine.takeBlock())
      digests.append(block.digest(shownBy: world.engine.contents.hosts))
    }
    #expect(digests[0] == digests[1])
  }

  @Test("gives all the same revisions and failures, whether they were read or at rest")
  func law() async throws {
    try await withSeeds(6) { generator in
      // One world never rests, and is read all the time.
      let worlds = [World(age: .seconds(1_000_000)), World()]
      for _ in 0..<40 {
        let (kind, session) = (generator.number(in: 0...9), generator.number(in: 0...39))
        let number = generator.number(in: 5...9)
        var outcomes: [String] = []
        for world in worlds {
          switch kind {
          case 0...4: _ = try await world.store.write(["a": number])
          case 5:
            do { outcomes.append("\(try await world.add(session))") } catch {
              outcomes.append("\(error)")
            }
          case 6: for session in 0..<40 { _ = try? await world.add(session) }
          case 7: world.scheduler.advance(by: .seconds(700))
          default: break
          }
        }
        try require(outcomes.first == outcomes.last, "other outcomes: \(outcomes)")
        for session in 0..<40 {
          let one = try worlds[0].instance(session)
          let digest = one.current.snapshot.digest
          guard generator.chance(0.05) else { continue }
          let other = try worlds[1].instance(session)
          try require(one.failure == other.failure, "another failure")
          try require(
            one.failure != nil || one.current.token == other.current.token, "another token")
          try require(
            one.failure != nil || digest == other.current.snapshot.digest, "other rows")
        }
        let byteCounts = worlds.map(\.engine.statistics.stateByteCount)
        try require(byteCounts[0] == byteCounts[1], "other states: \(byteCounts)")
      }
    }
  }
}
