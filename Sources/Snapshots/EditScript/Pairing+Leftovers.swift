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

  /// Pairs each new left-over with the old one that it is, by one table of the old ones.
  ///
  /// It goes on in blocks, and in steps through each: all hashes, then all slots at which a
  /// search begins, then the rest of the searches, then all elements. Within a step nothing waits
  /// for anything else, so that the processor fetches many elements at once from wherever in the
  /// memory they are; and a block stays in the first cache.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of left-overs of both lists.
  @inlinable
  package mutating func matchLeftovers<Element: DifferenceElement & ~Copyable>(
    of elements: [ElementRun<Element>], table: inout IdentifierTable
  ) {
    var hashes = [UInt64](repeating: 0, count: Self.blockCount)
    insertOldLeftovers(of: elements, into: &table, hashes: &hashes)
    isPaired = [Bool](repeating: false, count: oldLeftoverCount)
    origins = [Int32](repeating: -1, count: newLeftoverCount)
    for run in runs.indices {
      let ordinals = newLeftovers(ofRun: run)
      for start in stride(from: ordinals.lowerBound, to: ordinals.upperBound, by: Self.blockCount) {
        let block = start..<Swift.min(start + Self.blockCount, ordinals.upperBound)
        for ordinal in block {
          hashes[ordinal - start] =
            pointer(toNewLeftover: ordinal, ofRun: elements[run]).pointee
            .identityHash(key: table.key)
        }
        for ordinal in block {
          origins[ordinal] = Int32(
            bitPattern: table.firstContent(hash: hashes[ordinal - start]))
        }
        for ordinal in block {
          let candidate =
            origins[ordinal] == 0 ? nil : table.first(hash: hashes[ordinal - start]) { _ in true }
          origins[ordinal] = Int32(truncatingIfNeeded: candidate ?? -1)
        }
        for ordinal in block where origins[ordinal] >= 0 {
          let element = pointer(toNewLeftover: ordinal, ofRun: elements[run])
          let origin = origin(
            of: element, candidate: Int(origins[ordinal]), hash: hashes[ordinal - start], elements,
            table)
          if let origin, !isPaired[origin] {
            let isUnchanged = pointer(toOldLeftover: origin, of: elements).pointee
              .hasSameContent(as: element.pointee)
            pair(ordinal, ofRun: run, with: origin, isUnchanged: isUnchanged)
          } else {
            origins[ordinal] = -1
          }
        }
      }
    }
  }

  /// The number of elements that are looked up together.
  @inlinable
  package static var blockCount: Int { 64 }

  /// Fills the table.
  @inlinable
  package func insertOldLeftovers<Element: DifferenceElement & ~Copyable>(
    of elements: [ElementRun<Element>], into table: inout IdentifierTable, hashes: inout [UInt64]
  ) {
    table.clear(forCount: oldLeftoverCount, indicesBelow: oldLeftoverCount)
    for run in runs.indices {
      let start = elements[run].oldStart.row
      let ordinals = oldLeftovers(ofRun: run)
      for first in stride(from: ordinals.lowerBound, to: ordinals.upperBound, by: Self.blockCount) {
        let block = first..<Swift.min(first + Self.blockCount, ordinals.upperBound)
        for ordinal in block {
          hashes[ordinal - first] =
            elements[run].old(Int(oldLeftoverRows[ordinal] - start)).pointee
            .identityHash(key: table.key)
        }
        for ordinal in block {
          table.insert(ordinal, hash: hashes[ordinal - first]) { other in
            pointer(toOldLeftover: other, of: elements).pointee
              .isSameItem(as: pointer(toOldLeftover: ordinal, of: elements).pointee)
          }
        }
      }
    }
  }

  /// The first old left-over that a new element is, given the first one whose tag agrees.
  @inlinable
  package func origin<Element: DifferenceElement & ~Copyable>(
    of element: UnsafePointer<Element>, candidate: Int, hash: UInt64,
    _ elements: [ElementRun<Element>], _ table: IdentifierTable
  ) -> Int? {
    if pointer(toOldLeftover: candidate, of: elements).pointee.isSameItem(as: element.pointee) {
      return candidate
    }
    return table.first(hash: hash) {
      pointer(toOldLeftover: $0, of: elements).pointee.isSameItem(as: element.pointee)
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
    let run = elements[runIndex(ofOldLeftover: ordinal)]
    return run.old(Int(oldLeftoverRows[ordinal] - run.oldStart.row))
  }

  /// Where a new left-over lies.
  @inlinable
  package func pointer<Element: ~Copyable>(
    toNewLeftover ordinal: Int, ofRun run: ElementRun<Element>
  ) -> UnsafePointer<Element> {
    run.new(Int(newLeftoverRows[ordinal] - run.newStart.row))
  }
}
