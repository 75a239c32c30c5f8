/// Which elements of two lists are one item: what the phases of the engine add to, one after
/// another.
///
/// The walk over each run adds stretches. What it leaves over in the gaps between them is numbered
/// through all runs, and matched by its hash. The edit script follows from both.
@usableFromInline
package struct Pairing {
  @usableFromInline package var runs: [PairedRun] = []
  /// Those of all runs, in the order of the new list.
  @usableFromInline package var stretches: [Stretch] = []
  /// The changed pairs of the walk, in the order of the new list.
  @usableFromInline package var updates: [EditScript.Transition] = []
  /// How many old elements are in no stretch.
  @usableFromInline package var oldLeftoverCount = 0
  /// How many new elements are in no stretch.
  @usableFromInline package var newLeftoverCount = 0

  /// The rows of the old list's left-overs, in the order of the runs.
  @usableFromInline package var oldLeftoverRows: [Int32] = []
  /// The rows of the new list's left-overs, in its order.
  @usableFromInline package var newLeftoverRows: [Int32] = []
  /// By the ordinal of an old left-over: whether it is in a pair. Empty if none is.
  @usableFromInline package var isPaired: [Bool] = []
  /// By the ordinal of a new left-over: that of the old one that it is, or -1. Empty if all are -1.
  @usableFromInline package var origins: [Int32] = []
  /// How many pairs of left-overs there are.
  @usableFromInline package var leftoverPairCount = 0
  /// The changed ones of them, in the order of the new list.
  @usableFromInline package var leftoverUpdates: [EditScript.Transition] = []

  /// - Parameter rowCount: The number of elements of the shorter list.
  @usableFromInline
  package init(runCount: Int, rowCount: Int) {
    runs.reserveCapacity(runCount)
    // A quarter is room for a change at every other row; more than that is rare enough to pay for
    // growing.
    stretches.reserveCapacity(rowCount / 4 + 2 * runCount)
  }

  /// Begins the run to which stretches are added from now on.
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

  /// Adds a stretch behind all others.
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
  /// The gaps of a run in order: before each stretch and behind the last.
  @inlinable
  package func gaps(ofRun index: Int) -> Gaps {
    let run = runs[index]
    return Gaps(
      stretches: stretches[run.stretches], oldRows: run.oldStart.row..<run.oldEnd,
      newRows: run.newStart.row..<run.newEnd)
  }

  /// The ordinals of a run's new left-overs.
  @inlinable
  package func newLeftovers(ofRun index: Int) -> Range<Int> {
    let next = index + 1
    return runs[index]
      .newLeftoverStart..<(next < runs.count ? runs[next].newLeftoverStart : newLeftoverCount)
  }
  /// The ordinals of a run's old left-overs.
  @inlinable
  package func oldLeftovers(ofRun index: Int) -> Range<Int> {
    let next = index + 1
    return runs[index]
      .oldLeftoverStart..<(next < runs.count ? runs[next].oldLeftoverStart : oldLeftoverCount)
  }
  /// The run of an old left-over.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of runs.
  @inlinable
  package func runIndex(ofOldLeftover ordinal: Int) -> Int {
    // The last run that begins at the ordinal or before it: those without left-overs come first.
    var low = 0
    var high = runs.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if runs[middle].oldLeftoverStart <= ordinal { low = middle } else { high = middle }
    }
    return low
  }

  /// The row of an old left-over of a run.
  ///
  /// Where the walk has paired nothing, all rows are left over, and nothing has to be read: lists in
  /// no order ask this for one row after another from all over a long list.
  @inlinable
  package func row(ofOldLeftover ordinal: Int, inRun index: Int) -> Int32 {
    runs[index].stretches.isEmpty
      ? runs[index].oldStart.row
        + Int32(truncatingIfNeeded: ordinal - runs[index].oldLeftoverStart)
      : oldLeftoverRows[ordinal]
  }

  /// The position of an old left-over.
  @inlinable
  package func position(ofOldLeftover ordinal: Int) -> ElementPosition {
    let run = runIndex(ofOldLeftover: ordinal)
    return ElementPosition(
      section: runs[run].oldStart.section, row: row(ofOldLeftover: ordinal, inRun: run))
  }
}

/// Where a run stands and where in a ``Pairing`` its elements are.
@usableFromInline
package struct PairedRun {
  @usableFromInline package let oldStart: ElementPosition
  @usableFromInline package let newStart: ElementPosition
  @usableFromInline package let oldCount: Int32
  @usableFromInline package let newCount: Int32
  /// Its stretches among those of all runs.
  @usableFromInline package var stretches = 0..<0
  /// The ordinal of its first left-over among those of the old list.
  @usableFromInline package var oldLeftoverStart = 0
  /// The ordinal of its first left-over among those of the new list.
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
