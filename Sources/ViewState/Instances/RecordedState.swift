import CanonicalJSON
import Snapshots

/// The state of an instance as it is recorded: the state as JSON, and the version of its form.
///
/// ```json
/// {"state":{"items":[],"lastID":0},"version":2}
/// ```
///
/// For a session, a checkpoint has only the changes from the state before any input. It has that state once for all
/// sessions of the element:
///
/// ```json
/// {"changes":{"items":[["Milk"]]},"version":2}
/// ```
struct RecordedState: Hashable, Sendable {
  /// The version that the program had which recorded the state; see ``ScreenState/version``. It is 1 for
  /// a state that is no ``ScreenState``.
  let version: Int
  /// The state as JSON, or its changes; see `CanonicalJSON.JSONValue.changes(from:)`.
  private let content: JSONValue
  private let hasChanges: Bool

  /// Records a state.
  ///
  /// - Throws: `EncodingError` if the state cannot be encoded.
  init<State: Encodable>(_ state: State) throws {
    version = Self.version(of: State.self)
    content = try JSONValue(recording: state)
    hasChanges = false
  }

  private init(_ version: Int, _ content: JSONValue, hasChanges: Bool) {
    (self.version, self.content, self.hasChanges) = (version, content, hasChanges)
  }

  /// The estimated memory of the JSON, in bytes.
  var byteCount: Int { content.memoryByteCount }

  /// Returns what differs from another state of the same screen.
  func changes(from base: RecordedState) -> RecordedState {
    RecordedState(version, content.changes(from: base.content), hasChanges: true)
  }

  /// Returns the state of an instance, of which this may be only what differs from the state before any input.
  ///
  /// - Parameters:
  ///   - key: The key of the instance.
  ///   - initial: The states before any input, by the elements.
  /// - Throws: ``JournalError/damaged(_:)`` if the state before any input is missing, or if the changes are not of it.
  func whole(
    of key: Text, besides initial: [Text: RecordedState]
  ) throws(JournalError) -> RecordedState {
    if !hasChanges { return self }
    guard let element = try? InstanceKey(key, isPersonal: true).element,
      let base = initial[element], base.version == version, !base.hasChanges,
      let state = base.content.changed(by: content)
    else {
      throw .damaged("a state has changes of another one, which the checkpoint does not have")
    }
    return RecordedState(version, state, hasChanges: false)
  }

  /// Returns the state, migrated if another version recorded it; `nil` if the instance starts over, because
  /// the state has no migration.
  ///
  /// - Throws: An error if the state cannot be read, and each error of the migration.
  func decode<State: Decodable>(as type: State.Type) throws -> State? {
    if version == Self.version(of: type) { return try content.decodeRecord(type) }
    guard let type = type as? any ScreenState.Type else { return nil }
    do {
      return try type.migrate(JSONReader(content), from: version) as? State
    } catch let error as ScreenLookupError {
      // It would say that the key names nothing, so that the state could be dropped.
      throw JSONShapeError([], "the migration throws \(error)")
    }
  }

  /// Whether this program has states of the same version.
  func isCurrent<State>(for type: State.Type) -> Bool { version == Self.version(of: type) }

  private static func version<State>(of type: State.Type) -> Int {
    (type as? any ScreenState.Type)?.version ?? 1
  }
}

extension RecordedState: Codable {
  private enum CodingKeys: CodingKey { case version, state, changes }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    hasChanges = container.contains(.changes)
    version = try container.decode(Int.self, forKey: .version)
    content = try container.decode(JSONValue.self, forKey: hasChanges ? .changes : .state)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(version, forKey: .version)
    try container.encode(content, forKey: hasChanges ? .changes : .state)
  }
}

extension EngineScreen {
  /// Records a state for a checkpoint. Of a session it has only what differs from the state before any input.
  ///
  /// - Parameters:
  ///   - key: The key of the instance.
  ///   - stores: The stores of the checkpoint.
  ///   - initial: The states before any input, by the elements. Gets that of the key if it has a session.
  /// - Throws: An error if the state cannot be encoded.
  func record(
    _ state: AnyState, of key: InstanceKey, in stores: Stores,
    besides initial: inout [Text: RecordedState]
  ) throws -> RecordedState {
    let state = try record(state)
    if !key.hasSession { return state }
    if initial[key.element] == nil {
      initial[key.element] = try? record(initialState(for: key.element, in: stores))
    }
    return initial[key.element].map(state.changes) ?? state
  }
}

extension DeclaredScreen {
  func record(_ state: AnyState) throws -> RecordedState {
    try RecordedState(state.value(as: State.self))
  }

  func state(
    _ recorded: RecordedState, byOther isOther: Bool, for key: Text, in stores: Stores
  ) throws -> (state: AnyState, isSame: Bool)? {
    let followsStores = !shownStores.isEmpty
    // It may know other keys. Those of elements of a store are known by following the store.
    if isOther, !followsStores { _ = try initialState(for: key, in: stores) }
    guard let state = try recorded.decode(as: State.self) else { return nil }
    let isCurrent = recorded.isCurrent(for: State.self)
    var current = AnyState(state)
    // A migration sees no stores, and another program may have read them in another way. Work that begins here is
    // started with all other work of restored states.
    if followsStores, isOther || !isCurrent { _ = try follow(stores, on: &current, for: key) }
    return (current, isCurrent)
  }

  #if DEBUG
    func checkedRecord(
      of state: AnyState, showing snapshot: Snapshot, for key: Text, in stores: Stores
    ) throws -> [UInt8] {
      let bytes = try JSONValue(encoding: record(state)).canonicalBytes()
      let again = try JSONValue(parsing: bytes, limits: .greatest).decode(RecordedState.self)
      guard let same = try self.state(again, byOther: false, for: key, in: stores)?.state,
        same == state
      else {
        throw ScreenMistake(
          "a state of the screen \(descriptor.name) changes when it is read again")
      }
      // A set that is read again may have another order, as in another process. That rows differ each time is found when
      // the input is applied again, which ends the process.
      if try digest(of: same) != snapshot.digest, try digest(of: state) == snapshot.digest {
        throw ScreenMistake(
          "the screen \(descriptor.name) shows a state in another way when it is read again: "
            + "its rows may not be in the order of a set or a dictionary")
      }
      return bytes
    }

    private func digest(of state: AnyState) throws -> Digest {
      var rows = RowCache()
      return try assemble(state, rows: &rows).digest
    }
  #endif
}
