public import CanonicalJSON
public import Snapshots

/// Work outside of the engine for a part of a screen: the name of the part, and its request.
struct PartWork: Codable, Hashable, Sendable {
  /// The name of the part.
  let part: Text
  /// The request as JSON; `nil` if all work of the part is the same.
  let request: JSONValue?

  /// Creates the work of a part.
  init(part: Text, request: JSONValue? = nil) {
    self.part = part
    self.request = request
  }
}

extension PartWork {
  /// Asks for a call even if an equal one is running. A value has no other request; a list loads its first page.
  static let reload: JSONValue = "reload"

  var isReload: Bool { request == Self.reload }
}

/// Written as the name of the part: the request may have what a user has entered, and is not logged.
extension PartWork: CustomStringConvertible {
  var description: String { part.string }
}

/// A part of a screen with commands, rows, and work outside of the engine: a ``Loading``, ``LoadingPages``, ``LookingUp`` or
/// ``Saving``. A screen lists its parts in ``Screen/parts``.
///
/// Your own types cannot be parts: the engine runs the work of those of the library.
public protocol ScreenPart<State>: Sendable {
  associatedtype State

  /// The name of the part in the `states` of a view model.
  var name: Text { get }
  /// The commands of the part.
  var commands: [AnyCommand<State>] { get }
  /// The types of the rows that the part adds to those of its screen; none unless defined. A part without types has no
  /// section unless the screen declares one.
  var rowTypes: [RowTypeDescriptor] { get }
  /// Whether the opening command loads the part; `true` unless defined.
  var isOpened: Bool { get }
  /// Returns the name of the state that the part is in, as `states` has it.
  func stateName(in state: State) -> String
  /// Starts a load, for example because the screen comes into view.
  func load(_ state: inout State)
  /// Changes the state after a write to the stores that the part shows; does nothing unless defined.
  func follow(_ stores: Stores, on state: inout State, for key: Text)
  /// Returns the rows in a state.
  func rows(_ state: State) -> [RowPart]
}

extension ScreenPart {
  public var rowTypes: [RowTypeDescriptor] { [] }
  public var isOpened: Bool { true }
  public func follow(_ stores: Stores, on state: inout State, for key: Text) {}
}

/// A part as the engine runs it.
///
/// A part does not start its work: after each input, the engine compares ``running(in:)`` for the state before and after
/// it, starts the work that is new, and ends the work that is gone.
protocol RunningPart<State>: ScreenPart {
  /// The path to its data in the state of the screen. No other part has the same: two would take each other's results.
  var place: AnyKeyPath { get }
  /// The table of the states of the part, and of what each event does in them.
  var stateMachine: StateMachine { get }
  /// The stores that the part shows; none unless defined.
  var shownStores: [ShownStore] { get }

  /// Returns the work that is running, with its tokens. Work has the same token and the same request in each state, and
  /// no other work of the part has this token.
  func running(in state: State) -> [(work: PartWork, token: LoadToken)]
  /// Returns how work runs and ends.
  ///
  /// - Parameters:
  ///   - work: The work that starts.
  ///   - key: The key of the view model.
  ///   - stores: The stores when the work starts.
  func start(_ work: PartWork, for key: Text, in stores: Stores) -> Work
  /// Changes the state after work has ended.
  ///
  /// - Parameters:
  ///   - work: The work that has ended.
  ///   - token: The token of the work.
  ///   - result: The result from outside; `nil` if the value is read from a store.
  ///   - failure: The failure of the work; set it if the value is missing or cannot be used.
  ///   - state: The state to change.
  ///   - key: The key of the view model.
  ///   - transaction: The stores.
  /// - Returns: The incident to log if the result comes late, or if no work runs.
  func end(
    _ work: PartWork, _ token: LoadToken, bringing result: JSONValue?,
    failing failure: inout LoadFailure?, on state: inout State, for key: Text,
    in transaction: inout Transaction
  ) -> ScreenIncident.Kind?
  /// Returns the incident for a failure of work; unless defined, a load has failed.
  func incident(_ failure: LoadFailure, of work: PartWork) -> ScreenIncident.Kind
  /// Changes the state after the clock has loaded a value; does nothing unless defined.
  func refresh(_ value: JSONValue, on state: inout State, for key: Text)
  /// Returns the time between two periodic loads; `nil`, unless defined, if the clock does not load.
  func interval(in state: State) -> Duration?
}

extension RunningPart {
  var shownStores: [ShownStore] { [] }
  func incident(_ failure: LoadFailure, of work: PartWork) -> ScreenIncident.Kind {
    .loadFailure(source: name, failure)
  }
  func refresh(_ value: JSONValue, on state: inout State, for key: Text) {}
  func interval(in state: State) -> Duration? { nil }
}

/// What a part has in the state of the screen.
protocol PartState {}

extension LoadState: PartState {}
extension PagingState: PartState {}
extension Lookups: PartState {}
extension SaveState: PartState {}

/// How the work of a source runs and ends.
enum Work: Sendable {
  /// The work succeeds after a time.
  case succeeding(after: Duration)
  /// The work fails after a time.
  case failing(LoadFailure, after: Duration)
  /// The work never ends by itself; the time-out of the engine ends it.
  case hanging
  /// The work never ends by itself; the time-out of the engine ends it. Its result comes when the next work of the part
  /// starts after that, which is too late.
  case late
  /// The work is a call outside of the engine, whose result comes back as an input.
  case running(OutsideLoad)

  /// Returns the same work. With `isReload`, its call is made even if an equal one is running.
  func calling(anew isReload: Bool) -> Work {
    guard isReload, case .running(var call) = self else { return self }
    call.isReload = true
    return .running(call)
  }

  /// The time that the work takes before it ends or its call begins.
  var latency: Duration {
    switch self {
    case .succeeding(let latency), .failing(_, let latency): latency
    case .hanging, .late: .zero
    case .running(let load): load.latency
    }
  }

  /// Returns the same work with another latency; `nil` leaves its own. The latency of a call comes before the call.
  func taking(_ latency: Duration?) -> Work {
    guard let latency else { return self }
    switch self {
    case .succeeding: return .succeeding(after: latency)
    case .failing(let failure, _): return .failing(failure, after: latency)
    case .hanging, .late: return self
    case .running(var load):
      load.latency = latency
      return .running(load)
    }
  }
}
