import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@testable import ViewState

/// A state of orders, in any version.
private protocol OrderState: ScreenState {
  var names: [Text] { get set }
  var orders: Lookups<Text, Int> { get set }
}

private struct FirstState: OrderState {
  var names: [Text] = []
  var orders = Lookups<Text, Int>()
}

private struct SecondState: OrderState {
  var names: [Text] = []
  var orders = Lookups<Text, Int>()
  var title: Text = "Orders"

  static let version = 2

  static func migrate(_ recorded: JSONReader, from version: Int) throws -> SecondState? {
    SecondState(
      names: try recorded.member("names").decode([Text].self),
      orders: try recorded.member("orders").decode(Lookups<Text, Int>.self))
  }
}

/// A state whose migration says that there is no view model.
private struct LostState: OrderState {
  var names: [Text] = []
  var orders = Lookups<Text, Int>()

  static let version = 2

  static func migrate(_ recorded: JSONReader, from version: Int) throws -> LostState? {
    throw ScreenLookupError.unknownKey
  }
}

/// A screen whose command adds a name, and a look-up counts it in a store.
private struct Orders<State: OrderState>: Screen {
  static var name: Text { "orders" }
  static var summary: String { "Orders." }

  let store: Store<Counters>

  var commands: [AnyCommand<State>] {
    Command("order", "Orders.", .text("name", 1...80)) { (state: inout State, name) in
      state.names.append(name)
      state.orders.ask(name)
    }
  }
  var parts: [any ScreenPart<State>] {
    [
      LookingUp("orders", \.orders) { [store] transaction, _, name in
        let count = (transaction[store].numbers[name] ?? 0) + 1
        try transaction.write([name: count], to: store)
        return count
      }
    ]
  }
  var rowTypes: [RowTypeDescriptor] { RowType(text: "order", "An order.") }

  func body(_ state: State) -> [ListSection] {
    ListSection("orders") {
      for name in state.names { RowType(text: "order", "An order.")(name, name) }
    }
  }
}

@Suite("The inputs after the last checkpoint of another program")
struct MigratedTailTests {
  private struct World<State: OrderState> {
    let scheduler = ManualScheduler()
    let engine: Engine
    let store: Store<Counters>
    let registry: ScreenRegistry

    init(_ state: State.Type, _ program: Text, on journal: MemoryJournal) throws {
      let environment = ScreenEnvironment(scheduler: scheduler)
      engine = try Engine(environment: environment, journal: journal, program: program)
      store = Store("numbers", Counters([:]), in: engine)
      registry = ScreenRegistry(engine, of: Orders<State>(store: store))
      try engine.start()
    }

    var current: Revision {
      get throws { try registry.instance(screen: "orders", key: "home").current }
    }
    var rows: [Text] { get throws { try current.snapshot.sections.flatMap(\.rows).map(\.id) } }

    /// Orders as a client does that knows the current revision, and waits for the end of the look-up.
    func order(_ name: Text) async throws {
      let command = try SentCommand(JSONReader(["type": "order", "name": .string(name)]))
      _ = try await registry.send(
        command, to: "orders", "home", expecting: [current.token])
      scheduler.advance(by: .seconds(1))
      await engine.settle()
    }
  }

  /// A journal with an order before its last checkpoint, and one after it.
  private func crashed() async throws -> MemoryJournal {
    let journal = MemoryJournal()
    let first = try World(FirstState.self, "1", on: journal)
    try await first.order("a")
    first.engine.closeJournal()
    let again = try World(FirstState.self, "1", on: journal)
    try await again.order("b")
    #expect(again.store.value.numbers == ["a": 1, "b": 1])
    return MemoryJournal(journal.content)
  }

  @Test("name a state that the program migrates, so none of them is lost")
  func migrated() async throws {
    let journal = try await crashed()
    let second = try World(SecondState.self, "2", on: journal)
    #expect(try second.rows == ["a", "b"])
    #expect(second.store.value.numbers == ["a": 1, "b": 1])
    second.scheduler.advance(by: .seconds(1))
    await second.engine.settle()
    #expect(second.store.value.numbers == ["a": 1, "b": 1])
    try await second.order("c")
    #expect(try second.rows == ["a", "b", "c"])
  }

  @Test("give their revisions again only if the program is the same")
  func tokens() async throws {
    let journal = try await crashed()
    let first = try World(FirstState.self, "1", on: MemoryJournal(journal.content))
    let second = try World(SecondState.self, "2", on: journal)
    #expect(try first.current.token.number == second.current.token.number)
    #expect(try first.current.token.epoch != second.current.token.epoch)
  }

  @Test("are not applied if a migration throws, whatever it throws: the program does not start")
  func lost() async throws {
    let journal = try await crashed()
    #expect(throws: JournalError.self) { try World(LostState.self, "2", on: journal) }
    #expect(try World(FirstState.self, "1", on: journal).rows == ["a", "b"])
  }
}
