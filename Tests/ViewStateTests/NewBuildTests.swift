import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@testable import ViewState

private struct NotCalled: Error {}

/// The names of a store in whose numbers a build of a program is interested, and a value from outside.
private struct Chart<Value: Codable & Equatable & Sendable>: Screen {
  struct State: ScreenState {
    var names = LoadState<[Text]>()
    var degrees = LoadState<Value>()
    var asked = Lookups<Text, Value>()
  }

  static var name: Text { "chart" }
  static var summary: String { "Numbers." }
  static var entry: RowType<Text> { RowType(text: "entry", "An entry.") }

  let store: Store<Counters>
  /// The name of the part that loads the degrees.
  let degrees: Text
  let isShown: @Sendable (Int) -> Bool
  let isKey: @Sendable (Text) -> Bool

  var commands: [AnyCommand<State>] {
    Command("ask", "Asks.", .text("query", 1...80)) { (state: inout State, query) in
      state.asked.ask(query)
    }
  }
  var parts: [any ScreenPart<State>] {
    let isShown = isShown
    let names = Source(reading: store) { counters, _ in
      counters.numbers.filter { isShown($0.value) }.keys.sorted()
    }
    return [
      Loading("names", \.names, from: names) { names, _ in
        ForEach(names ?? [], as: Self.entry) { "name/\($0)" }
      },
      Loading(degrees, \.degrees, from: Source { _ in throw NotCalled() }) { degrees, _ in
        if let degrees { Self.entry("degrees", "\(degrees)") }
      },
      LookingUp("asked", \.asked) { _, _ in throw NotCalled() },
    ]
  }
  var rowTypes: [RowTypeDescriptor] { Self.entry }

  func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> State {
    guard isKey(key) else { throw .unknownKey }
    return State()
  }
}

/// A screen without a store, some of whose keys a build no longer knows.
private struct KeyedTally: Screen {
  static let name: Text = "tally"
  static let summary = "A tally."

  let isKey: @Sendable (Text) -> Bool

  var commands: [AnyCommand<Int>] { TallyScreen().commands }
  var rowTypes: [RowTypeDescriptor] { TallyScreen().rowTypes }

  func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> Int {
    guard isKey(key) else { throw .unknownKey }
    return 0
  }

  func body(_ state: Int) -> [ListSection] { TallyScreen().body(state) }
}

/// The same store in a build whose writes have another form.
private struct Totals: StoreValue {
  var numbers: [Text: Int] = [:]

  mutating func apply(_ write: [Int], at time: Timestamp) throws(StoreError) -> Written<Void> {
    Written(unchanged: ())
  }
}

private struct BookShelf: Resource {
  let id: ResourceID
  var name: Text = ""

  init(id: ResourceID) { self.id = id }

  static let fields = [Field("name", \BookShelf.name)]
}

/// A book of a shelf, on which the lightest one comes first, or the heaviest.
private struct RankedBook<Order: BookOrder>: ChildResource {
  typealias Parent = BookShelf
  static var nouns: (parent: Text, child: Text) { ("shelf", "book") }
  static var arrays: (parents: Text, children: Text) { ("shelves", "books") }
  static var fields: [Field<RankedBook>] { [Field("weight", \RankedBook.weight)] }

  let id: ResourceID
  var weight = 0

  init(id: ResourceID) { self.id = id }

  static func precedes(_ left: Created<RankedBook>, _ right: Created<RankedBook>) -> Bool {
    Order.sign * left.resource.weight < Order.sign * right.resource.weight
  }
}

private protocol BookOrder: Sendable { static var sign: Int { get } }
private enum Ascending: BookOrder { static let sign = 1 }
private enum Descending: BookOrder { static let sign = -1 }

@Suite("A new build of a program")
struct NewBuildTests {
  private struct World<Value: Codable & Equatable & Sendable> {
    let scheduler = ManualScheduler()
    let incidents = Noted<JournalIncident>()
    let engine: Engine
    let registry: ScreenRegistry

    init(
      _ program: Text, on journal: MemoryJournal, value: Value.Type, degrees: Text = "degrees",
      isShown: @escaping @Sendable (Int) -> Bool = { _ in true },
      isKey: @escaping @Sendable (Text) -> Bool = { _ in true }
    ) throws {
      let environment = ScreenEnvironment(scheduler: scheduler, recordJournal: incidents.add)
      engine = try Engine(environment: environment, journal: journal, program: program)
      engine.holdCalls()
      let store = Store("numbers", Counters(["a": 1, "b": 2]), in: engine)
      registry = ScreenRegistry(
        engine,
        of: Chart<Value>(store: store, degrees: degrees, isShown: isShown, isKey: isKey),
        KeyedTally(isKey: isKey))
      try engine.start()
    }

    func send(_ command: JSONValue, to screen: Text = "chart", _ key: Text = "home") async throws {
      _ = try await registry.send(SentCommand(JSONReader(command)), to: screen, key)
      scheduler.advance(by: .seconds(1))
      await engine.settle()
    }

    func answer(_ part: Text, _ value: JSONValue) async {
      #expect(engine.answer(part, .success(value)))
      await engine.settle()
    }

    func snapshot(_ screen: Text = "chart", _ key: Text = "home") throws -> Snapshot {
      try registry.instance(screen: screen, key: key).current.snapshot
    }

    var rows: [Text] { get throws { try snapshot().sections.flatMap(\.rows).map(\.id) } }
  }

  @Test("shows a store in its own way at once, after an orderly end and after a crash")
  func reading() async throws {
    let journal = MemoryJournal()
    let first = try World("1", on: journal, value: Int.self) { $0 > 1 }
    try await first.send(["type": "appear"])
    #expect(try first.rows == ["name/b"])
    let crashed = MemoryJournal(journal.content)
    first.engine.closeJournal()
    for journal in [journal, crashed] {
      let second = try World("2", on: journal, value: Int.self)
      #expect(try second.rows == ["name/a", "name/b"])
    }
  }

  @Test("loads again what it cannot read of the loads that ended after the last checkpoint")
  func values() async throws {
    let journal = MemoryJournal()
    let first = try World("1", on: journal, value: Int.self)
    try await first.send(["type": "appear"])
    try await first.send(["type": "ask", "query": "oslo"])
    await first.answer("degrees", 7)
    await first.answer("asked", 8)
    #expect(try first.snapshot().states["degrees"] == "loaded")
    let content = journal.content
    let same = try World("1", on: MemoryJournal(content), value: Int.self)
    #expect(same.engine.heldCalls.isEmpty)

    let second = try World("2", on: MemoryJournal(content), value: [Int].self)
    #expect(second.engine.heldCalls.map(\.part) == ["asked", "degrees"])
    #expect(
      try second.snapshot().states == [
        "names": "loaded", "degrees": "isLoading", "asked": "isLoading",
      ])
    await second.answer("degrees", [7])
    await second.answer("asked", [8])
    #expect(try second.snapshot().states["degrees"] == "loaded")
    #expect(try second.snapshot().states["asked"] == "loaded")
  }

  @Test("loads again what a part of another name had loaded after the checkpoint, and says so")
  func renamed() async throws {
    let journal = MemoryJournal()
    let first = try World("1", on: journal, value: Int.self)
    try await first.send(["type": "appear"])
    await first.answer("degrees", 7)
    let second = try World("2", on: journal, value: Int.self, degrees: "celsius")
    #expect(second.engine.heldCalls.map(\.part) == ["celsius"])
    let warning = """
      the last server of another build has not recorded its state at its end, so this build applies its last 3 inputs \
      by its own rules, and refuses 1: those that the other build had accepted are lost; the first is at position 3, \
      load chart/home: the screen has no part named “degrees”; if that has another name now, its work is done again
      """
    #expect(second.incidents.all == [.warning(warning)])
  }

  @Test("drops the states of keys that it does not know, and its log says how many")
  func keys() async throws {
    let journal = MemoryJournal()
    let first = try World("1", on: journal, value: Int.self)
    for key: Text in ["home", "t-home"] {
      try await first.send(["type": "appear"], to: "chart", key)
      try await first.send(["type": "add"], to: "tally", key)
    }
    first.engine.closeJournal()
    let second = try World(
      "2", on: journal, value: Int.self, isKey: { $0.string.hasPrefix("t-") })
    for screen: Text in ["chart", "tally"] {
      #expect(throws: ScreenLookupError.unknownKey) { try second.snapshot(screen, "home") }
      #expect(try second.snapshot(screen, "t-home").rowCount > 0)
    }
    let warnings = ["chart", "tally"].map {
      JournalIncident.warning(
        "1 state of \($0) dropped, because the screen knows no such key")
    }
    #expect(second.incidents.all == warnings)
  }

  @Test("says what to do if it cannot read an input after the last checkpoint")
  func unreadable() async throws {
    let journal = MemoryJournal()
    let environment = ScreenEnvironment(scheduler: ManualScheduler())
    let first = try Engine(environment: environment, journal: journal, program: "1")
    let numbers = Store("numbers", Counters([:]), in: first)
    try first.start()
    _ = try await numbers.write(["a": 1])
    let second = try Engine(environment: environment, journal: journal, program: "2")
    _ = Store("numbers", Totals(), in: second)
    let error = #expect(throws: JournalError.self) { try second.start() }
    let advice = ": start the build before once more, and end it with SIGTERM"
    #expect(error?.description.hasPrefix("entry 1: ") == true)
    #expect(error?.description.hasSuffix(advice) == true)
  }

  @Test("gives the lists of a store its own order, and puts a new resource into its place")
  func order() async throws {
    let journal = MemoryJournal()
    let (first, books) = try store(of: Ascending.self, "1", on: journal)
    try await books.createParent(["id": 1, "name": "A"])
    for weight in [2, 3, 1] { try await books.createChild(["weight": .integer(weight)], of: 1) }
    first.closeJournal()
    #expect(try weights(store(of: Ascending.self, "1", on: journal).books) == [1, 2, 3])

    let (second, others) = try store(of: Descending.self, "2", on: journal)
    #expect(weights(others) == [3, 2, 1])
    for weight in [0, 9, 2] { try await others.createChild(["weight": .integer(weight)], of: 1) }
    #expect(weights(others) == [9, 3, 2, 2, 1, 0])
    second.closeJournal()
    #expect(try weights(store(of: Descending.self, "2", on: journal).books) == weights(others))
  }

  private func store<Order: BookOrder>(
    of order: Order.Type, _ program: Text, on journal: MemoryJournal
  ) throws -> (engine: Engine, books: Store<NestedCollection<RankedBook<Order>>>) {
    let environment = ScreenEnvironment(scheduler: ManualScheduler())
    let engine = try Engine(environment: environment, journal: journal, program: program)
    let books = Store(NestedCollection<RankedBook<Order>>(), in: engine)
    try engine.start()
    return (engine, books)
  }

  private func weights<Order: BookOrder>(_ books: Store<NestedCollection<RankedBook<Order>>>)
    -> [Int]
  {
    (books.value.children(of: 1) ?? []).map(\.weight)
  }
}
