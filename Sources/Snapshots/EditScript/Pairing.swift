/// The pairs of elements that have the same identity in both lists. The phases of the engine add to
/// it, one after another.
///
/// The walk over each run adds stretches. The elements in the gaps between them, the leftovers, are
/// numbered through all runs and matched by hash. The edit script follows from both.
@usableFromInline
package struct Pairing {
  @usableFromInline package var runs: [PairedRun] = []
  /// The stretches of all runs, in the order of the new list.
  @usableFromInline package var stretches: [Stretch] = []
  /// The pairs of the walk whose content changed, in the order of the new list.
  @usableFromInline package var updates: [EditScript.Transition] = []
  /// The number of old elements in no stretch.
  @usableFromInline package var oldLeftoverCount = 0
  /// The number of new elements in no stretch.
  @usableFromInline package var newLeftoverCount = 0

  /// The rows of the old list's leftovers, in the order of the runs. Empty if the walk paired nothing.
  @usableFromInline package var oldLeftoverRows: [Int32] = []
  /// The rows of the new list's leftovers, in its order. Empty if the walk paired nothing.
  @usableFromInline package var newLeftoverRows: [Int32] = []
  /// By the ordinal of an old leftover: whether it is in a pair. Empty if none is.
  @usableFromInline package var isPaired: [Bool] = []
  /// By the ordinal of a new leftover: the ordinal of the old one it is paired with, or -1. Empty
  /// if all are -1.
  @usableFromInline package var origins: [Int32] = []
  /// The number of pairs of leftovers.
  @usableFromInline package var leftoverPairCount = 0
  /// The pairs of leftovers whose content changed, in the order of the new list.
  @usableFromInline package var leftoverUpdates: [EditScript.Transition] = []

  /// Creates an empty pairing.
  ///
  /// - Parameter rowCount: The number of elements of the shorter list.
  @usableFromInline
  package init(runCount: Int, rowCount: Int) {
    runs.reserveCapacity(runCount)
    // A quarter suffices for a change at every other row. More changes are rare enough to pay for
    // growing.
    stretches.reserveCapacity(rowCount / 4 + 2 * runCount)
  }

  /// Begins the run to which the next stretches belong.
  @usableFromInline
  package mutating func begin(_ run: PairedRun) {
    var run = run
    run.stretches = stretches.count..<stretches.count
    run.oldLeftoverStart = oldLeftoverCount
    run.newLeftoverStart = newLeftoverCount
    oldLeftoverCount += Int(run.oldCount)
    newLeftoverCount += Int(run.newCount)
    runs.append(run)
  }

  /// Appends a stretch.
  @inlinable
  package mutating func append(_ stretch: Stretch) {
    stretches.append(stretch)
    oldLeftoverCount -= Int(stretch.count)
    newLeftoverCount -= Int(stretch.count)
  }

  /// Ends the run.
  @usableFromInline
  package mutating func endRun() {
    let last = runs.count - 1
    runs[last].stretches = runs[last].stretches.lowerBound..<stretches.count
  }
}

extension Pairing {
  /// Returns the gaps of a run in order: before each stretch and behind the last one.
  @inlinable
  package func gaps(ofRun index: Int) -> Gaps {
    let run = runs[index]
    return Gaps(
      stretches: stretches[run.stretches], oldRows: run.oldStart.row..<run.oldEnd,
      newRows: run.newStart.row..<run.newEnd)
  }

  /// Returns the ordinals of a run's new leftovers.
  @inlinable
  package func newLeftovers(ofRun index: Int) -> Range<Int> {
    let next = index + 1
    return runs[index]
      .newLeftoverStart..<(next < runs.count ? runs[next].newLeftoverStart : newLeftoverCount)
  }
  /// Returns the ordinals of a run's old leftovers.
  @inlinable
  package func oldLeftovers(ofRun index: Int) -> Range<Int> {
    let next = index + 1
    return runs[index]
      .oldLeftoverStart..<(next < runs.count ? runs[next].oldLeftoverStart : oldLeftoverCount)
  }
  /// Returns the index of the run of an old leftover.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of runs.
  @inlinable
  package func runIndex(ofOldLeftover ordinal: Int) -> Int {
    // The last run that starts at or before the ordinal; of several that start there, only the last
    // one has leftovers.
    var low = 0
    var high = runs.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if runs[middle].oldLeftoverStart <= ordinal { low = middle } else { high = middle }
    }
    return low
  }

  /// Returns the row of an old leftover of a run.
  ///
  /// If the walk paired nothing, all rows are leftovers and the row is computed without reading
  /// memory: lists in no order ask for one row after another from all over a long list.
  @inlinable
  package func row(ofOldLeftover ordinal: Int, in run: PairedRun) -> Int32 {
    run.stretches.isEmpty
      ? run.oldStart.row + Int32(truncatingIfNeeded: ordinal - run.oldLeftoverStart)
      : oldLeftoverRows[ordinal]
  }

  /// Returns the row of a new leftover of a run, as that of an old one.
  @inlinable
  package func row(ofNewLeftover ordinal: Int, in run: PairedRun) -> Int32 {
    run.stretches.isEmpty
      ? run.newStart.row + Int32(truncatingIfNeeded: ordinal - run.newLeftoverStart)
      : newLeftoverRows[ordinal]
  }

  /// Returns the position of an old leftover.
  @inlinable
  package func position(ofOldLeftover ordinal: Int) -> ElementPosition {
    let run = runIndex(ofOldLeftover: ordinal)
    return ElementPosition(
      section: runs[run].oldStart.section, row: row(ofOldLeftover: ordinal, in: runs[run]))
  }
}

/// The position of a run and the indices of its elements in a ``Pairing``.
@usableFromInline
package struct PairedRun {
  @usableFromInline package let oldStart: ElementPosition
  @usableFromInline package let newStart: ElementPosition
  @usableFromInline package let oldCount: Int32
  @usableFromInline package let newCount: Int32
  /// The run's range in the stretches of all runs.
  @usableFromInline package var stretches = 0..<0
  /// The ordinal of the run's first leftover in the old list.
  @usableFromInline package var oldLeftoverStart = 0
  /// The ordinal of the run's first leftover in the new list.
  @usableFromInline package var newLeftoverStart = 0

  @usableFromInline
  package init(
    oldStart: ElementPosition, newStart: ElementPosition, oldCount: Int32, newCount: Int32
  ) {
    self.oldStart = oldStart
    self.newStart = newStart
    self.oldCount = oldCount
    self.newCount = newCount
  }

  @usableFromInline package var oldEnd: Int32 { oldStart.row + oldCount }
  @usableFromInline package var newEnd: Int32 { newStart.row + newCount }
}
