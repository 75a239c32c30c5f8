/// What turns one list of sections into another, as positions.
///
/// The rules are those of ``Changeset``: `deletes` and `from` are positions in the old list,
/// `inserts` and `to` in the new one, and the moves are the fewest there are. Only elements of
/// sections that stand in both lists occur.
@usableFromInline
package struct EditScript: Equatable {
  /// An element that stands in both lists.
  @usableFromInline
  package struct Transition: Hashable {
    /// Its position in the old list.
    @usableFromInline package var from: ElementPosition
    /// Its position in the new list.
    @usableFromInline package var to: ElementPosition

    @inlinable
    package init(from: ElementPosition, to: ElementPosition) {
      self.from = from
      self.to = to
    }
  }

  /// The elements that go, descending.
  package internal(set) var deletes: [ElementPosition] = []
  /// The elements that come, ascending.
  package internal(set) var inserts: [ElementPosition] = []
  /// The elements that change their place among those that stay, ascending by `to`.
  package internal(set) var moves: [Transition] = []
  /// The elements that change what they say, ascending by `to`.
  package internal(set) var updates: [Transition] = []

  /// The number of operations.
  @usableFromInline package var operationCount: Int {
    deletes.count + inserts.count + moves.count + updates.count
  }
}

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

/// The position of an element in a list of sections, in 8 bytes: an engine's scratch has many.
@usableFromInline
package struct ElementPosition: Hashable {
  @usableFromInline package var section: Int32
  @usableFromInline package var row: Int32

  @inlinable
  package init(section: Int32, row: Int32) {
    self.section = section
    self.row = row
  }
}

extension ElementPosition: Comparable {
  /// Whether the left element stands before the right one.
  @inlinable
  package static func < (left: ElementPosition, right: ElementPosition) -> Bool {
    left.section == right.section ? left.row < right.row : left.section < right.section
  }
}
