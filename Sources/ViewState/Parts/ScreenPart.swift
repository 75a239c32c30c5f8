public import CanonicalJSON
public import Snapshots

/// Work of a part of a screen that runs outside: which part, and what it asks for.
public struct PartWork: Codable, Hashable, Sendable {
  /// The name of the part.
  public let part: Text
  /// What is asked for, as JSON; `nil` if a part has only one thing to ask for.
  public let request: JSONValue?

  /// Names the work of a part.
  public init(part: Text, request: JSONValue? = nil) {
    self.part = part
    self.request = request
  }
}

/// The name of the part; what users enter is not for records.
extension PartWork: CustomStringConvertible {
  public var description: String { part.string }
}

/// A part of a screen that moves on its own: its commands, its rows, and its work outside.
///
/// ``Loading``, ``LoadingPages`` and ``Saving`` are parts. Work is not started by hand: the engine compares what
/// runs according to the state before and after each input, starts what is new, and ends what is gone.
public protocol ScreenPart<State>: Sendable {
  associatedtype State

  /// The name of the part, as it is written in the `states` of a view model.
  var name: Text { get }
  /// The commands of the part.
  var commands: [AnyCommand<State>] { get }
  /// The types of the rows that the part adds to those of its screen.
  var rowTypes: [RowTypeDescriptor] { get }
  /// The table of how the part moves.
  var stateMachine: StateMachine { get }
  /// The part of a store that it shows; `nil` for none.
  var shownPart: StorePart? { get }

  /// The name of the state that the part is in.
  func stateName(in state: State) -> String
  /// The work that runs, each with the token that its result must have.
  func work(in state: State) -> [(PartWork, LoadToken)]
  /// Whether the part is loaded when the screen comes into view; it is, unless defined.
  var isLoaded: Bool { get }
  /// Asks for the value, as when the screen comes into view.
  func load(_ state: inout State)
  /// Decides how work goes.
  func start(_ work: PartWork, for key: Text, in transaction: inout Transaction) -> Work
  /// Takes over the end of work.
  ///
  /// - Parameters:
  ///   - key: The key of the view model.
  ///   - state: The state to change.
  ///   - token: The token of the work.
  ///   - transaction: The stores.
  ///   - work: The work that has ended.
  ///   - result: What came from outside; `nil` if the value is read from a store.
  ///   - failure: Why the work failed; set it if the value is missing or cannot be used.
  /// - Returns: What the operator is told of: results that come too late or that nothing waits for.
  func end(
    _ work: PartWork, _ token: LoadToken, bringing result: JSONValue?,
    failing failure: inout LoadFailure?, on state: inout State, for key: Text,
    in transaction: inout Transaction
  ) -> [Effect<PartWork>]
  /// Takes over what a write changed in the part of the store.
  func follow(_ stores: Stores, on state: inout State, for key: Text)
  /// Takes over a value that was loaded by the clock.
  func refresh(_ value: JSONValue, on state: inout State, for key: Text)
  /// How often the value is loaded again; `nil` for never.
  func interval(in state: State) -> Duration?
  /// The rows in this state.
  func rows(_ state: State) -> [RowPart]
}

extension ScreenPart {
  public var rowTypes: [RowTypeDescriptor] { [] }
  public var isLoaded: Bool { true }
  public func refresh(_ value: JSONValue, on state: inout State, for key: Text) {}
  public func interval(in state: State) -> Duration? { nil }
}
