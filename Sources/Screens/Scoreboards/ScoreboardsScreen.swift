import OrderedCollections
public import Snapshots
public import ViewState

/// The list of all scoreboards.
public struct ScoreboardsScreen: Screen {
  public typealias Source = Never

  /// The boards as the store has them.
  public struct State: Equatable, Sendable {
    var data: ScoreboardData
  }

  /// What can happen: the store has changed.
  public enum Action: Sendable {
    case changed(State)
  }

  /// The one key there is.
  public static let key = "all"

  let store: ScoreboardStore

  /// - Parameter store: where the boards come from, and where commands write.
  public init(store: ScoreboardStore) {
    self.store = store
  }

  public var descriptor: ScreenDescriptor {
    ScreenDescriptor(
      name: "scoreboards", keyName: "list",
      summary: "All scoreboards, each with its leader. The one key is \"\(Self.key)\".",
      commands: ScoreboardsCommand.allCases.map(\.descriptor), sources: [])
  }

  public var stateMachines: [StateMachine] { [.scoreboards] }

  public func owner(of key: String) -> SerialOwner { store.owner }

  public func initialState(for key: String) throws(ScreenLookupError) -> State {
    guard key == Self.key else { throw .unknownKey }
    return State(data: store.value)
  }

  public func subscribe(
    to key: String, showing state: State, inbox: Inbox<Action>
  ) -> (any Cancellable)? {
    store.subscribe(showing: state, { State(data: $0) }, into: inbox) { .changed($0) }
  }

  public func plan(
    _ command: Command, in state: State
  ) throws(CommandRefusal) -> CommandPlan<Action> {
    .write(store.write(try command.scoreboardEdit(), for: command))
  }

  public func reduce(_ state: inout State, _ action: Action) -> [Effect<Never>] {
    switch action {
    case .changed(let new): state = new
    }
    return []
  }

  public func cause(of action: Action) -> RevisionCause {
    switch action {
    case .changed: .storeWrite(source: "scoreboards")
    }
  }

  public func assemble(
    _ state: State, rows: inout RowCache
  ) throws(SnapshotError) -> Snapshot {
    try Snapshot(reusing: rows.snapshot) {
      Section(id: "scoreboards") {
        rows.scoreboardsHeader()
        if state.data.boards.isEmpty { rows.scoreboardsEmpty() }
        for board in state.data.boards.values { rows.scoreboard(board) }
      }
    }
  }
}
