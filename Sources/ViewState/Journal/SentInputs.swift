import DequeModule
import Snapshots

/// The inputs that this server has sent to a journal that servers share, until they come back.
struct SentInputs: Sendable {
  /// Answers the sender of an input.
  typealias Answer = @Sendable () -> Void

  /// Those that have not come back, oldest first.
  private var turns: Deque<(turn: any Turn, since: Duration)> = []
  private var isSending = false
  /// The answers to those that came back while some were being sent, which the journal may not confirm.
  private var held: [Answer] = []

  /// Returns the earliest time after another one at which an input was sent; `nil` if there is none.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of inputs.
  func firstTime(after time: Duration?) -> Duration? {
    let index = turns.partitioningIndex { turn in time.map { turn.since > $0 } ?? true }
    return index < turns.endIndex ? turns[index].since : nil
  }

  /// Adds inputs before they are sent, because they may be back before the call is.
  mutating func begin(_ new: [any Turn], at now: Duration) {
    turns += new.map { ($0, now) }
    isSending = true
  }

  /// Ends the call that sends inputs.
  ///
  /// - Returns: The answers to give now.
  mutating func end() -> [Answer] {
    defer { (isSending, held) = (false, []) }
    return held
  }

  /// Removes and returns the oldest input; `nil` if there is none.
  mutating func popFirst() -> (any Turn)? { turns.popFirst()?.turn }

  /// Removes and returns all inputs.
  mutating func popAll() -> [any Turn] {
    defer { turns = [] }
    return turns.map(\.turn)
  }

  /// Takes the answer to an input that came back.
  ///
  /// - Returns: Whether it is given later, with those of ``end()``.
  mutating func hold(_ answer: @escaping Answer) -> Bool {
    if isSending { held.append(answer) }
    return isSending
  }

  /// Returns the inputs that were sent before a time.
  func sent(before time: Duration) -> [any Turn] {
    turns.prefix { $0.since <= time }.map(\.turn)
  }
}
