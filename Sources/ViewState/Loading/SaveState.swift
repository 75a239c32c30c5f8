import CanonicalJSON

/// The changes of a screen that are to be written back to the origin of its data.
///
/// ```swift
/// var changes = SaveState<Change>()
/// try changes.save(.finish(7))
/// changes.pending  // [.finish(7)]
/// ```
///
/// Do not assign a new value of this type while ``pending`` has changes: they would be lost, and the end of a write
/// that still runs would be taken for that of the next change.
public struct SaveState<Change: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
  /// The changes that are not written yet, oldest first. The first one is being written unless
  /// ``failure`` is set.
  public private(set) var pending: [Change] = []
  /// The failure of the last attempt to write the first change; `nil` if it did not fail.
  public private(set) var failure: LoadFailure?
  private(set) var token = LoadToken.none

  /// The largest number of changes that may wait.
  public static var limit: Int { 100 }

  /// Creates a state without changes.
  public init() {}

  /// Adds a change, which is written after those before it.
  ///
  /// - Throws: `Refusal` if ``limit`` changes wait already.
  public mutating func save(_ change: Change) throws(Refusal) {
    guard pending.count < Self.limit else {
      throw Refusal(pointer: .root, message: "\(Self.limit) changes are waiting to be saved")
    }
    pending.append(change)
    if pending.count == 1 { token = token.next }
  }

  /// Tries again to write the change that failed; does nothing if none has failed.
  public mutating func retry() {
    guard failure != nil else { return }
    failure = nil
    token = token.next
  }

  /// Drops the change that failed, and writes the next one; does nothing if none has failed.
  public mutating func discard() {
    if failure != nil { dropFirst() }
  }

  /// Drops the change that failed. With the number of an attempt, does so only if that attempt failed last, so that a
  /// command that is sent twice does not drop the next change, too.
  mutating func discard(attempt: Int?) {
    if attempt == nil || attempt == token.ordinal { discard() }
  }

  /// Whether a change is being written.
  var isSaving: Bool { !pending.isEmpty && failure == nil }

  /// Ends a write.
  ///
  /// - Returns: `false` if no write with this token runs.
  mutating func end(_ ended: LoadToken, _ failure: LoadFailure?) -> Bool {
    guard isSaving, ended == token else { return false }
    if let failure { self.failure = failure } else { dropFirst() }
    return true
  }

  private mutating func dropFirst() {
    pending.removeFirst()
    failure = nil
    token = token.next
  }

  var stateName: String { failure != nil ? "failed" : isSaving ? "isLoading" : "loaded" }
}

extension SaveState<Bool> {
  /// Returns the state machine of changes, found by running the code above on sample changes.
  ///
  /// - Parameter commands: The names of the commands that do these things.
  static func machine(of name: Text, commands: (retry: Text, discard: Text)) -> StateMachine {
    typealias Event = (name: Text, command: Text?, run: @Sendable (inout SaveState) -> Void)
    let events: [Event] = [
      ("save", nil, { try? $0.save(true) }), ("saved", nil, { _ = $0.end($0.token, nil) }),
      ("failed", nil, { _ = $0.end($0.token, .unavailable) }),
      (commands.retry, commands.retry, { $0.retry() }),
      (commands.discard, commands.discard, { $0.discard() }),
    ]
    // Each state is made by the events that lead to it.
    let states = [[], [0], [0, 0], [0, 2], [0, 0, 2]].map { way in
      way.reduce(into: SaveState()) { events[$1].run(&$0) }
    }
    return StateMachine(
      name: name.string, exploring: states, on: events, stateName: \.stateName,
      eventName: \.name.string, command: \.command
    ) { state, event in
      let before = state
      event.run(&state)
      let isOther = before.token != state.token
      let ended = before.isSaving && (isOther || !state.isSaving)
      return (ended ? ["end"] : []) + (isOther && state.isSaving ? ["start"] : [])
    }
  }
}
