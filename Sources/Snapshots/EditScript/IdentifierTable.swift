/// An open-addressing hash table of indices with linear probing.
///
/// A slot has 32 bits, so that the table of a long list fits into the processor's second-level
/// cache. Its lower bits are the index plus one, as many bits as the largest index needs, because
/// zero marks a free slot. The other bits are a tag of hash bits. An equal tag is only a hint; the
/// caller compares the elements. The hashes are mixed with a random key of this process, so clients
/// cannot choose elements that share a slot.
@usableFromInline
package struct IdentifierTable {
  @usableFromInline package var slots: [UInt32] = []
  /// The number of slots in use.
  @usableFromInline package var capacity = 0
  /// The bits of a slot that hold the index plus one.
  @usableFromInline package var indexMask: UInt32 = 0
  @usableFromInline package let key = ProcessKey.value

  @usableFromInline
  package init() {}

  /// Empties the table and makes room for some indices.
  ///
  /// - Precondition: The bound of the indices is below 2^31.
  /// - Complexity: O(*n*), where *n* is `count`.
  @usableFromInline
  package mutating func clear(forCount count: Int, indicesBelow bound: Int) {
    precondition(bound <= Int32.max, "an index has at most 31 bits")
    capacity = 2 * count + 1
    indexMask = UInt32.max >> UInt32(UInt32(bound).leadingZeroBitCount)
    if capacity <= slots.count {
      for index in 0..<capacity { slots[index] = 0 }
    } else {
      slots = [UInt32](repeating: 0, count: capacity)
    }
  }

  /// Returns the slot at which the search for a hash starts, and the tag to search for.
  ///
  /// Slot and tag come from different halves of the mixed hash, so adjacent slots have different
  /// tags.
  @inlinable
  package func start(of hash: UInt64) -> (slot: Int, tag: UInt32) {
    let mixed = FoldedHash.fold(hash ^ key, FoldedHash.multiplier)
    // A 32-bit fraction of the capacity, which is less than 2^32.
    let slot = ((mixed & 0xFFFF_FFFF) &* UInt64(truncatingIfNeeded: capacity)) &>> 32
    return (Int(truncatingIfNeeded: slot), UInt32(truncatingIfNeeded: mixed &>> 32) & ~indexMask)
  }

  @inlinable
  package func slot(after slot: Int) -> Int {
    let next = slot + 1
    return next == capacity ? 0 : next
  }

  /// Adds an index unless the table has a duplicate of it.
  ///
  /// - Precondition: There is room, and the index is below the bound.
  @inlinable
  package mutating func insert(_ index: Int, hash: UInt64, unless isDuplicate: (Int) -> Bool) {
    var (slot, tag) = start(of: hash)
    while slots[slot] != 0 {
      if slots[slot] & ~indexMask == tag, isDuplicate(self.index(in: slots[slot])) { return }
      slot = self.slot(after: slot)
    }
    slots[slot] = tag | UInt32(truncatingIfNeeded: index + 1)
  }

  /// Returns the first index with a hash that satisfies a predicate, or `nil` if there is none.
  @inlinable
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
  @inlinable
  package func index(in slot: UInt32) -> Int {
    Int(truncatingIfNeeded: slot & indexMask) - 1
  }
}
