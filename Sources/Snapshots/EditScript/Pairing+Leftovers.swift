/// Matching what the walks left over, in all runs at once: the idea of Heckel (1978), whose table
/// of all elements comes down to one of the few that need it.
extension Pairing {
  /// Lists what the walks left over.
  ///
  /// - Complexity: O(*n*), where *n* is the number of stretches and left-overs.
  @usableFromInline
  package mutating func numberLeftovers() {
    oldLeftovers.reserveCapacity(oldLeftoverCount)
    newLeftoverRows.reserveCapacity(newLeftoverCount)
    for run in runs.indices {
      for gap in gaps(ofRun: run) {
        for row in gap.old { oldLeftovers.append(Leftover(run: Int32(run), row: row)) }
        for row in gap.new { newLeftoverRows.append(row) }
      }
    }
  }

  /// Lists all new left-overs as inserts.
  ///
  /// - Complexity: O(*n*), where *n* is their number.
  @usableFromInline
  package mutating func insertLeftovers() {
    inserts.reserveCapacity(newLeftoverCount)
    for run in runs.indices {
      for ordinal in newLeftovers(ofRun: run) {
        inserts.append(
          ElementPosition(section: runs[run].newStart.section, row: newLeftoverRows[ordinal]))
      }
    }
  }

  /// Pairs each new left-over with the old one that it is, by one table of the old ones, or lists
  /// it as an insert.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of left-overs of both lists.
  @inlinable
  package mutating func matchLeftovers<Element: DifferenceElement>(
    of elements: [ElementRun<Element>], table: inout IdentifierTable
  ) {
    table.clear(forCount: oldLeftoverCount)
    for (ordinal, hash) in oldHashes(of: elements, in: table).enumerated() {
      table.insert(ordinal, hash: hash) { other in
        let element = pointer(toOldLeftover: ordinal, of: elements)
        return pointer(toOldLeftover: other, of: elements).pointee.isSameItem(as: element.pointee)
      }
    }
    isPaired = [Bool](repeating: false, count: oldLeftoverCount)
    let candidates = candidates(of: elements, in: table)
    leftoverPairs.reserveCapacity(Swift.min(oldLeftoverCount, newLeftoverCount))
    inserts.reserveCapacity(newLeftoverCount)
    for run in runs.indices {
      let start = elements[run].newStart
      for ordinal in newLeftovers(ofRun: run) {
        let row = newLeftoverRows[ordinal]
        let position = ElementPosition(section: start.section, row: row)
        let element = elements[run].new(Int(row - start.row))
        let origin = origin(of: element, candidate: candidates[ordinal], elements, table)
        if let origin, !isPaired[origin] {
          let isUnchanged = pointer(toOldLeftover: origin, of: elements).pointee
            .hasSameContent(as: element.pointee)
          pair(origin, with: position, isUnchanged: isUnchanged)
        } else {
          inserts.append(position)
        }
      }
    }
  }

  /// The ordinal of the old left-over that a new element is, given the first one whose tag agrees.
  @inlinable
  package func origin<Element: DifferenceElement>(
    of element: UnsafePointer<Element>, candidate: UInt64, _ elements: [ElementRun<Element>],
    _ table: IdentifierTable
  ) -> Int? {
    if candidate == 0 { return nil }
    let first = IdentifierTable.index(in: candidate)
    if pointer(toOldLeftover: first, of: elements).pointee.isSameItem(as: element.pointee) {
      return first
    }
    return table.first(hash: element.pointee.identityHash(key: table.key)) {
      pointer(toOldLeftover: $0, of: elements).pointee.isSameItem(as: element.pointee)
    }
  }

  /// Notes that a new left-over is an old one.
  @usableFromInline
  package mutating func pair(_ origin: Int, with position: ElementPosition, isUnchanged: Bool) {
    isPaired[origin] = true
    let leftover = oldLeftovers[origin]
    let section = runs[Int(leftover.run)].oldStart.section
    let pair = EditScript.Transition(
      from: ElementPosition(section: section, row: leftover.row), to: position)
    leftoverPairs.append(pair)
    if !isUnchanged { leftoverUpdates.append(pair) }
  }

  /// The hashes of the old left-overs.
  ///
  /// They are gathered before any is looked up: in a loop that only reads from all over the memory
  /// the processor waits for many elements at once.
  @inlinable
  package func oldHashes<Element: DifferenceElement>(
    of elements: [ElementRun<Element>], in table: IdentifierTable
  ) -> [UInt64] {
    // Every ordinal below the count has its element, so that all is initialised.
    [UInt64](unsafeUninitializedCapacity: oldLeftoverCount) { hashes, count in
      for ordinal in oldLeftovers.indices {
        let element = pointer(toOldLeftover: ordinal, of: elements)
        hashes.initializeElement(at: ordinal, to: element.pointee.identityHash(key: table.key))
      }
      count = oldLeftoverCount
    }
  }

  /// For each new left-over the first slot of the table whose tag agrees, or 0: gathered likewise,
  /// first the hashes and then the slots.
  @inlinable
  package func candidates<Element: DifferenceElement>(
    of elements: [ElementRun<Element>], in table: IdentifierTable
  ) -> [UInt64] {
    // The runs' ordinals follow each other up to the count, so that all is initialised.
    [UInt64](unsafeUninitializedCapacity: newLeftoverCount) { candidates, count in
      for run in runs.indices {
        let start = elements[run].newStart.row
        for ordinal in newLeftovers(ofRun: run) {
          let element = elements[run].new(Int(newLeftoverRows[ordinal] - start))
          candidates.initializeElement(
            at: ordinal, to: element.pointee.identityHash(key: table.key))
        }
      }
      count = newLeftoverCount
      for ordinal in 0..<count { candidates[ordinal] = table.firstSlot(hash: candidates[ordinal]) }
    }
  }

  /// Where an old left-over lies.
  @inlinable
  package func pointer<Element>(
    toOldLeftover ordinal: Int, of elements: [ElementRun<Element>]
  ) -> UnsafePointer<Element> {
    let leftover = oldLeftovers[ordinal]
    let run = elements[Int(leftover.run)]
    return run.old(Int(leftover.row - run.oldStart.row))
  }
}
