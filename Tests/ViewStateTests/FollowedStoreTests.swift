import CanonicalJSON
import Snapshots
import TestSupport
import Testing
import ViewDeltaTesting
import ViewState

/// The numbers of a store that are not below the one that a user has chosen.
private struct Largest: Screen {
  struct State: Codable, Equatable, Sendable {
    var least = 0
    var shown: [Int] = []
  }

  static let name: Text = "largest"
  static let summary = "The largest numbers."
  static let isPersonal = true
  static let choose = Command<State, Int>("choose", "Shows larger numbers.", .integer("least"))
  static let prepare = Command("prepare", "Chooses for later.", .integer("least")) {
    (state: inout State, least) in
    state.least = least
  }
  static let write = Command<State, Int>("write", "Writes a number.", .integer("number"))
  static let number = RowType("number", of: Int.self) { Field("number", \.self) }

  let store: Store<Counters>

  var commands: [AnyCommand<State>] {
    Self.choose.writing { (state: inout State, transaction: inout Transaction, least) in
      state.least = least
      try follow(transaction.stores, on: &state, for: transaction.key)
    }
    Self.prepare
    Self.write.writing(to: store) { _, number in ["b": number] }
  }
  var rowTypes: [RowTypeDescriptor] { Self.number }
  var shownStores: [ShownStore] { [.whole(of: store)] }

  func initialState(for key: Text, in stores: Stores) throws -> State {
    var state = State()
    try follow(stores, on: &state, for: key)
    return state
  }

  func follow(_ stores: Stores, on state: inout State, for key: Text) throws {
    guard key == "all" else { throw ScreenLookupError.unknownKey }
    state.shown = stores[store].numbers.values.filter { $0 >= state.least }.sorted()
  }

  func body(_ state: State) -> [ListSection] {
    ListSection("numbers") { ForEach(state.shown, as: Self.number) { "number/\($0)" } }
  }
}

@Suite("A copy of a store in the state of a screen")
struct FollowedStoreTests {
  @Test("is kept up to date after each write, and after a command only if the command asks for it")
  func commands() async throws {
    let largest = try TestViewModel(key: "all") { engine in
      Largest(store: Store("counters", Counters(["a": 1, "b": 2]), in: engine))
    }
    func numbers() -> [JSONValue?] { largest.rows(in: "numbers").map(\.fields["number"]) }
    #expect(numbers() == [1, 2])
    try await largest.send(Largest.prepare, 2)
    #expect(numbers() == [1, 2])
    try await largest.send(Largest.write, 3)
    #expect(numbers() == [3])
    try await largest.send(Largest.choose, 1)
    #expect(numbers() == [1, 3])
  }
}
