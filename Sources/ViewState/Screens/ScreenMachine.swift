package import CanonicalJSON
package import Snapshots

/// A kind of view model: its state, what can happen to it, and how it is laid out in rows.
///
/// A screen holds no state itself: all its functions are pure, and the ``Engine`` calls them one input at
/// a time. There are three ways to get at data, which may be mixed:
///
/// - What only the screen knows is its state, which its commands change.
/// - What several screens show is in a ``Store``: name the part in `shownPart`, take it over in
///   `initialState` and `follow`, and write it in `run`.
/// - What is loaded, and may fail, is a source, whose work the screen starts and ends.
///
/// ```swift
/// struct Light: ScreenMachine {
///   static let toggle = CommandDescriptor(type: "toggle", summary: "Turns the light on or off.")
///   let descriptor = ScreenDescriptor(
///     name: "light", keyName: "room", summary: "A light.", commands: [toggle], sources: [])
///
///   func initialState(for key: Text, in stores: Stores) -> Bool { false }
///
///   func run(
///     _ command: SentCommand, on state: inout Bool, for key: Text, in transaction: inout Transaction
///   ) -> [Effect<Never>] {
///     state.toggle()
///     return []
///   }
///
///   func assemble(_ state: Bool, rows: inout RowCache) throws(SnapshotError) -> Snapshot {
///     try Snapshot(reusing: rows.snapshot) {
///       Section(id: "light") { Row(id: "light", type: "light", fields: ["isOn": .bool(state)]) }
///     }
///   }
/// }
/// ```
package protocol ScreenMachine: Sendable {
  /// The work that the screen does outside, such as the loads of its sources; `Never` if there is none.
  /// The description of a source is its name in causes and records.
  associatedtype Source: Codable, Hashable, Sendable = Never
  associatedtype State: Codable, Equatable, Sendable

  /// The name of the screen, its commands and its sources.
  var descriptor: ScreenDescriptor { get }

  /// The tables of how each part of the state moves, found by running the code: see
  /// `StateMachine(name:exploring:…)`.
  var stateMachines: [StateMachine] { get }

  /// The part of a store that an instance shows; `nil`, unless defined, for none.
  ///
  /// Each write that changes the part moves the instance: one that an input has changed by `follow`,
  /// another by a new `initialState`.
  var shownPart: StorePart? { get }

  /// The state before any input.
  ///
  /// - Throws: `ScreenLookupError` if the key names nothing that can be shown.
  func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> State

  /// Runs a command.
  ///
  /// The engine has checked that the command is one of the descriptor's, has the required arguments and
  /// no others.
  ///
  /// - Returns: The effects, which are run after the input is published.
  /// - Throws: `Refusal` for a bad argument, an unknown id, and what this state does not allow;
  ///   nothing has changed then. A command that has nothing to do changes nothing and is not refused.
  func run(
    _ command: SentCommand, on state: inout State, for key: Text, in transaction: inout Transaction
  ) throws(Refusal) -> [Effect<Source>]

  /// Takes over what a write changed in the part of the store that the instance shows.
  ///
  /// - Throws: `ScreenLookupError` if the key names nothing any more; the instance ends then.
  func follow(
    _ stores: Stores, on state: inout State, for key: Text
  ) throws(ScreenLookupError) -> [Effect<Source>]

  /// Decides how the work of a source goes, at the moment at which it is asked for.
  func start(_ source: Source, for key: Text, in transaction: inout Transaction) -> Work

  /// Takes over the end of the work of a source.
  ///
  /// - Parameters:
  ///   - result: What came from outside; `nil` if the value is read from a store now.
  ///   - failure: Why the work failed; `nil` if it did not. Set it if the value is missing or cannot be
  ///     used.
  func end(
    _ source: Source, _ token: LoadToken, bringing result: JSONValue?,
    failing failure: inout LoadFailure?, on state: inout State, for key: Text,
    in transaction: inout Transaction
  ) -> [Effect<Source>]

  /// Takes over a value that was loaded again by the clock.
  func refresh(_ source: Source, with value: JSONValue, on state: inout State, for key: Text)

  /// The sources that are loaded again by the clock in this state.
  func refreshes(in state: State) -> [(work: Source, interval: Duration)]

  /// Lays the state out; rows made for equal elements before are taken from `rows`.
  ///
  /// - Throws: `SnapshotError` if two sections or two rows have one id, and whatever else keeps the screen
  ///   from being shown. Its readers get ``ScreenLookupError/failed`` then, until another input gives a
  ///   state that can be shown.
  func assemble(_ state: State, rows: inout RowCache) throws -> Snapshot
}

extension ScreenMachine {
  package var stateMachines: [StateMachine] { [] }

  package var shownPart: StorePart? { nil }

  package func refresh(
    _ source: Source, with value: JSONValue, on state: inout State, for key: Text
  ) {}

  package func refreshes(in state: State) -> [(work: Source, interval: Duration)] { [] }

  package func follow(
    _ stores: Stores, on state: inout State, for key: Text
  ) throws(ScreenLookupError) -> [Effect<Source>] {
    state = try initialState(for: key, in: stores)
    return []
  }
}

/// A screen without sources has no work.
extension ScreenMachine where Source == Never {
  package func start(_ source: Never, for key: Text, in transaction: inout Transaction) -> Work {}

  package func end(
    _ source: Never, _ token: LoadToken, bringing result: JSONValue?,
    failing failure: inout LoadFailure?, on state: inout State, for key: Text,
    in transaction: inout Transaction
  ) -> [Effect<Never>] {}
}

/// How the work of a source goes.
public enum Work: Sendable {
  /// It ends well after a time.
  case succeeding(after: Duration)
  /// It fails after a time.
  case failing(LoadFailure, after: Duration)
  /// It never ends; the time-out of the engine ends it.
  case hanging
  /// It is a call outside of the engine, whose result comes back as an input.
  case running(OutsideLoad)
}
