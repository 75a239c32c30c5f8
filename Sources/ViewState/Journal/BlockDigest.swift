import CanonicalJSON
import Snapshots

/// Sums up what a block of inputs has changed, so that servers that apply the same inputs can compare themselves.
///
/// It takes what each server has: the revisions of view models with a state of their own, those of the elements of a
/// store that an input has changed, and the changes of stores. What only the readers of one server need is left out.
/// An input costs what it changed.
struct BlockDigest: Sendable {
  /// The number of positions of a block.
  static let length = 1_024

  private var sum: UInt64 = 0
  /// Whether the sum has all inputs of the block so far.
  private var isWhole: Bool
  private var finished: (position: Int, digest: Text)?

  /// Begins after a position.
  init(after position: Int) {
    isWhole = position % Self.length == 0
  }

  /// Adds what an input has changed, in any order.
  mutating func add(_ step: Step) {
    add("\(step.position) \(step.memory.outcomes.byteCount)")
    for (store, change) in step.transaction.changes {
      for key in change.keys { add("\(step.position) \(store) \(key)") }
    }
    for instance in step.moved {
      if let change = instance.sharedChange(in: step) { add("\(step.position) \(change)") }
    }
    guard step.position % Self.length == 0 else { return }
    if isWhole { finished = (step.position, Text(String(sum, radix: 36))) }
    (sum, isWhole) = (0, true)
  }

  private mutating func add(_ text: String) { sum &+= FNV1a.hash(text.utf8) }

  /// Returns the position and the digest of the last whole block, once.
  mutating func take() -> (position: Int, digest: Text)? { finished.take() }
}
