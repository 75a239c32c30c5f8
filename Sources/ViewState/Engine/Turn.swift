import CanonicalJSON
import Synchronization

/// Something that waits for its turn in the queue of an engine.
protocol Turn: Sendable {
  /// Whether it is an input, which has a position.
  var isInput: Bool { get }
  /// Whether a request has sent it, which waits for the outcome.
  var isRequest: Bool { get }
  /// The input as JSON, for a journal.
  ///
  /// - Throws: `JSONShapeError` if it cannot be encoded, or has a number that JSON cannot represent.
  func json() throws(JSONShapeError) -> JSONValue
  /// Takes the turn.
  ///
  /// - Parameter time: The time of the input.
  /// - Returns: A function that answers the sender.
  func apply(in engine: Engine, at time: Timestamp) -> @Sendable () -> Void
  /// Tells the sender that the input is not recorded, so that it is not applied.
  ///
  /// - Returns: `false` if the input waits until it can be recorded.
  func refuse() -> Bool
  /// Tells the sender that it is not known in time whether the input is recorded. It is applied if it is.
  func giveUp()
}

extension Turn {
  /// Takes the turn, and answers the sender.
  func take(in engine: Engine, at time: Timestamp) {
    apply(in: engine, at: time)()
  }
}

/// An input, and its sender if that one waits for the outcome.
struct Submitted<Kind: Input>: Turn {
  let input: Kind
  var sender: Sender<Kind.Outcome>?

  var isInput: Bool { true }
  var isRequest: Bool { sender != nil }

  func json() throws(JSONShapeError) -> JSONValue {
    let json = try input.json()
    try json.checkWritable()
    return json
  }

  func apply(in engine: Engine, at time: Timestamp) -> @Sendable () -> Void {
    let outcome = engine.apply(input, at: time)
    return { [sender] in sender?.answer(outcome) }
  }

  func refuse() -> Bool {
    guard let outcome = input.notRecorded else { return false }
    sender?.answer(outcome)
    return true
  }

  func giveUp() {
    if let outcome = input.unconfirmed { sender?.answer(outcome) }
  }
}

/// Waits for the outcome of an input, and takes the first one that it gets.
final class Sender<Outcome: Sendable>: Sendable {
  private let continuation: CheckedContinuation<Outcome, Never>
  private let isAnswered = Atomic(false)

  init(_ continuation: CheckedContinuation<Outcome, Never>) { self.continuation = continuation }

  func answer(_ outcome: Outcome) {
    if !isAnswered.exchange(true, ordering: .relaxed) { continuation.resume(returning: outcome) }
  }
}

/// Work between two inputs.
struct Upkeep: Turn {
  let work: @Sendable () -> Void

  var isInput: Bool { false }
  var isRequest: Bool { false }

  func json() -> JSONValue { .null }

  func apply(in engine: Engine, at time: Timestamp) -> @Sendable () -> Void {
    work()
    return {}
  }

  func refuse() -> Bool { true }

  func giveUp() {}
}
