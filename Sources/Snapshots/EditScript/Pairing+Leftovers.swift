/// The matching of the leftovers of all runs. The idea is that of Heckel (1978), with a table of
/// only those elements that need it instead of all.
extension Pairing {
  /// Lists the elements in the gaps between the stretches.
  ///
  /// - Complexity: O(*n*), where *n* is the number of stretches and leftovers.
  @usableFromInline
  package mutating func numberLeftovers() {
    if stretches.isEmpty { return }
    oldLeftoverRows.reserveCapacity(oldLeftoverCount)
    newLeftoverRows.reserveCapacity(newLeftoverCount)
    for run in runs.indices {
      for gap in gaps(ofRun: run) {
        // Row by row, because most gaps have one or two rows, and appending a range costs more.
        for row in gap.old { oldLeftoverRows.append(row) }
        for row in gap.new { newLeftoverRows.append(row) }
      }
    }
  }

  /// Pairs each new leftover with the old one that has the same identity.
  ///
  /// A hash join finds at most one candidate for each, and then the elements are compared.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of leftovers of both lists.
  @inlinable
  package mutating func matchLeftovers<Element: DifferenceElement & ~Copyable>(
    of elements: [ElementRun<Element>]
  ) {
    findCandidates(in: elements, key: ProcessKey.value)
    if origins.isEmpty { return }
    let others = compareCandidates(in: elements)
    if others.isEmpty { return }
    let unpairedCount = oldLeftoverCount - leftoverPairCount
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 * unpairedCount + 1) { slots in
      let table = IdentifierTable(
        in: slots, indicesBelow: oldLeftoverCount, key: ProcessKey.value)
      matchCollisions(of: others, in: elements, table: table)
    }
  }

  /// Sets the origin of each new leftover to the first old one with the same hash.
  @inlinable
  package mutating func findCandidates<Element: DifferenceElement & ~Copyable>(
    in elements: [ElementRun<Element>], key: UInt64
  ) {
    let join = HashJoin(oldCount: oldLeftoverCount, newCount: newLeftoverCount, key: key)
    origins = join.candidates(
      of: LeftoverHashes(of: self, in: elements, areOld: true, key: key),
      LeftoverHashes(of: self, in: elements, areOld: false, key: key))
  }

  /// Pairs a new leftover with an old one.
  @inlinable
  package mutating func pair(_ ordinal: Int, ofRun run: Int, with origin: Int, isUnchanged: Bool) {
    origins[ordinal] = Int32(truncatingIfNeeded: origin)
    isPaired[origin] = true
    leftoverPairCount += 1
    if isUnchanged { return }
    leftoverUpdates.append(
      EditScript.Transition(
        from: position(ofOldLeftover: origin),
        to: ElementPosition(
          section: runs[run].newStart.section, row: row(ofNewLeftover: ordinal, in: runs[run]))))
  }

  /// Returns the address of an old leftover.
  @inlinable
  package func pointer<Element: ~Copyable>(
    toOldLeftover ordinal: Int, of elements: [ElementRun<Element>]
  ) -> UnsafePointer<Element> {
    let run = runIndex(ofOldLeftover: ordinal)
    return pointer(toOldLeftover: ordinal, inRun: run, of: elements)
  }

  /// Returns the address of an old leftover of a run.
  @inlinable
  package func pointer<Element: ~Copyable>(
    toOldLeftover ordinal: Int, inRun run: Int, of elements: [ElementRun<Element>]
  ) -> UnsafePointer<Element> {
    elements[run].old(
      Int(row(ofOldLeftover: ordinal, in: runs[run]) - elements[run].oldStart.row))
  }

  /// Returns the address of a new leftover of a run.
  @inlinable
  package func pointer<Element: ~Copyable>(
    toNewLeftover ordinal: Int, inRun run: Int, of elements: [ElementRun<Element>]
  ) -> UnsafePointer<Element> {
    elements[run].new(
      Int(row(ofNewLeftover: ordinal, in: runs[run]) - elements[run].newStart.row))
  }
}

/// The comparison of candidates, of which some have only the hash in common.
extension Pairing {
  /// Pairs each new leftover with its candidate if they have the same identity, and returns the
  /// ones whose candidate has another identity.
  ///
  /// The comparison goes on in blocks, and in several passes over each block. Within a pass no
  /// element depends on another one, so the processor fetches many distant old elements in parallel
  /// (the group prefetching of Chen, Ailamaki, Gibbons and Mowry, 2004). A block stays in the
  /// first-level cache.
  ///
  /// - Complexity: O(*n*), where *n* is the number of new leftovers.
  @inlinable
  package mutating func compareCandidates<Element: DifferenceElement & ~Copyable>(
    in elements: [ElementRun<Element>]
  ) -> [Int32] {
    var others: [Int32] = []
    isPaired = [Bool](repeating: false, count: oldLeftoverCount)
    withUnsafeTemporaryAllocation(
      of: CandidatePair<Element>.self, capacity: Self.blockCount
    ) { pairs in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * Self.blockCount) { bytes in
        // By the index of a pair: the distance of its new leftover from the first one of the block, and
        // the identity byte of its old one.
        let offsets = UnsafeMutableBufferPointer(rebasing: bytes[..<Self.blockCount])
        let oldBytes = UnsafeMutableBufferPointer(rebasing: bytes[Self.blockCount...])
        for run in runs.indices {
          let ordinals = newLeftovers(ofRun: run)
          for start in stride(
            from: ordinals.lowerBound, to: ordinals.upperBound, by: Self.blockCount)
          {
            var count = 0
            for ordinal in start..<Swift.min(start + Self.blockCount, ordinals.upperBound)
            where origins[ordinal] >= 0 {
              pairs.initializeElement(
                at: count,
                to: CandidatePair(
                  old: pointer(toOldLeftover: Int(origins[ordinal]), of: elements),
                  new: pointer(toNewLeftover: ordinal, inRun: run, of: elements)))
              offsets.initializeElement(at: count, to: UInt8(truncatingIfNeeded: ordinal - start))
              count += 1
            }
            compare(
              UnsafeBufferPointer(rebasing: pairs[..<count]), offsets: UnsafeBufferPointer(offsets),
              oldBytes: oldBytes, from: start, inRun: run, others: &others)
          }
        }
      }
    }
    return others
  }

  /// The number of elements in a block: one for each bit of a word.
  @inlinable
  package static var blockCount: Int { UInt64.bitWidth }

  /// Compares the candidates of one block.
  @inlinable
  package mutating func compare<Element: DifferenceElement & ~Copyable>(
    _ pairs: UnsafeBufferPointer<CandidatePair<Element>>, offsets: UnsafeBufferPointer<UInt8>,
    oldBytes: UnsafeMutableBufferPointer<UInt8>, from start: Int, inRun run: Int,
    others: inout [Int32]
  ) {
    // One bit for each pair: whether the elements are one object, maybe have the same identity, and
    // have it with another content.
    var identical: UInt64 = 0
    var same: UInt64 = 0
    var updated: UInt64 = 0
    for index in pairs.indices {
      let isIdentical = pairs[index].old.pointee.isIdentical(to: pairs[index].new.pointee)
      identical |= (isIdentical ? 1 : 0) &<< UInt64(truncatingIfNeeded: index)
    }
    for index in pairs.indices where identical &>> UInt64(truncatingIfNeeded: index) & 1 == 0 {
      oldBytes.initializeElement(at: index, to: pairs[index].old.pointee.identityByte)
    }
    for index in pairs.indices where identical &>> UInt64(truncatingIfNeeded: index) & 1 == 0 {
      let isAlike = oldBytes[index] == pairs[index].new.pointee.identityByte
      same |= (isAlike ? 1 : 0) &<< UInt64(truncatingIfNeeded: index)
    }
    for index in pairs.indices where same &>> UInt64(truncatingIfNeeded: index) & 1 != 0 {
      let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: index)
      switch pairs[index].old.pointee.relation(to: pairs[index].new.pointee) {
      case .equal: break
      case .updated: updated |= bit
      case .unrelated: same ^= bit
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
        pair(ordinal, ofRun: run, with: origin, isUnchanged: updated & bit == 0)
      }
    }
  }
}

/// The rare leftovers whose candidate has only the hash in common.
extension Pairing {
  /// Pairs new leftovers with old ones of the same identity by a table of all unpaired ones, in
  /// which elements with equal hashes occupy separate slots.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of leftovers of both lists.
  @inlinable
  package mutating func matchCollisions<Element: DifferenceElement & ~Copyable>(
    of others: [Int32], in elements: [ElementRun<Element>], table: IdentifierTable
  ) {
    insertUnpaired(of: elements, into: table)
    var run = 0
    for ordinal in others.lazy.map({ Int($0) }) {
      while !newLeftovers(ofRun: run).contains(ordinal) { run += 1 }
      let element = pointer(toNewLeftover: ordinal, inRun: run, of: elements)
      let origin = table.first(hash: element.pointee.identityHash(key: table.key)) {
        pointer(toOldLeftover: $0, of: elements).pointee.isSameItem(as: element.pointee)
      }
      guard let origin, !isPaired[origin] else { continue }
      let isUnchanged = pointer(toOldLeftover: origin, of: elements).pointee
        .hasSameContent(as: element.pointee)
      pair(ordinal, ofRun: run, with: origin, isUnchanged: isUnchanged)
    }
  }

  /// Fills the table with the unpaired old leftovers.
  @inlinable
  package func insertUnpaired<Element: DifferenceElement & ~Copyable>(
    of elements: [ElementRun<Element>], into table: IdentifierTable
  ) {
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

/// The addresses of a new leftover and of the old one with the same hash: two pointers, so that a
/// block of pairs fits on the stack.
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

/// The hashes of the leftovers of one list, in order.
@usableFromInline
package struct LeftoverHashes<Leftover: DifferenceElement & ~Copyable>: Sequence, IteratorProtocol {
  @usableFromInline package let runs: [PairedRun]
  @usableFromInline package let elements: [ElementRun<Leftover>]
  @usableFromInline package let areOld: Bool
  /// The rows of the leftovers of runs of which the walk paired something.
  @usableFromInline package let rows: [Int32]
  @usableFromInline package let count: Int
  @usableFromInline package let key: UInt64

  @usableFromInline package var ordinal = 0
  @usableFromInline package var run = -1
  /// The end of the ordinals of the run.
  @usableFromInline package var end = 0
  /// The elements of the run.
  @usableFromInline package var list = UnsafeBufferPointer<Leftover>(start: nil, count: 0)
  /// The row of the first of them; the first ordinal if all of them are leftovers.
  @usableFromInline package var start = 0
  @usableFromInline package var isWhole = false

  /// - Parameter areOld: Whether they are the leftovers of the old list.
  @inlinable
  package init(of pairing: Pairing, in elements: [ElementRun<Leftover>], areOld: Bool, key: UInt64)
  {
    runs = pairing.runs
    self.elements = elements
    self.areOld = areOld
    rows = areOld ? pairing.oldLeftoverRows : pairing.newLeftoverRows
    count = areOld ? pairing.oldLeftoverCount : pairing.newLeftoverCount
    self.key = key
  }

  @inlinable
  package mutating func next() -> UInt64? {
    if ordinal == end {
      if ordinal == count { return nil }
      beginRun()
    }
    let place = isWhole ? ordinal : Int(rows[ordinal])
    ordinal &+= 1
    // The base address is not `nil`, because the run has a leftover.
    return list.baseAddress.unsafelyUnwrapped[place &- start].identityHash(key: key)
  }

  /// Goes on to the next run with leftovers.
  @inlinable
  package mutating func beginRun() {
    repeat {
      run += 1
      let next = run + 1
      end =
        next == runs.count
        ? count : areOld ? runs[next].oldLeftoverStart : runs[next].newLeftoverStart
    } while ordinal == end
    list = areOld ? elements[run].old : elements[run].new
    isWhole = runs[run].stretches.isEmpty
    start = isWhole ? ordinal : Int((areOld ? runs[run].oldStart : runs[run].newStart).row)
  }
}
