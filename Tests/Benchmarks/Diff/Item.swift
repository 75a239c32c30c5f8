import Snapshots

/// An element of the workloads: matched by id, compared by payload.
struct Item: Hashable, Sendable {
  var id: String
  var payload: String
}

/// An item's id is hashed when the engine asks, within the measured run.
extension Item: DifferenceElement {
  func isSameItem(as other: Item) -> Bool { id == other.id }

  func hasSameContent(as other: Item) -> Bool { payload == other.payload }

  /// Strings with the same bits are equal: short ones hold their text, and others the storage of it.
  func isIdentical(to other: Item) -> Bool {
    let bits = unsafeBitCast(self, to: SIMD4<UInt64>.self)
    let otherBits = unsafeBitCast(other, to: SIMD4<UInt64>.self)
    return bits == otherBits
  }

  var identityByte: UInt8 { FoldedHash.ends(of: id) }

  func identityHash(key: UInt64) -> UInt64 { FoldedHash.hash(id, key: key) }
}
