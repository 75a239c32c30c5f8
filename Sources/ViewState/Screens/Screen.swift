public import CanonicalJSON
public import Snapshots

/// A kind of view model: its state, what can happen to it, and how it is laid out in rows.
///
/// A screen holds no state itself. `plan`, `reduce` and `assemble` are pure; the `Interactor` owns
/// the state of one key, calls them one at a time and runs the effects.
///
/// There are three ways to get at data, which may be mixed:
/// - What is loaded, and may fail, is a `LoadingChild` with a `LoadState` in the screen's state.
/// - What is in memory and shown by several screens is a `SharedStore`: give its owner in
///   `owner(of:)`, take the initial state from its value, subscribe to the part that is shown, and
///   answer commands with `.write`.
/// - What only this screen knows is its state; commands are answered with `.steps`.
public protocol Screen: Sendable {
  /// The work that the screen has done outside, such as the loads of its sources; `Never` where
  /// there is none. What an effect starts is named by its source and a token, is limited in time,
  /// and ends with the screen.
  associatedtype Source: Hashable, Sendable
  associatedtype State: Equatable, Sendable
  associatedtype Action: Sendable

  var descriptor: ScreenDescriptor { get }

  /// How the state of each part moves, found out by running the reducer: see
  /// `StateMachine(name:exploring:…)`.
  var stateMachines: [StateMachine] { get }

  /// The owner of the screen of a key: its store's, where it shows a `SharedStore`. Without more
  /// said, each has its own.
  func owner(of key: Text) -> SerialOwner

  /// The state before anything has happened.
  ///
  /// - Throws: `ScreenLookupError` where the key names nothing that can be shown.
  func initialState(for key: Text) throws(ScreenLookupError) -> State

  /// Has every later write to what the key names put into the inbox, in the order of the writes,
  /// and its removal. Without more said, there is nothing to hear of.
  ///
  /// - Returns: `nil` where `state` is no longer the initial one; it is asked for again then.
  func subscribe(
    to key: Text, showing state: State, inbox: Inbox<Action>
  ) -> (any Cancellable)?

  /// What a command stands for in the state that it meets; nothing can come between the two.
  ///
  /// That the command is one of the descriptor's, that it has the required arguments and no others
  /// has been checked before.
  ///
  /// - Throws: `CommandRefusal` for a bad argument, an unknown id, and what this state does not
  ///   allow. A command that has nothing to do is not refused: its steps change nothing.
  func plan(_ command: Command, in state: State) throws(CommandRefusal) -> CommandPlan<Action>

  /// Takes the state one step further and says what must be done outside.
  func reduce(_ state: inout State, _ action: Action) -> [Effect<Source>]

  /// Lays the state out; rows made for equal elements before are taken from `rows`.
  ///
  /// - Throws: `SnapshotError` where two sections or two rows have one id.
  func assemble(_ state: State, rows: inout RowCache) throws(SnapshotError) -> Snapshot

  /// What a revision that the action makes is put down to.
  func cause(of action: Action) -> RevisionCause

  /// Starts some work. The result goes into the inbox as an action that carries the token.
  func start(
    _ source: Source, _ token: LoadToken, for key: Text, into inbox: Inbox<Action>
  ) -> any Cancellable

  /// The action for work that the interactor ended, such as one that took too long.
  func action(forFailed source: Source, _ token: LoadToken, _ failure: LoadFailure) -> Action
}

extension Screen {
  public func owner(of key: Text) -> SerialOwner { SerialOwner() }

  public func subscribe(
    to key: Text, showing state: State, inbox: Inbox<Action>
  ) -> (any Cancellable)? {
    NoSubscription()
  }
}

/// A screen without work outside has nothing to say about it.
extension Screen where Source == Never {
  public func start(
    _ source: Never, _ token: LoadToken, for key: Text, into inbox: Inbox<Action>
  ) -> any Cancellable {}

  public func action(
    forFailed source: Never, _ token: LoadToken, _ failure: LoadFailure
  ) -> Action {}
}

private struct NoSubscription: Cancellable {
  func cancel() {}
}
