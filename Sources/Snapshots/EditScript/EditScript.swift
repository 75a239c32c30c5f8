/// The edits that turn one list of sections into another, as positions.
///
/// The rules are those of ``Changeset``: `deletes` and `from` are positions in the old list,
/// `inserts` and `to` are positions in the new one, and the number of moves is minimal. Only
/// elements of sections that both lists have occur.
@usableFromInline
package struct EditScript: Equatable, Sendable {
  /// An element that both lists have.
  @usableFromInline
  package struct Transition: Hashable, Sendable {
    /// The position in the old list.
    @usableFromInline package var from: ElementPosition
    /// The position in the new list.
    @usableFromInline package var to: ElementPosition

    @inlinable
    package init(from: ElementPosition, to: ElementPosition) {
      self.from = from
      self.to = to
    }
  }

  /// The elements that are deleted, descending.
  package internal(set) var deletes: [ElementPosition] = []
  /// The elements that are inserted, ascending.
  package internal(set) var inserts: [ElementPosition] = []
  /// The elements that change their order among the kept ones, ascending by `to`.
  package internal(set) var moves: [Transition] = []
  /// The elements whose content changes, ascending by `to`.
  package internal(set) var updates: [Transition] = []

  /// The number of operations.
  @usableFromInline package var operationCount: Int {
    deletes.count + inserts.count + moves.count + updates.count
  }

  /// The memory of the operations, in bytes.
  var byteCount: Int {
    (deletes.count + inserts.count) * MemoryLayout<ElementPosition>.stride
      + (moves.count + updates.count) * MemoryLayout<Transition>.stride
  }

  /// Returns the script of a list, whose positions are in section 0, with those of sections.
  ///
  /// - Complexity: O(*n*), where *n* is the number of operations; O(1) for section 0.
  func between(_ oldSection: Int32, _ newSection: Int32) -> EditScript {
    if oldSection == 0 && newSection == 0 { return self }
    func old(_ position: ElementPosition) -> ElementPosition {
      ElementPosition(section: oldSection, row: position.row)
    }
    func new(_ position: ElementPosition) -> ElementPosition {
      ElementPosition(section: newSection, row: position.row)
    }
    var script = EditScript()
    script.deletes = deletes.map(old)
    script.inserts = inserts.map(new)
    script.moves = moves.map { Transition(from: old($0.from), to: new($0.to)) }
    script.updates = updates.map { Transition(from: old($0.from), to: new($0.to)) }
    return script
  }
}

extension EditScript {
  /// Finds the edit script that turns the old elements of all runs into the new ones.
  ///
  /// Elements are compared in place. A walk pairs those that keep their order, without hashing
  /// them. The leftovers of all runs are then joined by hash, so an element may also have come from
  /// another run or section. If this join finds pairs, all elements that are not in a longest
  /// increasing subsequence are moves.
  ///
  /// - Parameter runs: The runs in the order of the new list. Those of a section are adjacent and
  ///   in the order of both versions of the section. The elements of a section before, between and
  ///   behind its runs are the same in both lists, one by one.
  /// - Precondition: No section has more than 2^31 - 1 rows, and the runs together have no more
  ///   elements.
  /// - Complexity: O(*n* + *w* log *w*) expected, where *n* is the number of elements of the runs
  ///   in both lists and *w* the number of elements in the largest section whose order changed. The
  ///   number of allocations is bounded.
  @inlinable
  package init<Element: DifferenceElement & ~Copyable>(runs: [ElementRun<Element>]) {
    var oldCount = 0
    var newCount = 0
    for run in runs {
      oldCount += run.old.count
      newCount += run.new.count
    }
    // No memory holds so many elements: a row takes more than a hundred bytes.
    precondition(
      Swift.max(oldCount, newCount) <= Int32.max, "lists have at most 2^31 - 1 elements")
    self = Self.pairing(of: runs, rowCount: Swift.min(oldCount, newCount)).editScript()
  }

  /// Pairs the elements with the same identity. The tables are freed before the operations are
  /// listed, so the temporary memory of the two phases does not add up.
  @inlinable
  package static func pairing<Element: DifferenceElement & ~Copyable>(
    of runs: [ElementRun<Element>], rowCount: Int
  ) -> Pairing {
    var pairing = Pairing(runCount: runs.count, rowCount: rowCount)
    for run in runs {
      pairing.begin(
        PairedRun(
          oldStart: run.oldStart, newStart: run.newStart, oldCount: Int32(run.old.count),
          newCount: Int32(run.new.count)))
      var walk = RunWalk(run)
      walk.pair(into: &pairing)
      pairing.endRun()
    }
    pairing.numberLeftovers()
    if pairing.oldLeftoverCount > 0, pairing.newLeftoverCount > 0 {
      pairing.matchLeftovers(of: runs)
    }
    return pairing
  }
}

/// The position of an element in a list of sections, in 8 bytes, because the engine's temporary
/// memory holds many.
@usableFromInline
package struct ElementPosition: Hashable, Sendable {
  @usableFromInline package var section: Int32
  @usableFromInline package var row: Int32

  @inlinable
  package init(section: Int32, row: Int32) {
    self.section = section
    self.row = row
  }
}

extension ElementPosition: Comparable {
  /// Returns whether the left element comes before the right one.
  @inlinable
  package static func < (left: ElementPosition, right: ElementPosition) -> Bool {
    left.section == right.section ? left.row < right.row : left.section < right.section
  }
}
