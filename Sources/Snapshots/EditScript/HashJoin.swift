/// A hash join of old and new elements. All its random accesses stay in the processor's second-level
/// cache, whatever the length of the lists.
///
/// A list that is too long for one table is first partitioned by one sequential pass into *clusters*
/// by the upper bits of the hashes. Equal hashes are in clusters of the same number, so a hash table
/// for one cluster at a time suffices (the radix-cluster of Manegold, Boncz and Kersten, 2002). Each
/// element is moved as a word of 64 bits. Its lower bits are the ordinal plus one, as many bits as the
/// largest ordinal needs, because a word of zero marks a free slot. The other bits are the upper bits
/// of the hash.
///
/// The hashes are mixed with a random key of this process, so clients cannot choose elements that
/// share a cluster or a slot. Equal hash bits are only a hint; the caller compares the elements.
@usableFromInline
package struct HashJoin {
  /// The bits of a word that hold the ordinal plus one.
  @usableFromInline package let ordinalMask: UInt64
  /// The number of upper bits of a word that are the number of its cluster.
  @usableFromInline package let clusterBits: Int
  @usableFromInline package let oldCount: Int
  @usableFromInline package let newCount: Int
  @usableFromInline package let key: UInt64

  /// The number of old elements above which a cluster is split: with four slots of 8 bytes for each
  /// element, a table takes 512 KiB.
  package static let clusterSize = 16_384
  /// A limit on the number of clusters, because each one being filled needs a line in the
  /// first-level cache and an address translation. Very long lists have larger clusters instead.
  private static let maximumClusterBits = 10

  /// Creates a join of two lists.
  ///
  /// - Precondition: The counts are below 2^31.
  @usableFromInline
  package init(oldCount: Int, newCount: Int, key: UInt64) {
    let largest = max(oldCount, newCount)
    precondition(largest <= Int32.max, "an ordinal has at most 31 bits")
    ordinalMask = UInt64.max >> UInt64(UInt64(largest).leadingZeroBitCount)
    let clusters = (oldCount + Self.clusterSize - 1) / Self.clusterSize
    let bits = clusters <= 1 ? 0 : Int.bitWidth - (clusters - 1).leadingZeroBitCount
    clusterBits = min(bits, Self.maximumClusterBits)
    self.oldCount = oldCount
    self.newCount = newCount
    self.key = key
  }

  /// Returns, by the ordinal of a new element, the ordinal of the first old element with the same
  /// hash, or -1. The list is empty if there is none for all of them.
  ///
  /// - Parameters:
  ///   - oldHashes: The hashes of the old elements in order.
  ///   - newHashes: The hashes of the new elements in order.
  /// - Complexity: O(*n*) expected, where *n* is the number of elements in both lists.
  @inlinable
  package func candidates(
    of oldHashes: some Sequence<UInt64>, _ newHashes: some Sequence<UInt64>
  ) -> [Int32] {
    var found: UInt64 = 0
    let candidates = [Int32](unsafeUninitializedCapacity: newCount) { candidates, count in
      if clusterBits == 0 {
        found = join(oldHashes, newHashes, candidates: candidates)
      } else {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: oldCount + newCount) { words in
          var (oldOrdinal, newOrdinal) = (0, 0)
          let old = UnsafeMutableBufferPointer(rebasing: words[..<oldCount])
          for hash in oldHashes {
            old.initializeElement(at: oldOrdinal, to: word(hash: hash, ordinal: oldOrdinal))
            oldOrdinal += 1
          }
          let new = UnsafeMutableBufferPointer(rebasing: words[oldCount...])
          for hash in newHashes {
            new.initializeElement(at: newOrdinal, to: word(hash: hash, ordinal: newOrdinal))
            newOrdinal += 1
          }
          found = joinClusters(
            UnsafeBufferPointer(old), UnsafeBufferPointer(new), candidates: candidates)
        }
      }
      // Each ordinal is in exactly one word, so all candidates are initialised.
      count = newCount
    }
    return found == 0 ? [] : candidates
  }

  /// Finds the candidates of lists that fit into one table.
  ///
  /// - Returns: 0 if there are none.
  @inlinable
  package func join(
    _ oldHashes: some Sequence<UInt64>, _ newHashes: some Sequence<UInt64>,
    candidates: UnsafeMutableBufferPointer<Int32>
  ) -> UInt64 {
    withUnsafeTemporaryAllocation(
      of: UInt64.self, capacity: Self.slotCount(for: oldCount)
    ) { slots in
      slots.initialize(repeating: 0)
      // Variables of this closure, so that they stay in registers.
      var ordinal = 0
      for hash in oldHashes {
        enter(word(hash: hash, ordinal: ordinal), in: slots)
        ordinal &+= 1
      }
      var found: UInt64 = 0
      ordinal = 0
      for hash in newHashes {
        found |= find(word(hash: hash, ordinal: ordinal), in: slots, candidates: candidates)
        ordinal &+= 1
      }
      return found
    }
  }

  /// Returns the word of an element.
  @inlinable @inline(__always)
  package func word(hash: UInt64, ordinal: Int) -> UInt64 {
    FoldedHash.fold(hash ^ key, FoldedHash.multiplier) & ~ordinalMask
      | UInt64(truncatingIfNeeded: ordinal &+ 1)
  }

  /// Finds the candidates of lists that are too long for one table, cluster by cluster.
  ///
  /// - Returns: 0 if there are none.
  @usableFromInline
  package func joinClusters(
    _ old: UnsafeBufferPointer<UInt64>, _ new: UnsafeBufferPointer<UInt64>,
    candidates: UnsafeMutableBufferPointer<Int32>
  ) -> UInt64 {
    let clusterCount = 1 << clusterBits
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: oldCount + newCount) { words in
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * clusterCount) { ends in
        ends.initialize(repeating: 0)
        let oldWords = UnsafeMutableBufferPointer(rebasing: words[..<oldCount])
        let oldEnds = UnsafeMutableBufferPointer(rebasing: ends[..<clusterCount])
        cluster(old, into: oldWords, ends: oldEnds)
        let newWords = UnsafeMutableBufferPointer(rebasing: words[oldCount...])
        let newEnds = UnsafeMutableBufferPointer(rebasing: ends[clusterCount...])
        cluster(new, into: newWords, ends: newEnds)
        var largest = Int(oldEnds[0])
        for (start, end) in zip(oldEnds, oldEnds.dropFirst()) {
          largest = max(largest, Int(end - start))
        }
        return withUnsafeTemporaryAllocation(
          of: UInt64.self, capacity: Self.slotCount(for: largest)
        ) { allSlots in
          var found: UInt64 = 0
          var (oldStart, newStart) = (0, 0)
          for (oldEnd, newEnd) in zip(oldEnds, newEnds) {
            let (oldEnd, newEnd) = (Int(oldEnd), Int(newEnd))
            let slots = UnsafeMutableBufferPointer(
              rebasing: allSlots[..<Self.slotCount(for: oldEnd - oldStart)])
            slots.initialize(repeating: 0)
            for word in oldWords[oldStart..<oldEnd] { enter(word, in: slots) }
            for word in newWords[newStart..<newEnd] {
              found |= find(word, in: slots, candidates: candidates)
            }
            (oldStart, newStart) = (oldEnd, newEnd)
          }
          return found
        }
      }
    }
  }

  /// Writes the words of a list cluster by cluster, each cluster in the order of the list. Initially
  /// `ends` is all zeros; afterwards it has the end of each cluster.
  private func cluster(
    _ list: UnsafeBufferPointer<UInt64>, into words: UnsafeMutableBufferPointer<UInt64>,
    ends: UnsafeMutableBufferPointer<Int32>
  ) {
    for word in list { ends[cluster(of: word)] += 1 }
    // First the start of each cluster, which advances to its end while the cluster is filled.
    var start: Int32 = 0
    for cluster in ends.indices {
      let count = ends[cluster]
      ends[cluster] = start
      start += count
    }
    for word in list {
      let cluster = cluster(of: word)
      words.initializeElement(at: Int(ends[cluster]), to: word)
      ends[cluster] += 1
    }
  }

  /// The number of slots for some elements: so few of them are taken that most searches end at once,
  /// as the processor expects.
  @inlinable
  package static func slotCount(for count: Int) -> Int { 4 * count + 1 }

  /// Enters the word of an old element into a table.
  @inlinable @inline(__always)
  package func enter(_ word: UInt64, in slots: UnsafeMutableBufferPointer<UInt64>) {
    let slot = slot(for: word, in: slots)
    // Only the first of several elements with the same hash is in the table, so that searches stay
    // short.
    if slots[slot] == 0 { slots[slot] = word }
  }

  /// Finds the candidate of a new element.
  ///
  /// - Returns: 0 if there is none.
  @inlinable @inline(__always)
  package func find(
    _ word: UInt64, in slots: UnsafeMutableBufferPointer<UInt64>,
    candidates: UnsafeMutableBufferPointer<Int32>
  ) -> UInt64 {
    let found = slots[slot(for: word, in: slots)]
    // A free slot is 0, so a search without result gives -1.
    candidates.initializeElement(
      at: ordinal(of: word), to: Int32(truncatingIfNeeded: found & ordinalMask) &- 1)
    return found
  }

  /// Returns the slot that has the hash of a word, or the free slot at which the search ends.
  @inlinable @inline(__always)
  package func slot(
    for word: UInt64, in slots: UnsafeMutableBufferPointer<UInt64>
  ) -> Int {
    // The fraction of the slots given by the 32 bits below those of the cluster. In a very long list some of them
    // belong to the ordinal, and do not count.
    let fraction = ((word & ~ordinalMask) &<< UInt64(truncatingIfNeeded: clusterBits)) &>> 32
    var slot = Int(
      truncatingIfNeeded: (fraction &* UInt64(truncatingIfNeeded: slots.count)) &>> 32)
    while slots[slot] != 0, (slots[slot] ^ word) > ordinalMask {
      slot &+= 1
      if slot == slots.count { slot = 0 }
    }
    return slot
  }

  @inlinable
  package func ordinal(of word: UInt64) -> Int {
    Int(truncatingIfNeeded: word & ordinalMask) &- 1
  }

  private func cluster(of word: UInt64) -> Int {
    Int(truncatingIfNeeded: word >> UInt64(UInt64.bitWidth - clusterBits))
  }
}
