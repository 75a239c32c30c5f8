/// A hash join of old and new elements. All its random accesses stay in the processor's second-level
/// cache, whatever the length of the lists.
///
/// A list that is too long for one table is first partitioned by one sequential pass into *clusters*
/// by the upper bits of the hashes. Equal hashes are in clusters of the same number, so an
/// ``IdentifierTable`` of one cluster at a time suffices (the radix-cluster of Manegold, Boncz and
/// Kersten, 2002). Each element is moved as a word of 64 bits. Its lower bits are the ordinal, as many
/// bits as the largest ordinal needs. The other bits are the upper bits of the hash.
///
/// The hashes are mixed with a random key of this process, so clients cannot choose elements that
/// share a cluster or a slot. A candidate is only a hint: of a million of them a few have another hash.
/// The caller compares the elements.
@usableFromInline
package struct HashJoin {
  /// The bits of a word that hold the ordinal.
  @usableFromInline package let ordinalMask: UInt64
  /// The number of upper bits of a word that are the number of its cluster.
  @usableFromInline package let clusterBits: Int
  @usableFromInline package let oldCount: Int
  @usableFromInline package let newCount: Int
  @usableFromInline package let key: UInt64

  /// The number of old elements above which a cluster is split: their table takes 256 KiB.
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

  /// Returns, by the ordinal of a new element, the ordinal of the first old element that has the same
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
    var areFound = false
    let candidates = [Int32](unsafeUninitializedCapacity: newCount) { candidates, count in
      if clusterBits == 0 {
        areFound = join(oldHashes, newHashes, candidates: candidates)
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
          areFound = joinClusters(
            UnsafeBufferPointer(old), UnsafeBufferPointer(new), candidates: candidates)
        }
      }
      // Each ordinal is in exactly one word, so all candidates are initialised.
      count = newCount
    }
    return areFound ? candidates : []
  }

  /// Finds the candidates of lists that fit into one table.
  ///
  /// - Returns: Whether there are any.
  @inlinable
  package func join(
    _ oldHashes: some Sequence<UInt64>, _ newHashes: some Sequence<UInt64>,
    candidates: UnsafeMutableBufferPointer<Int32>
  ) -> Bool {
    withUnsafeTemporaryAllocation(
      of: UInt32.self, capacity: Self.slotCount(for: oldCount)
    ) { slots in
      let table = IdentifierTable(in: slots, indicesBelow: oldCount, key: key)
      // Variables of this closure, so that they stay in registers.
      var ordinal = 0
      for hash in oldHashes {
        // Only the first of several elements with the same hash is in the table, so that searches
        // stay short.
        table.insert(ordinal, hash: hash) { _ in true }
        ordinal &+= 1
      }
      var last: Int32 = -1
      ordinal = 0
      for hash in newHashes {
        let candidate = Int32(truncatingIfNeeded: table.first(hash: hash) { _ in true } ?? -1)
        candidates.initializeElement(at: ordinal, to: candidate)
        last = max(last, candidate)
        ordinal &+= 1
      }
      return last >= 0
    }
  }

  /// Returns the word of an element.
  @inlinable @inline(__always)
  package func word(hash: UInt64, ordinal: Int) -> UInt64 {
    FoldedHash.fold(hash ^ key, FoldedHash.multiplier) & ~ordinalMask
      | UInt64(truncatingIfNeeded: ordinal)
  }

  /// Finds the candidates of lists that are too long for one table, cluster by cluster.
  ///
  /// - Returns: Whether there are any.
  @usableFromInline
  package func joinClusters(
    _ old: UnsafeBufferPointer<UInt64>, _ new: UnsafeBufferPointer<UInt64>,
    candidates: UnsafeMutableBufferPointer<Int32>
  ) -> Bool {
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
          of: UInt32.self, capacity: Self.slotCount(for: largest)
        ) { slots in
          var areFound = false
          var (oldStart, newStart) = (0, 0)
          for (oldEnd, newEnd) in zip(oldEnds, newEnds) {
            let (oldEnd, newEnd) = (Int(oldEnd), Int(newEnd))
            let isFound = joinCluster(
              UnsafeBufferPointer(rebasing: oldWords[oldStart..<oldEnd]),
              UnsafeBufferPointer(rebasing: newWords[newStart..<newEnd]),
              slots: UnsafeMutableBufferPointer(
                rebasing: slots[..<Self.slotCount(for: oldEnd - oldStart)]), candidates: candidates)
            areFound = areFound || isFound
            (oldStart, newStart) = (oldEnd, newEnd)
          }
          return areFound
        }
      }
    }
  }

  /// Finds the candidates of one cluster.
  ///
  /// Of long lists some tags are equal by chance, so the words are compared.
  private func joinCluster(
    _ old: UnsafeBufferPointer<UInt64>, _ new: UnsafeBufferPointer<UInt64>,
    slots: UnsafeMutableBufferPointer<UInt32>, candidates: UnsafeMutableBufferPointer<Int32>
  ) -> Bool {
    let table = IdentifierTable(in: slots, indicesBelow: old.count, key: key)
    for (index, word) in old.enumerated() {
      table.insert(index, hash: word & ~ordinalMask) { (old[$0] ^ word) <= ordinalMask }
    }
    var last: Int32 = -1
    for word in new {
      let index = table.first(hash: word & ~ordinalMask) { (old[$0] ^ word) <= ordinalMask }
      let candidate = index.map { Int32(truncatingIfNeeded: ordinal(of: old[$0])) } ?? -1
      candidates.initializeElement(at: ordinal(of: word), to: candidate)
      last = max(last, candidate)
    }
    return last >= 0
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

  private func ordinal(of word: UInt64) -> Int {
    Int(truncatingIfNeeded: word & ordinalMask)
  }

  private func cluster(of word: UInt64) -> Int {
    Int(truncatingIfNeeded: word >> UInt64(UInt64.bitWidth - clusterBits))
  }
}
