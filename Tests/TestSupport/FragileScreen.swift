public import CanonicalJSON
public import Snapshots
public import ViewState

/// A screen of one number, which begins as the number in its key, and of which some cannot be shown.
public struct FragileScreen: ScreenMachine {
  /// The number of a view that has one id twice.
  public static let twice = 11
  /// The number of a view that cannot be made.
  public static let broken = 12
  /// The number of a state that cannot be encoded.
  public static let uncodable = 13

  public struct State: Codable, Equatable, Sendable {
    public var number: Int

    public func encode(to encoder: any Encoder) throws {
      if number == FragileScreen.uncodable { throw Broken(number: number) }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(number, forKey: .number)
    }
  }

  struct Broken: Error { let number: Int }

  /// Called with the number each time that rows are made of it.
  public var whileAssembling: @Sendable (Int) -> Void = { _ in }

  public init() {}

  public let descriptor = ScreenDescriptor(
    name: "fragile", keyName: "number", summary: "A number.",
    commands: [
      CommandDescriptor(
        type: "set", summary: "Sets the number.", arguments: ["to": ["type": "integer"]],
        required: ["to"])
    ], sources: [])

  public func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> State {
    guard let number = Int(key.string) else { throw .unknownKey }
    return State(number: number)
  }

  public func run(
    _ command: SentCommand, on state: inout State, for key: Text, in transaction: inout Transaction
  ) throws(Refusal) -> [Effect<Never>] {
    state.number = try command.read { body throws(JSONShapeError) in try body.member("to").integer()
    }
    return []
  }

  public func assemble(_ state: State, rows: inout RowCache) throws -> Snapshot {
    whileAssembling(state.number)
    if state.number == Self.broken { throw Broken(number: state.number) }
    let row = Row(id: "r", type: "number", fields: ["n": .integer(state.number)])
    return try Snapshot(reusing: rows.snapshot) {
      Section(id: "s", rows: state.number == Self.twice ? [row, row] : [row])
    }
  }
}

extension ScreenInstance {
  /// Sets the number of a ``FragileScreen``.
  @discardableResult
  public func set(
    to number: Int, expecting expected: Set<RevisionToken>? = nil
  ) async throws(CommandFailure) -> CommandOutcome {
    let body: JSONValue = ["type": "set", "to": .integer(number)]
    let command: SentCommand
    do { command = try SentCommand(JSONReader(body)) } catch { throw .refused(error) }
    return try await send(command, expecting: expected)
  }
}
