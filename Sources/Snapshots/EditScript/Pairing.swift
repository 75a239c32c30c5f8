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

  /// The left-overs of the old list, in the order of the runs.
  @usableFromInline package var oldLeftovers: [Leftover] = []
  /// By the ordinal of an old left-over: whether it is in a pair. Empty if none is.
  @usableFromInline package var isPaired: [Bool] = []
  /// The rows of the new list's left-overs, in its order.
  @usableFromInline package var newLeftoverRows: [Int32] = []
  /// The pairs of left-overs, in the order of the new list.
  @usableFromInline package var leftoverPairs: [EditScript.Transition] = []
  /// The changed ones of them.
  @usableFromInline package var leftoverUpdates: [EditScript.Transition] = []
  /// The new left-overs that are in no pair, in the order of the new list.
  @usableFromInline package var inserts: [ElementPosition] = []

  /// An old element in no stretch.
  @usableFromInline
  package struct Leftover {
    @usableFromInline package let run: Int32
    /// Its row in its section.
    @usableFromInline package let row: Int32

    @inlinable
    package init(run: Int32, row: Int32) {
      self.run = run
      self.row = row
    }
  }

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
}
