extension EditScript {
  /// Finds what turns the old elements of all runs into the new ones.
  ///
  /// Elements are compared where they lie. Those in order are paired by a walk without hashing
  /// them; what is left over in any run is joined by its hash with the rest of all runs, so that an
  /// element may also have come from another run or section. Where that has paired something, all
  /// but a longest increasing subsequence has moved.
  ///
  /// - Parameter runs: In the order of the new list; those of one section stand together, in the
  ///   order of both sections. What lies between two runs of a section, before the first and behind
  ///   the last is the same in both sections, element by element.
  /// - Complexity: O(*n* + *w* log *w*) expected, where *n* is the number of elements of the runs in
  ///   both lists and *w* that of elements in the largest section whose order changed. The scratch
  ///   is a bounded number of allocations.
  /// - Precondition: No section has more than 2^31 - 1 rows, nor the runs more elements together.
  @inlinable
  package init<Element: DifferenceElement & ~Copyable>(runs: [ElementRun<Element>]) {
    var oldCount = 0
    var newCount = 0
    for run in runs {
      oldCount += run.old.count
      newCount += run.new.count
    }
    // No memory holds that many: a row takes more than a hundred bytes.
    precondition(
      Swift.max(oldCount, newCount) <= Int32.max, "lists have at most 2^31 - 1 elements")
    self = Self.pairing(of: runs, rowCount: Swift.min(oldCount, newCount)).editScript()
  }

  /// Which elements are one item. The table is gone when the operations are listed, so that the
  /// scratch of both phases never adds up.
  @inlinable
  package static func pairing<Element: DifferenceElement & ~Copyable>(
    of runs: [ElementRun<Element>], rowCount: Int
  ) -> Pairing {
    var pairing = Pairing(runCount: runs.count, rowCount: rowCount)
    var table = IdentifierTable()
    for run in runs {
      pairing.begin(
        PairedRun(
          oldStart: run.oldStart, newStart: run.newStart, oldCount: Int32(run.old.count),
          newCount: Int32(run.new.count)))
      var walk = RunWalk(run)
      walk.pair(into: &pairing, anchors: &table)
      pairing.endRun()
    }
    pairing.numberLeftovers()
    if pairing.oldLeftoverCount > 0, pairing.newLeftoverCount > 0 {
      pairing.matchLeftovers(of: runs, table: &table)
    }
    return pairing
  }

  /// Finds what turns one list without sections into another: all positions are of section 0.
  ///
  /// - Complexity: O(*n* + *w* log *w*) expected, where *n* is the number of elements of both lists
  ///   and *w* that between their common ends.
  @inlinable
  package init<Element: DifferenceElement & ~Copyable>(
    from old: UnsafeBufferPointer<Element>, to new: UnsafeBufferPointer<Element>
  ) {
    let start = ElementPosition(section: 0, row: 0)
    self.init(runs: [ElementRun(oldStart: start, newStart: start, old: old, new: new)])
  }
}
