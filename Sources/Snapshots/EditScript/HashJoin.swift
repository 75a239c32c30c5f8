/// A hash join of old and new elements. All its random accesses stay in the processor's first-level
/// cache, whatever the length of the lists.
///
/// First, one sequential pass per list partitions it into *clusters* by the upper bits of the
/// hashes. Equal hashes are in clusters of the same number, so a hash table for one cluster at a
/// time suffices (the radix-cluster of Manegold, Boncz and Kersten, 2002). Each element is moved as
/// a word of 64 bits. Its lower bits are the ordinal plus one, as many bits as the largest ordinal
/// needs, because a word of zero marks a free slot. The other bits are the upper bits of the hash.
///
/// The hashes are mixed with a random key of this process, so clients cannot choose elements that
/// share a cluster or a slot. Equal hash bits are only a hint; the caller compares the elements.
@usableFromInline
package struct HashJoin {
  /// The bits of a word that hold the ordinal plus one.
  private let ordinalMask: UInt64
  /// The number of upper bits of a word that are the number of its cluster.
  private let clusterBits: Int
  private let oldCount: Int
  private let newCount: Int
  private let key: UInt64

  /// The number of old elements above which a cluster is split: with four slots of 8 bytes for each
  /// element, a table takes 32 KiB.
  package static let clusterSize = 1_024
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
  /// hash, or -1.
  ///
  /// - Parameters:
  ///   - hashOld: Initialises a buffer with the hashes of the old elements in order.
  ///   - hashNew: Initialises a buffer with the hashes of the new elements in order.
  /// - Complexity: O(*n*) expected, where *n* is the number of elements in both lists.
  @usableFromInline
  package func candidates(
    hashOld: (UnsafeMutableBufferPointer<UInt64>) -> Void,
    hashNew: (UnsafeMutableBufferPointer<UInt64>) -> Void
  ) -> [Int32] {
    // One block of memory for the words of both lists and for the hashes not yet turned into words.
    withUnsafeTemporaryAllocation(
      of: UInt64.self, capacity: oldCount + newCount + max(oldCount, newCount)
    ) { scratch in
      let old = UnsafeMutableBufferPointer(rebasing: scratch[..<oldCount])
      let new = UnsafeMutableBufferPointer(rebasing: scratch[oldCount...].prefix(newCount))
      let rest = scratch[(oldCount + newCount)...]
      let clusterCount = 1 << clusterBits
      return withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * clusterCount) { ends in
        ends.initialize(repeating: 0)
        let oldEnds = UnsafeMutableBufferPointer(rebasing: ends[..<clusterCount])
        let newEnds = UnsafeMutableBufferPointer(rebasing: ends[clusterCount...])
        let oldHashes = UnsafeMutableBufferPointer(rebasing: rest.prefix(oldCount))
        hashOld(oldHashes)
        cluster(oldHashes, into: old, ends: oldEnds)
        let newHashes = UnsafeMutableBufferPointer(rebasing: rest.prefix(newCount))
        hashNew(newHashes)
        cluster(newHashes, into: new, ends: newEnds)
        return join(
          UnsafeBufferPointer(old), UnsafeBufferPointer(oldEnds), UnsafeBufferPointer(new),
          UnsafeBufferPointer(newEnds))
      }
    }
  }

  /// Turns the hashes of a list into words and writes them cluster by cluster, each cluster in the
  /// order of the list. Initially `ends` is all zeros; afterwards it has the end of each cluster.
  private func cluster(
    _ hashes: UnsafeMutableBufferPointer<UInt64>, into words: UnsafeMutableBufferPointer<UInt64>,
    ends: UnsafeMutableBufferPointer<Int32>
  ) {
    if clusterBits == 0 {
      // One cluster has them in the order of the list.
      for ordinal in hashes.indices {
        words.initializeElement(at: ordinal, to: word(hash: hashes[ordinal], ordinal: ordinal))
      }
      ends[0] = Int32(hashes.count)
      return
    }
    for ordinal in hashes.indices {
      let word = word(hash: hashes[ordinal], ordinal: ordinal)
      hashes[ordinal] = word
      ends[cluster(of: word)] += 1
    }
    // First the start of each cluster, which advances to its end while the cluster is filled.
    var start: Int32 = 0
    for cluster in ends.indices {
      let count = ends[cluster]
      ends[cluster] = start
      start += count
    }
    for word in hashes {
      let cluster = cluster(of: word)
      words.initializeElement(at: Int(ends[cluster]), to: word)
      ends[cluster] += 1
    }
  }

  /// Finds the candidates of all clusters, one cluster after another.
  private func join(
    _ old: UnsafeBufferPointer<UInt64>, _ oldEnds: UnsafeBufferPointer<Int32>,
    _ new: UnsafeBufferPointer<UInt64>, _ newEnds: UnsafeBufferPointer<Int32>
  ) -> [Int32] {
    var largest = Int(oldEnds[0])
    for (start, end) in zip(oldEnds, oldEnds.dropFirst()) {
      largest = max(largest, Int(end - start))
    }
    return [Int32](unsafeUninitializedCapacity: new.count) { candidates, initializedCount in
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 4 * largest + 1) { slots in
        var oldStart = 0
        var newStart = 0
        for (oldEnd, newEnd) in zip(oldEnds, newEnds) {
          join(
            UnsafeBufferPointer(rebasing: old[oldStart..<Int(oldEnd)]),
            UnsafeBufferPointer(rebasing: new[newStart..<Int(newEnd)]), slots: slots,
            candidates: candidates)
          oldStart = Int(oldEnd)
          newStart = Int(newEnd)
        }
      }
      // Each ordinal is in exactly one word, so all candidates are initialised.
      initializedCount = new.count
    }
  }

  /// Finds the candidates of one cluster.
  private func join(
    _ old: UnsafeBufferPointer<UInt64>, _ new: UnsafeBufferPointer<UInt64>,
    slots: UnsafeMutableBufferPointer<UInt64>, candidates: UnsafeMutableBufferPointer<Int32>
  ) {
    // So few of the slots are taken that most searches end at once, as the processor expects.
    let capacity = 4 * old.count + 1
    slots[..<capacity].initialize(repeating: 0)
    for word in old {
      let slot = slot(for: word, in: slots, capacity: capacity)
      // Only the first of several elements with the same hash is in the table, so that searches
      // stay short.
      if slots[slot] == 0 { slots[slot] = word }
    }
    for word in new {
      let found = slots[slot(for: word, in: slots, capacity: capacity)]
      // A free slot is 0, so a search without result gives -1.
      candidates.initializeElement(
        at: ordinal(of: word), to: Int32(truncatingIfNeeded: found & ordinalMask) - 1)
    }
  }

  /// Returns the slot that has the hash of a word, or the free slot at which the search ends.
  private func slot(
    for word: UInt64, in slots: UnsafeMutableBufferPointer<UInt64>, capacity: Int
  ) -> Int {
    // The fraction of the capacity given by the 32 bits below those of the cluster.
    let fraction = (word &<< UInt64(clusterBits)) &>> 32
    var slot = Int(truncatingIfNeeded: (fraction &* UInt64(capacity)) &>> 32)
    while slots[slot] != 0, (slots[slot] ^ word) > ordinalMask {
      slot += 1
      if slot == capacity { slot = 0 }
    }
    return slot
  }

  private func word(hash: UInt64, ordinal: Int) -> UInt64 {
    FoldedHash.fold(hash ^ key, FoldedHash.multiplier) & ~ordinalMask | UInt64(ordinal + 1)
  }

  private func ordinal(of word: UInt64) -> Int {
    Int(truncatingIfNeeded: word & ordinalMask) - 1
  }

  private func cluster(of word: UInt64) -> Int {
    Int(truncatingIfNeeded: word >> UInt64(UInt64.bitWidth - clusterBits))
  }
}
