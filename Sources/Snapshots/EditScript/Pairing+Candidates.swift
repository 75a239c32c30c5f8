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
