/// Matching what the walks left over, in all runs at once: the idea of Heckel (1978), whose table
/// of all elements comes down to one of the few that need it.
extension Pairing {
  /// Lists what the walks left over.
  ///
  /// - Complexity: O(*n*), where *n* is the number of stretches and left-overs.
  @usableFromInline
  package mutating func numberLeftovers() {
    oldLeftoverRows.reserveCapacity(oldLeftoverCount)
    newLeftoverRows.reserveCapacity(newLeftoverCount)
    for run in runs.indices {
      for gap in gaps(ofRun: run) {
        // Row by row, because most gaps are of one row or two, and to append a range costs more.
        for row in gap.old { oldLeftoverRows.append(row) }
        for row in gap.new { newLeftoverRows.append(row) }
      }
    }
  }

  /// Pairs each new left-over with the old one that it is.
  ///
  /// A join of their hashes finds at most one candidate for each; then the elements are compared.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of left-overs of both lists.
  @inlinable
  package mutating func matchLeftovers<Element: DifferenceElement & ~Copyable>(
    of elements: [ElementRun<Element>], table: inout IdentifierTable
  ) {
    findCandidates(in: elements, key: table.key)
    let others = compareCandidates(in: elements)
    if !others.isEmpty { matchCollisions(of: others, in: elements, table: &table) }
  }

  /// Notes as the origin of each new left-over the first old one of its hash.
  @inlinable
  package mutating func findCandidates<Element: DifferenceElement & ~Copyable>(
    in elements: [ElementRun<Element>], key: UInt64
  ) {
    let join = HashJoin(oldCount: oldLeftoverCount, newCount: newLeftoverCount, key: key)
    origins = join.candidates { hashes in
      for run in runs.indices {
        for ordinal in oldLeftovers(ofRun: run) {
          hashes[ordinal] =
            pointer(toOldLeftover: ordinal, inRun: run, of: elements).pointee.identityHash(key: key)
        }
      }
    } hashNew: { hashes in
      for run in runs.indices {
        for ordinal in newLeftovers(ofRun: run) {
          hashes[ordinal] =
            pointer(toNewLeftover: ordinal, ofRun: elements[run]).pointee.identityHash(key: key)
        }
      }
    }
  }

  /// Notes that a new left-over is an old one.
  @inlinable
  package mutating func pair(_ ordinal: Int, ofRun run: Int, with origin: Int, isUnchanged: Bool) {
    origins[ordinal] = Int32(truncatingIfNeeded: origin)
    isPaired[origin] = true
    leftoverPairCount += 1
    if isUnchanged { return }
    leftoverUpdates.append(
      EditScript.Transition(
        from: position(ofOldLeftover: origin),
        to: ElementPosition(section: runs[run].newStart.section, row: newLeftoverRows[ordinal])))
  }

  /// Where an old left-over lies.
  @inlinable
  package func pointer<Element: ~Copyable>(
    toOldLeftover ordinal: Int, of elements: [ElementRun<Element>]
  ) -> UnsafePointer<Element> {
    let run = runIndex(ofOldLeftover: ordinal)
    return pointer(toOldLeftover: ordinal, inRun: run, of: elements)
  }

  /// Where an old left-over of a run lies.
  @inlinable
  package func pointer<Element: ~Copyable>(
    toOldLeftover ordinal: Int, inRun run: Int, of elements: [ElementRun<Element>]
  ) -> UnsafePointer<Element> {
    elements[run].old(
      Int(row(ofOldLeftover: ordinal, inRun: run) - elements[run].oldStart.row))
  }

  /// Where a new left-over lies.
  @inlinable
  package func pointer<Element: ~Copyable>(
    toNewLeftover ordinal: Int, ofRun run: ElementRun<Element>
  ) -> UnsafePointer<Element> {
    run.new(Int(newLeftoverRows[ordinal] - run.newStart.row))
  }
}
