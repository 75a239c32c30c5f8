import CanonicalJSON

/// Something that waits for its turn in the queue of an engine.
protocol Turn: Sendable {
  /// Whether it is an input, which has a position.
  var isInput: Bool { get }
  /// The input as JSON, for a journal.
  ///
  /// - Throws: `JSONShapeError` if it cannot be encoded, or has a number that JSON does not carry.
  func json() throws(JSONShapeError) -> JSONValue
  /// Takes the turn.
  ///
  /// - Parameter time: The time of the input.
  func take(in engine: Engine, at time: Timestamp)
  /// Tells the sender that the input is not recorded, so that it is not applied.
  ///
  /// - Returns: `false` if the input waits until it can be recorded.
  func refuse() -> Bool
}

/// An input, and its sender if that one waits for the outcome.
struct Submitted<Kind: Input>: Turn {
  let input: Kind
  var sender: CheckedContinuation<Kind.Outcome, Never>?

  var isInput: Bool { true }

  func json() throws(JSONShapeError) -> JSONValue {
    let json = try input.json()
    try json.checkWritable()
    return json
  }

  func take(in engine: Engine, at time: Timestamp) {
    let outcome = engine.apply(input, at: time)
    sender?.resume(returning: outcome)
  }

  func refuse() -> Bool {
    guard let outcome = input.notRecorded else { return false }
    sender?.resume(returning: outcome)
    return true
  }
}

/// Work between two inputs.
struct Upkeep: Turn {
  let work: @Sendable () -> Void

  var isInput: Bool { false }

  func json() -> JSONValue { .null }

  func take(in engine: Engine, at time: Timestamp) { work() }

  func refuse() -> Bool { true }
}
