import CanonicalJSON
import Snapshots
import ViewState

/// The smallest screen on a shared store: one row with the number of its key.
struct CounterScreen: Screen {
  typealias Source = Never
  typealias Store = SharedStore<[Text: Int]>

  struct TooHigh: Error, Equatable {}

  enum Action: Sendable {
    case changed(Int)
  }

  let store: Store
  /// Called with the number each time that rows are made of it.
  var whileAssembling: @Sendable (Int) -> Void = { _ in }
  var opening: Text?

  var descriptor: ScreenDescriptor {
    let by: [Text: JSONValue] = ["by": ["type": "integer"]]
    return ScreenDescriptor(
      name: "counter", keyName: "name", summary: "A number.",
      commands: [
        CommandDescriptor(type: "add", summary: "Adds.", arguments: by, required: ["by"])
      ], sources: [], opening: opening)
  }

  var stateMachines: [StateMachine] { [] }

  func owner(of key: Text) -> SerialOwner { store.owner }

  func initialState(for key: Text) throws(ScreenLookupError) -> Int {
    guard let number = store.value[key] else { throw .unknownKey }
    return number
  }

  func subscribe(
    to key: Text, showing state: Int, inbox: Inbox<Action>
  ) -> (any Cancellable)? {
    store.subscribe(showing: state, { $0[key] }, into: inbox) { .changed($0) }
  }

  func plan(_ command: Command, in state: Int) throws(CommandRefusal) -> CommandPlan<Action> {
    let by = try command.read { body throws(JSONShapeError) in try body.member("by").integer() }
    if state + by > 9 { throw command.refusal(of: "by", "the number would be too high") }
    return .write(
      store.write { numbers throws(CommandRefusal) in numbers = numbers.mapValues { $0 + by } })
  }

  func reduce(_ state: inout Int, _ action: Action) -> [Effect<Never>] {
    switch action {
    case .changed(let number): state = number
    }
    return []
  }

  func cause(of action: Action) -> RevisionCause { .storeWrite(source: "numbers") }

  func assemble(_ state: Int, rows: inout RowCache) throws(SnapshotError) -> Snapshot {
    whileAssembling(state)
    return try Snapshot(reusing: rows.snapshot) {
      Section(id: "s", rows: [Row(id: "r", type: "number", fields: ["n": .integer(state)])])
    }
  }
}
