public import Snapshots

/// A kind of view model: its state, what can happen to it, and how it is laid out in rows.
///
/// A screen holds no state itself. `reduce` and `assemble` are pure; the `Interactor` owns the
/// state of one key, calls them one at a time and runs the effects.
public protocol Screen: Sendable {
  /// What the screen loads, each on its own.
  associatedtype Source: Hashable, Sendable
  associatedtype State: Equatable, Sendable
  associatedtype Action: Sendable

  var descriptor: ScreenDescriptor { get }

  /// Whether the key names something that can be shown.
  func presence(of key: String) -> KeyPresence

  /// The state before anything has happened.
  func initialState(for key: String) -> State

  /// The actions a command stands for; each becomes one reducer step, in this order.
  ///
  /// - Throws: `CommandRefusal` for a command the screen does not have, or a bad argument.
  func actions(for command: Command) throws(CommandRefusal) -> [Action]

  /// Takes the state one step further and says what must be done outside.
  func reduce(_ state: inout State, _ action: Action) -> [Effect<Source>]

  /// Lays the state out; rows made for equal elements before are taken from `rows`.
  ///
  /// - Throws: `SnapshotError` where two sections or two rows have one id.
  func assemble(_ state: State, rows: inout RowCache) throws(SnapshotError) -> Snapshot

  /// What a revision that the action makes is put down to.
  func cause(of action: Action) -> RevisionCause

  /// Starts a load. The result goes into the inbox as an action that carries the token.
  func startLoad(
    _ source: Source, _ token: LoadToken, for key: String, into inbox: Inbox<Action>
  ) -> any Cancellable

  /// The action for a load that the interactor ended, such as one that took too long.
  func action(forFailed source: Source, _ token: LoadToken, _ failure: LoadFailure) -> Action

  /// Has every later write to what the key names put into the inbox, in the order of the writes,
  /// and its removal.
  ///
  /// - Returns: `nil` where the key is not present.
  func subscribe(to key: String, inbox: Inbox<Action>) -> (any Cancellable)?
}
