import CanonicalJSON
import Snapshots
import ViewState

/// A screen with a state of its own beside what it shows of a store: a count, whose first addition starts
/// work for an hour.
struct NotedScreen: Screen {
  struct State: Codable, Equatable {
    var number: Int
    var count = 0
    var work = LoadState<Bool>()
  }

  static let name: Text = "noted"
  static let keyName = "name"
  static let summary = "A number and a count."

  let store: Store<Counters>

  static let row = RowType("number", of: State.self) {
    Field("n", \.count)
    Field("total") { $0.number + $0.count }
    Field("isDone") { $0.work.loadable.value == true }
  }

  var commands: [AnyCommand<State>] {
    Command<State>("add", "Adds one.").writing {
      (state: inout State, transaction: inout Transaction) in
      state.count += 1
      if transaction.key == "a", state.count == 1 { state.work.load() }
    }
  }

  var parts: [any ScreenPart<State>] {
    [
      Loading(
        "work", \.work,
        from: Source(reading: store) { _, _ in true }
      ) { _, _ in [Row]() }
    ]
  }

  var opening: Text? { nil }

  var rowTypes: [RowTypeDescriptor] { Self.row }

  func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> State {
    guard let number = stores[store].numbers[key] else { throw .unknownKey }
    return State(number: number)
  }

  func follow(
    _ stores: Stores, on state: inout State, for key: Text
  ) throws(ScreenLookupError) {
    state.number = try initialState(for: key, in: stores).number
  }

  func body(_ state: State) -> [ListSection] {
    ListSection("s") { Self.row("r", state) }
  }
}
