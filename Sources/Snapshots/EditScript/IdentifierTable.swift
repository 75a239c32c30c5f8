/// An open-addressing hash table of indices, with linear probing.
///
/// A slot is 64 bits: half of the hash as a tag, and the index plus one, so that zero is a free
/// slot. A tag that agrees is only a hint; the caller compares the elements. The hashes are mixed
/// with a key of this process, so that nobody outside can choose elements that share a slot.
@usableFromInline
package struct IdentifierTable {
  @usableFromInline package var slots: [UInt64] = []
  /// The number of slots in use less one; their number is a power of two.
  @usableFromInline package var mask = 0
  @usableFromInline package let key = ProcessKey.value

  @usableFromInline
  package init() {}

  /// Empties the table and makes room for a number of indices.
  ///
  /// - Complexity: O(*n*), where *n* is the number.
  @usableFromInline
  package mutating func clear(forCount count: Int) {
    var capacity = 16
    while capacity < count + count / 2 { capacity *= 2 }
    if capacity <= slots.count {
      for index in 0..<capacity { slots[index] = 0 }
    } else {
      slots = [UInt64](repeating: 0, count: capacity)
    }
    mask = capacity - 1
  }

  /// Adds an index, unless one that is there already is a duplicate of it.
  ///
  /// - Precondition: there is room, and the index is below 2^32 - 1.
  @inlinable
  package mutating func insert(_ index: Int, hash: UInt64, unless isDuplicate: (Int) -> Bool) {
    let mixed = FoldedHash.fold(hash ^ key, FoldedHash.multiplier)
    let tag = mixed & 0xFFFF_FFFF_0000_0000
    var slot = Int(truncatingIfNeeded: mixed) & mask
    while slots[slot] != 0 {
      if slots[slot] & 0xFFFF_FFFF_0000_0000 == tag, isDuplicate(Self.index(in: slots[slot])) {
        return
      }
      slot = (slot + 1) & mask
    }
    slots[slot] = tag | UInt64(truncatingIfNeeded: index + 1)
  }

  /// The first index of a hash that a predicate accepts.
  @inlinable
  package func first(hash: UInt64, where isMatch: (Int) -> Bool) -> Int? {
    let mixed = FoldedHash.fold(hash ^ key, FoldedHash.multiplier)
    let tag = mixed & 0xFFFF_FFFF_0000_0000
    var slot = Int(truncatingIfNeeded: mixed) & mask
    while slots[slot] != 0 {
      let content = slots[slot]
      if content & 0xFFFF_FFFF_0000_0000 == tag, isMatch(Self.index(in: content)) {
        return Self.index(in: content)
      }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// The first slot whose tag agrees with a hash, or 0.
  @inlinable
  package func firstSlot(hash: UInt64) -> UInt64 {
    let mixed = FoldedHash.fold(hash ^ key, FoldedHash.multiplier)
    let tag = mixed & 0xFFFF_FFFF_0000_0000
    var slot = Int(truncatingIfNeeded: mixed) & mask
    while slots[slot] != 0, slots[slot] & 0xFFFF_FFFF_0000_0000 != tag { slot = (slot + 1) & mask }
    return slots[slot]
  }

  /// The index in a slot that is not 0.
  @inlinable
  package static func index(in slot: UInt64) -> Int {
    Int(slot & 0xFFFF_FFFF) - 1
  }
}
