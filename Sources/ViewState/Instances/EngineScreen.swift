import CanonicalJSON
import Snapshots

/// A ``Screen`` as the engine runs it, without the type of its state.
///
/// ``DeclaredScreen`` knows the type. All else of the engine is compiled once, for the states of all screens.
protocol EngineScreen: AnyObject, Sendable {
  var descriptor: ScreenDescriptor { get }
  /// The parts of stores that an instance shows.
  ///
  /// Each write that changes one of them changes the state: by `follow` if the instance has a state of its own,
  /// otherwise by a new `initialState`.
  var shownStores: [ShownStore] { get }
  /// The tables of how each part of the state moves.
  var stateMachines: [StateMachine] { get }

  /// The state before any input.
  ///
  /// - Throws: `ScreenLookupError` if the key names nothing that can be shown.
  func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> AnyState
  /// Checks a state that no input has made.
  ///
  /// - Throws: `ScreenMistake` if work runs in it, because only inputs start work; in a debug build, also if an initial
  ///   state depends on a store that the screen does not show.
  func checkInitial(_ state: AnyState) throws(ScreenMistake)
  /// Checks that a command is one of the screen, has all required arguments, and no others.
  ///
  /// - Throws: `Refusal` with a pointer to the wrong member.
  func check(_ command: SentCommand) throws(Refusal)
  /// Runs a command that was checked.
  ///
  /// - Parameter isInitial: Whether no input has made the state, so that none of its work was started.
  /// - Returns: The effects, which are run after the input is published, and the incident to log if the state does not
  ///   allow the action of the command.
  /// - Throws: `Refusal` for a bad argument, an unknown id, and what this state does not allow; nothing has
  ///   changed then. A command that has nothing to do changes nothing and is not refused.
  func run(
    _ command: SentCommand, on state: inout AnyState, isInitial: Bool,
    in transaction: inout Transaction
  ) throws(Refusal) -> (effects: [Effect], incident: ScreenIncident.Kind?)
  /// Takes over what a write changed in the parts of stores that the instance shows.
  ///
  /// - Throws: `ScreenLookupError` if the key names nothing any more; the instance ends then.
  func follow(
    _ stores: Stores, on state: inout AnyState, for key: Text
  ) throws(ScreenLookupError) -> [Effect]
  /// Whether the state has a part of a name.
  func hasPart(_ name: Text) -> Bool
  /// Decides how work goes, at the moment at which it is asked for: by the fault script of its part, if there is
  /// one.
  func start(_ work: PartWork, for key: Text, in transaction: inout Transaction) -> Work
  /// Decides how work goes without the fault script of its part.
  func unscripted(_ work: PartWork, for key: Text, in stores: Stores) -> Work
  /// Takes over the end of work; see ``ScreenPart/end(_:_:bringing:failing:on:for:in:)``.
  func end(
    _ work: PartWork, _ token: LoadToken, bringing result: JSONValue?,
    failing failure: inout LoadFailure?, on state: inout AnyState, for key: Text,
    in transaction: inout Transaction
  ) -> (effects: [Effect], incident: ScreenIncident.Kind?)
  /// Returns the incident for a failure of work.
  func incident(_ failure: LoadFailure, of work: PartWork) -> ScreenIncident.Kind
  /// Takes over a value that was loaded again by the clock.
  func refresh(
    _ work: PartWork, with value: JSONValue, on state: inout AnyState, for key: Text
  ) -> [Effect]
  /// The work that the clock starts again in this state.
  func refreshes(in state: AnyState) -> [(work: PartWork, interval: Duration)]
  /// Lays the state out. Rows made for equal elements before are taken from `rows`, which has those of this state then.
  ///
  /// - Throws: `SnapshotError` if two sections or two rows have one id, and what else keeps the state from
  ///   being shown. Its readers get ``ScreenLookupError/failed`` then, until another input gives a state that
  ///   can be shown.
  func assemble(_ state: AnyState, rows: inout RowCache) throws -> Snapshot
  /// The work that runs in a state.
  func running(in state: AnyState) -> [(work: PartWork, token: LoadToken)]
  /// Records a state.
  ///
  /// - Throws: An error if the state cannot be encoded.
  func record(_ state: AnyState) throws -> RecordedState
  /// Returns the state with which a view model goes on: the recorded one, and `true`; or, if another version of the
  /// program recorded it, the migrated one, and `false`; `nil` if it starts over, because it has no migration.
  ///
  /// - Parameter isOther: Whether another program has recorded it. That may read the stores in another way.
  /// - Throws: `ScreenLookupError` if the key names nothing that can be shown; another error if the state cannot be
  ///   read or migrated.
  func state(
    _ recorded: RecordedState, byOther isOther: Bool, for key: Text, in stores: Stores
  ) throws -> (state: AnyState, isSame: Bool)?
  #if DEBUG
    /// Records a state, and checks that it is the same when it is read again, and is shown by the same rows.
    ///
    /// - Returns: The record as canonical JSON.
    /// - Throws: An error if the state cannot be encoded, or if it or its rows are others when it is read again.
    func checkedRecord(
      of state: AnyState, showing snapshot: Snapshot, for key: Text, in stores: Stores
    ) throws -> [UInt8]
  #endif
}

extension EngineScreen {
  /// Returns what an instance shows that no input has changed; `nil` if there is no such instance, or if it fails.
  func initialSnapshot(for key: Text, in stores: Stores, rows: inout RowCache) -> Snapshot? {
    guard let state = try? initialState(for: key, in: stores), (try? checkInitial(state)) != nil
    else { return nil }
    return try? assemble(state, rows: &rows)
  }
}

/// A state of any screen.
///
/// A copy costs O(1): it is a reference, so that what holds a state is copied without its type, too.
struct AnyState: Equatable, Sendable {
  private let box: any StateBox

  init(_ value: some Equatable & Sendable) {
    box = Box(value: value)
  }

  /// The state with its type.
  ///
  /// - Precondition: It is a state of the screen that asks. A state never leaves the instances and rests of one
  ///   host, which has one screen, so no input leads to another one.
  func value<State: Equatable & Sendable>(as type: State.Type) -> State {
    guard let box = box as? Box<State> else {
      preconditionFailure("the state is of another screen")
    }
    return box.value
  }

  /// Returns whether both are the same value in memory.
  func isIdentical(to other: AnyState) -> Bool { box === other.box }

  static func == (first: AnyState, second: AnyState) -> Bool { first.box.isEqual(to: second.box) }
}

private protocol StateBox: AnyObject, Sendable {
  func isEqual(to other: any StateBox) -> Bool
}

private final class Box<State: Equatable & Sendable>: StateBox {
  let value: State

  init(value: State) { self.value = value }

  func isEqual(to other: any StateBox) -> Bool {
    guard let other = other as? Box else { return false }
    return value == other.value
  }
}
