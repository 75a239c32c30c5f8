public import CanonicalJSON
import Snapshots
public import ViewState

/// A screen of one number, which begins as the number in its key, and of which some cannot be shown.
public struct FragileScreen: Screen {
  /// The number of a view that has one id twice.
  public static let twice = 11
  /// The number of a view that cannot be made.
  public static let broken = 12
  /// The number of a state that cannot be encoded.
  public static let uncodable = 13
  /// The number of a state that is encoded as another one.
  public static let forgetful = 14
  /// The number of a view with a number that JSON cannot represent.
  public static let unwritable = 16
  /// The number of a view with a row of a type that the screen does not list.
  public static let stray = 15

  /// The number of a view that shows whether its state was read again, as by the order of a set.
  public static let unordered = 17

  public struct State: Codable, Equatable, Sendable {
    private enum CodingKeys: CodingKey { case number }

    public var number: Int
    var isRead = false

    init(number: Int) { self.number = number }

    public init(from decoder: any Decoder) throws {
      number = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .number)
      isRead = true
    }

    public static func == (left: State, right: State) -> Bool { left.number == right.number }

    public func encode(to encoder: any Encoder) throws {
      if number == FragileScreen.uncodable { throw Broken(number: number) }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(number == FragileScreen.forgetful ? 0 : number, forKey: .number)
    }
  }

  struct Broken: Error { let number: Int }

  /// Called with the number each time that rows are made of it.
  public var whileAssembling: @Sendable (Int) -> Void = { _ in }

  public init() {}

  public static let name: Text = "fragile"
  public static let keyName = "number"
  public static let summary = "A number."

  static let set = Command("set", "Sets the number.", .integer("to")) {
    (state: inout State, number) in
    state.number = number
  }

  public var commands: [AnyCommand<State>] { Self.set }

  static let number = RowType("number", of: Int.self) { Field("n", \Int.self) }
  static let unlisted = RowType("stray", of: Int.self) { Field("n", \Int.self) }

  public var rowTypes: [RowTypeDescriptor] { Self.number }

  public func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> State {
    guard let number = Int(key.string) else { throw .unknownKey }
    return State(number: number)
  }

  public func body(_ state: State) throws -> [ListSection] {
    whileAssembling(state.number)
    if state.number == Self.broken { throw Broken(number: state.number) }
    return [
      ListSection("s") {
        if state.number == Self.stray {
          Self.unlisted("r", state.number)
        } else {
          Self.number("r", state.number == Self.unwritable ? .max : state.number)
        }
        if state.number == Self.unordered { Self.number("read", state.isRead ? 1 : 0) }
        if state.number == Self.twice { Self.number("r", state.number) }
      }
    ]
  }
}

extension Instance {
  /// Sets the number of a ``FragileScreen``.
  @discardableResult
  package func set(
    to number: Int, expecting expected: Set<RevisionToken>? = nil
  ) async throws(CommandFailure) -> CommandOutcome {
    let body: JSONValue = ["type": "set", "to": .integer(number)]
    let command: SentCommand
    do { command = try SentCommand(JSONReader(body)) } catch { throw .refused(error) }
    return try await send(command, expecting: expected)
  }
}
