/// Decides when a checkpoint is written, and from which one on a journal is kept.
///
/// An engine begins with the oldest checkpoint that is kept. It is a history behind the last input, so that the
/// revisions that clients may still name are made again, and not further, so that a start takes seconds.
struct CheckpointSchedule: Hashable, Sendable {
  /// The number of inputs between two checkpoints. Twice as many are a history, however young they are.
  let interval: Int
  /// The time that is a history, however few inputs it had.
  let age: Duration

  private struct Mark: Hashable, Sendable {
    let position: Int
    let time: Timestamp
  }

  /// The checkpoints that the journal keeps, oldest first.
  private var marks: [Mark] = []
  /// The position at which the last checkpoint was begun.
  private var last = 0
  private var isWriting = false

  /// Creates a schedule for a journal without checkpoints.
  init(interval: Int = 8_192, age: Duration = RevisionLogLimits().age) {
    self.interval = interval
    self.age = age
  }

  /// Begins with a journal whose oldest checkpoint is at a position.
  mutating func resume(from position: Int, _ time: Timestamp) {
    marks = [Mark(position: position, time: time)]
    last = position
  }

  /// Returns whether a checkpoint must be written at a position, and begins it.
  mutating func begin(at position: Int) -> Bool {
    guard !isWriting, position - last >= interval else { return false }
    isWriting = true
    last = position
    return true
  }

  /// Ends a checkpoint that was written.
  ///
  /// - Returns: The position of the checkpoint from which on the journal is kept; `nil` if all are kept.
  mutating func end(at position: Int, _ time: Timestamp) -> Int? {
    isWriting = false
    marks.append(Mark(position: position, time: time))
    let base = marks.lastIndex { mark in
      position - mark.position >= 2 * interval || time >= mark.time.advanced(by: age)
    }
    guard let base, base > 0 else { return nil }
    marks.removeFirst(base)
    return marks[0].position
  }

  /// Ends a checkpoint that could not be written.
  mutating func fail() { isWriting = false }
}
