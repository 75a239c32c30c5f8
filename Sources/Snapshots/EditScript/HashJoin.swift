/// Finds pairs of old and new elements of one hash: a hash join whose random accesses all stay in the
/// processor's first cache, however long the lists are.
///
/// Both lists are first cut into *clusters* by the upper bits of their hashes, in one pass that writes
/// a few streams. Equal hashes are in clusters of one number, so that a table for one cluster at a time
/// is enough (the radix-cluster of Manegold, Boncz and Kersten 2002). What is moved about is a word of
/// 64 bits for each element: its ordinal plus one in as many bits as the largest needs, for a word of
/// zero is a free slot, and above them as much of its hash as there is room for.
///
/// The hashes are mixed with a key of this process, so that nobody outside can choose elements that
/// share a cluster or a slot. Words that agree are only a hint; the caller compares the elements.
@usableFromInline
package struct HashJoin {
  /// The bits of a word that are the ordinal plus one.
  private let ordinalMask: UInt64
  /// The upper bits of a word that are the number of its cluster.
  private let clusterBits: Int
  private let oldCount: Int
  private let newCount: Int
  private let key: UInt64

  /// The number of old elements up to which a cluster is not cut further: with two slots of 8 bytes
  /// for each, a table takes 32 KiB.
  package static let clusterSize = 2_048
  /// Clusters of very long lists are larger, because each needs a line in the first cache and an
  /// address translation while they are filled.
  private static let maximumClusterBits = 10

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

  /// By the ordinal of a new element: the ordinal of the first old one of its hash, or -1.
  ///
  /// - Parameters:
  ///   - hashOld: Initialises a buffer with the hashes of the old elements in order.
  ///   - hashNew: The same for the new ones.
  /// - Complexity: O(*n*) expected, where *n* is the number of elements in both lists.
  @usableFromInline
  package func candidates(
    hashOld: (UnsafeMutableBufferPointer<UInt64>) -> Void,
    hashNew: (UnsafeMutableBufferPointer<UInt64>) -> Void
  ) -> [Int32] {
    // One block of memory for the words of both lists and for hashes that wait to become words.
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

  /// Makes words of the hashes of a list and lays them out cluster by cluster, in each in the order of
  /// the list; turns zeros into the ends of the clusters.
  private func cluster(
    _ hashes: UnsafeMutableBufferPointer<UInt64>, into words: UnsafeMutableBufferPointer<UInt64>,
    ends: UnsafeMutableBufferPointer<Int32>
  ) {
    for ordinal in hashes.indices {
      let word = word(hash: hashes[ordinal], ordinal: ordinal)
      hashes[ordinal] = word
      ends[cluster(of: word)] += 1
    }
    // First the start of each cluster, which becomes its end while it is filled.
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

  /// Finds the candidates of all clusters, one after another.
  private func join(
    _ old: UnsafeBufferPointer<UInt64>, _ oldEnds: UnsafeBufferPointer<Int32>,
    _ new: UnsafeBufferPointer<UInt64>, _ newEnds: UnsafeBufferPointer<Int32>
  ) -> [Int32] {
    var largest = Int(oldEnds[0])
    for (start, end) in zip(oldEnds, oldEnds.dropFirst()) {
      largest = max(largest, Int(end - start))
    }
    return [Int32](unsafeUninitializedCapacity: new.count) { candidates, initializedCount in
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * largest + 1) { slots in
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
      // Every ordinal is that of one word, so that all candidates are initialised.
      initializedCount = new.count
    }
  }

  /// Finds the candidates of one cluster.
  private func join(
    _ old: UnsafeBufferPointer<UInt64>, _ new: UnsafeBufferPointer<UInt64>,
    slots: UnsafeMutableBufferPointer<UInt64>, candidates: UnsafeMutableBufferPointer<Int32>
  ) {
    let capacity = 2 * old.count + 1
    slots[..<capacity].initialize(repeating: 0)
    for word in old {
      let slot = slot(for: word, in: slots, capacity: capacity)
      // Of elements that share a hash only the first is in the table, so that searches stay short.
      if slots[slot] == 0 { slots[slot] = word }
    }
    for word in new {
      let found = slots[slot(for: word, in: slots, capacity: capacity)]
      // A free slot is 0, and what is not found is -1.
      candidates.initializeElement(
        at: ordinal(of: word), to: Int32(truncatingIfNeeded: found & ordinalMask) - 1)
    }
  }

  /// The slot of the hash of a word, or the free one in which the search for it ends.
  private func slot(
    for word: UInt64, in slots: UnsafeMutableBufferPointer<UInt64>, capacity: Int
  ) -> Int {
    // A 32-bit fraction of the capacity, of the bits below those of the cluster.
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
