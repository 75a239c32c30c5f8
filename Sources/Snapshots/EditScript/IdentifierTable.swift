/// An open-addressing hash table of indices with linear probing, in the memory of its owner.
///
/// A slot has 32 bits, so that the table of a long list fits into the processor's second-level
/// cache. Its lower bits are the index plus one, as many bits as the largest index needs, because
/// zero marks a free slot. The other bits are a tag of hash bits. An equal tag is only a hint; the
/// caller compares the elements. The hashes are mixed with a random key of this process, so clients
/// cannot choose elements that share a slot.
///
/// ```swift
/// withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 * hashes.count + 1) { slots in
///   let table = IdentifierTable(in: slots, indicesBelow: hashes.count, key: ProcessKey.value)
///   for (index, hash) in hashes.enumerated() { table.insert(index, hash: hash) { _ in false } }
///   return table.first(hash: hash) { ids[$0] == id }
/// }
/// ```
@usableFromInline
package struct IdentifierTable {
  @usableFromInline package let slots: UnsafeMutableBufferPointer<UInt32>
  /// The bits of a slot that hold the index plus one.
  @usableFromInline package let indexMask: UInt32
  @usableFromInline package let key: UInt64

  /// Creates an empty table.
  ///
  /// - Parameters:
  ///   - slots: The memory, whose content is lost: more slots than there will be indices. The more are free, the
  ///     sooner a search ends.
  ///   - bound: The number that all indices are below.
  ///   - key: A random number of this process.
  /// - Precondition: The bound is below 2^31, and there are fewer than 2^32 slots.
  /// - Complexity: O(*n*), where *n* is the number of slots.
  @inlinable
  package init(in slots: UnsafeMutableBufferPointer<UInt32>, indicesBelow bound: Int, key: UInt64) {
    precondition(bound <= Int32.max, "an index has at most 31 bits")
    slots.initialize(repeating: 0)
    self.slots = slots
    indexMask = UInt32.max >> UInt32(UInt32(bound).leadingZeroBitCount)
    self.key = key
  }

  /// Returns the slot at which the search for a hash starts, and the tag to search for.
  ///
  /// Slot and tag come from different halves of the mixed hash, so adjacent slots have different
  /// tags.
  @inlinable @inline(__always)
  package func start(of hash: UInt64) -> (slot: Int, tag: UInt32) {
    let mixed = FoldedHash.fold(hash ^ key, FoldedHash.multiplier)
    // A 32-bit fraction of the slots.
    let slot = ((mixed & 0xFFFF_FFFF) &* UInt64(truncatingIfNeeded: slots.count)) &>> 32
    return (Int(truncatingIfNeeded: slot), UInt32(truncatingIfNeeded: mixed &>> 32) & ~indexMask)
  }

  @inlinable @inline(__always)
  package func slot(after slot: Int) -> Int {
    let next = slot &+ 1
    return next == slots.count ? 0 : next
  }

  /// Adds an index unless the table has a duplicate of it.
  ///
  /// - Precondition: There is room, and the index is below the bound.
  @inlinable @inline(__always)
  package func insert(_ index: Int, hash: UInt64, unless isDuplicate: (Int) -> Bool) {
    var (slot, tag) = start(of: hash)
    while slots[slot] != 0 {
      if slots[slot] & ~indexMask == tag, isDuplicate(self.index(in: slots[slot])) { return }
      slot = self.slot(after: slot)
    }
    slots[slot] = tag | UInt32(truncatingIfNeeded: index + 1)
  }

  /// Returns the first index with a hash that satisfies a predicate, or `nil` if there is none.
  @inlinable @inline(__always)
  package func first(hash: UInt64, where isMatch: (Int) -> Bool) -> Int? {
    var (slot, tag) = start(of: hash)
    while slots[slot] != 0 {
      let content = slots[slot]
      if content & ~indexMask == tag, isMatch(index(in: content)) { return index(in: content) }
      slot = self.slot(after: slot)
    }
    return nil
  }

  /// Returns the index in a slot that is not 0.
  @inlinable @inline(__always)
  package func index(in slot: UInt32) -> Int {
    Int(truncatingIfNeeded: slot & indexMask) - 1
  }
}
