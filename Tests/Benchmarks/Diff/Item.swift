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

  func identityHash(key: UInt64) -> UInt64 { FoldedHash.hash(id, key: key) }
}
