import CanonicalJSON

/// The state of a screen as it is recorded: the state as JSON, and the version of its form.
///
/// ```json
/// {"state":{"items":[],"lastID":0},"version":2}
/// ```
struct RecordedState: Codable, Hashable, Sendable {
  /// The version that the program had which recorded the state; see ``ScreenState/version``. It is 1 for
  /// a state that is no ``ScreenState``.
  let version: Int
  /// The state as JSON.
  let state: JSONValue

  /// Records a state.
  ///
  /// - Throws: `EncodingError` if the state cannot be encoded.
  init<State: Encodable>(_ state: State) throws {
    version = Self.version(of: State.self)
    self.state = try JSONValue(recording: state)
  }

  /// Returns the state, migrated if another version recorded it; `nil` if the screen starts over, because
  /// the state has no migration or cannot be read.
  func decode<State: Decodable>(as type: State.Type) -> State? {
    if version == Self.version(of: type) { return try? state.decodeRecord(type) }
    guard let type = type as? any ScreenState.Type else { return nil }
    return (try? type.migrate(JSONReader(state), from: version)) as? State
  }

  /// Whether this program has states of the same version.
  func isCurrent<State>(for type: State.Type) -> Bool { version == Self.version(of: type) }

  private static func version<State>(of type: State.Type) -> Int {
    (type as? any ScreenState.Type)?.version ?? 1
  }
}

extension DeclaredScreen {
  func record(_ state: AnyState) throws -> RecordedState {
    try RecordedState(state.value(as: State.self))
  }

  func state(
    _ recorded: RecordedState, for key: Text, in stores: Stores
  ) throws(ScreenLookupError) -> (state: AnyState, isSame: Bool) {
    guard let state = recorded.decode(as: State.self) else {
      return (try initialState(for: key, in: stores), false)
    }
    return (AnyState(state), recorded.isCurrent(for: State.self))
  }

  #if DEBUG
    func checkedRecord(
      of state: AnyState, for key: Text, in stores: Stores
    ) throws -> [UInt8] {
      let bytes = try JSONValue(encoding: record(state)).canonicalBytes()
      let again = try JSONValue(parsing: bytes, limits: .greatest).decode(RecordedState.self)
      guard try self.state(again, for: key, in: stores).state == state else {
        throw ScreenMistake(
          "a state of the screen \(descriptor.name) changes when it is read again")
      }
      return bytes
    }
  #endif
}
