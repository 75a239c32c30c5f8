/// Decides when a checkpoint is written, with which one an engine begins, and from which one on a journal is kept.
///
/// An engine begins with the newest checkpoint that is a history behind the last one, so that the revisions that
/// clients may still name are made again, and a start takes seconds. The journal is kept from there on, or from an
/// older one on.
///
/// The end of an engine writes one more, with which another program begins: the rules of that program decide only on
/// inputs that it takes itself. It is less than an interval after the one before, and is removed when the next one is
/// written.
package struct CheckpointSchedule: Hashable, Sendable {
  /// The weight of the inputs between two checkpoints; see ``Checkpoint/Mark/weight``. Twice as much is a history,
  /// however young it is.
  let interval: Int
  /// The time that is a history, if its inputs weigh at least an interval.
  let age: Duration
  /// How long older inputs are kept.
  let retention: JournalRetention

  /// The checkpoints that the journal keeps, oldest first.
  private var marks: [Checkpoint.Mark] = []
  /// The weight at which the last checkpoint was begun.
  private var last = 0
  private var isWriting = false

  /// Creates a schedule for a journal without checkpoints.
  package init(
    interval: Int = 8_192, age: Duration = RevisionLogLimits().age,
    keeping retention: JournalRetention = JournalRetention()
  ) {
    self.interval = interval
    self.age = age
    self.retention = retention
  }

  /// A schedule with which an engine begins with the oldest checkpoint.
  package static let all = CheckpointSchedule(interval: .max / 2, age: .seconds(Int64.max / 2))

  /// The position of the newest checkpoint; `nil` if there is none.
  var newest: Int? { marks.last?.position }

  /// Begins with a journal that has checkpoints.
  mutating func resume(with marks: [Checkpoint.Mark]) {
    self.marks = marks
    last = (hasEnd ? marks.dropLast() : marks[...]).last?.weight ?? 0
  }

  /// Whether the end of an engine has written the newest checkpoint.
  private var hasEnd: Bool {
    guard marks.count > 1 else { return false }
    return marks[marks.count - 1].weight - marks[marks.count - 2].weight < interval
  }

  /// Returns whether a checkpoint must be written at a weight, and begins it.
  mutating func begin(at weight: Int) -> Bool {
    guard !isWriting, weight - last >= interval else { return false }
    isWriting = true
    last = weight
    return true
  }

  /// Ends a checkpoint that was written.
  ///
  /// - Returns: The position of a checkpoint to remove; `nil` if there is none.
  mutating func end(at mark: Checkpoint.Mark) -> Int? {
    isWriting = false
    let former = hasEnd ? marks.removeLast().position : nil
    marks.append(mark)
    return former
  }

  /// Ends a checkpoint that could not be written.
  mutating func fail() { isWriting = false }

  /// Returns the index of the checkpoint with which an engine of the same program begins; `nil` if there is none.
  func start(in marks: [Checkpoint.Mark]) -> Int? {
    guard let head = marks.last else { return nil }
    return marks.lastIndex { mark in
      let weight = head.weight - mark.weight
      return weight >= 2 * interval
        || weight >= interval && head.time >= mark.time.advanced(by: age)
    } ?? 0
  }

  /// Forgets checkpoints that need not be kept. It is asked again with the size of the journal after that.
  ///
  /// - Parameter byteCount: The size of the journal.
  /// - Returns: The position of the checkpoint from which on the journal is kept; `nil` if all are kept.
  mutating func trim(_ byteCount: Int) -> Int? {
    guard let head = marks.last, let start = start(in: marks) else { return nil }
    let old = marks.lastIndex { head.time >= $0.time.advanced(by: retention.age) } ?? 0
    let base = min(start, byteCount > retention.byteCount ? max(old, 1) : old)
    guard base > 0 else { return nil }
    marks.removeFirst(base)
    return marks[0].position
  }
}
