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

/// Telling candidates that are the same item from those that only share its hash.
extension Pairing {
  /// Pairs the new left-overs with their candidates, and gives those that are other elements than
  /// these.
  ///
  /// It goes on in blocks, and in steps through each. Within a step nothing waits for anything else,
  /// so that the processor fetches many old elements at once from wherever in the memory they are
  /// (the group prefetching of Chen, Ailamaki, Gibbons and Mowry 2004); and a block stays in the
  /// first cache.
  ///
  /// - Complexity: O(*n*), where *n* is the number of new left-overs.
  @inlinable
  package mutating func compareCandidates<Element: DifferenceElement & ~Copyable>(
    in elements: [ElementRun<Element>]
  ) -> [Int32] {
    var others: [Int32] = []
    isPaired = [Bool](repeating: false, count: oldLeftoverCount)
    withUnsafeTemporaryAllocation(
      of: CandidatePair<Element>.self, capacity: Self.blockCount
    ) { pairs in
      for run in runs.indices {
        let ordinals = newLeftovers(ofRun: run)
        for start in stride(
          from: ordinals.lowerBound, to: ordinals.upperBound, by: Self.blockCount)
        {
          var count = 0
          // By the index of a pair: the distance of its new left-over from the first of the block.
          var offsets = SIMD64<UInt8>()
          for ordinal in start..<Swift.min(start + Self.blockCount, ordinals.upperBound)
          where origins[ordinal] >= 0 {
            pairs.initializeElement(
              at: count,
              to: CandidatePair(
                old: pointer(toOldLeftover: Int(origins[ordinal]), of: elements),
                new: pointer(toNewLeftover: ordinal, ofRun: elements[run])))
            offsets[count] = UInt8(truncatingIfNeeded: ordinal - start)
            count += 1
          }
          compare(
            UnsafeBufferPointer(rebasing: pairs[..<count]), offsets: offsets, from: start,
            inRun: run, others: &others)
        }
      }
    }
    return others
  }

  /// The number of elements that are compared together: one for each bit of a word.
  @inlinable
  package static var blockCount: Int { UInt64.bitWidth }

  /// Compares the candidates of one block.
  @inlinable
  package mutating func compare<Element: DifferenceElement & ~Copyable>(
    _ pairs: UnsafeBufferPointer<CandidatePair<Element>>, offsets: SIMD64<UInt8>,
    from start: Int, inRun run: Int, others: inout [Int32]
  ) {
    // Both have a bit for each pair.
    var identical: UInt64 = 0
    var same: UInt64 = 0
    for index in pairs.indices {
      let isIdentical = pairs[index].old.pointee.isIdentical(to: pairs[index].new.pointee)
      identical |= (isIdentical ? 1 : 0) &<< UInt64(truncatingIfNeeded: index)
    }
    var bytes = SIMD64<UInt8>()
    for index in pairs.indices where identical &>> UInt64(truncatingIfNeeded: index) & 1 == 0 {
      bytes[index] = pairs[index].old.pointee.identityByte
    }
    for index in pairs.indices where identical &>> UInt64(truncatingIfNeeded: index) & 1 == 0 {
      let isAlike = bytes[index] == pairs[index].new.pointee.identityByte
      same |= (isAlike ? 1 : 0) &<< UInt64(truncatingIfNeeded: index)
    }
    for index in pairs.indices where same &>> UInt64(truncatingIfNeeded: index) & 1 != 0 {
      if !pairs[index].old.pointee.isSameItem(as: pairs[index].new.pointee) {
        same ^= 1 &<< UInt64(truncatingIfNeeded: index)
      }
    }
    for index in pairs.indices {
      let ordinal = start + Int(offsets[index])
      let origin = Int(origins[ordinal])
      let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: index)
      if (identical | same) & bit == 0 {
        others.append(Int32(truncatingIfNeeded: ordinal))
        origins[ordinal] = -1
      } else if isPaired[origin] {
        origins[ordinal] = -1
      } else {
        let isUnchanged =
          identical & bit != 0
          || pairs[index].old.pointee.hasSameContent(as: pairs[index].new.pointee)
        pair(ordinal, ofRun: run, with: origin, isUnchanged: isUnchanged)
      }
    }
  }
}

/// The few left-overs whose candidate shares their hash and nothing else.
extension Pairing {
  /// Pairs new left-overs with the old ones that they are, by a table of all that are not paired yet,
  /// in which elements of one hash stand side by side.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of left-overs of both lists.
  @inlinable
  package mutating func matchCollisions<Element: DifferenceElement & ~Copyable>(
    of others: [Int32], in elements: [ElementRun<Element>], table: inout IdentifierTable
  ) {
    insertUnpaired(of: elements, into: &table)
    var run = 0
    for ordinal in others.lazy.map({ Int($0) }) {
      while !newLeftovers(ofRun: run).contains(ordinal) { run += 1 }
      let element = pointer(toNewLeftover: ordinal, ofRun: elements[run])
      let origin = table.first(hash: element.pointee.identityHash(key: table.key)) {
        pointer(toOldLeftover: $0, of: elements).pointee.isSameItem(as: element.pointee)
      }
      guard let origin, !isPaired[origin] else { continue }
      let isUnchanged = pointer(toOldLeftover: origin, of: elements).pointee
        .hasSameContent(as: element.pointee)
      pair(ordinal, ofRun: run, with: origin, isUnchanged: isUnchanged)
    }
  }

  /// Fills the table with the old left-overs that are in no pair.
  @inlinable
  package func insertUnpaired<Element: DifferenceElement & ~Copyable>(
    of elements: [ElementRun<Element>], into table: inout IdentifierTable
  ) {
    table.clear(forCount: oldLeftoverCount - leftoverPairCount, indicesBelow: oldLeftoverCount)
    for run in runs.indices {
      for ordinal in oldLeftovers(ofRun: run) where !isPaired[ordinal] {
        let element = pointer(toOldLeftover: ordinal, inRun: run, of: elements)
        table.insert(ordinal, hash: element.pointee.identityHash(key: table.key)) { other in
          pointer(toOldLeftover: other, of: elements).pointee.isSameItem(as: element.pointee)
        }
      }
    }
  }
}

/// Where a new left-over lies and the old one that has its hash: two pointers, so that a block of them
/// fits the stack.
@usableFromInline
package struct CandidatePair<Element: ~Copyable> {
  @usableFromInline package let old: UnsafePointer<Element>
  @usableFromInline package let new: UnsafePointer<Element>

  @inlinable
  package init(old: UnsafePointer<Element>, new: UnsafePointer<Element>) {
    self.old = old
    self.new = new
  }
}
