import CanonicalJSON
import OrderedCollections

/// The ids of a kind of resources: which number is given next, and which ids were deleted last.
struct IDLedger: Hashable, Sendable {
  private var next = 1
  /// Oldest first.
  private var deleted: OrderedSet<ResourceID> = []

  /// The id to give next: the least whole number above all that were in use.
  var free: ResourceID { ResourceID(next) }

  /// Whether the id was in use, is not any more, and is still remembered.
  func isDeleted(_ id: ResourceID) -> Bool { deleted.contains(id) }

  /// Notes that the id is in use. Numbers that JSON cannot carry exactly are never given.
  mutating func use(_ id: ResourceID) {
    deleted.remove(id)
    guard let number = Int(id.text.string), number < 1 << 53 else { return }
    next = max(next, number + 1)
  }

  /// Notes that the id is in use no longer.
  ///
  /// - Parameter limit: how many deleted ids are remembered.
  mutating func delete(_ id: ResourceID, remembering limit: Int) {
    deleted.append(id)
    if deleted.count > limit { deleted.removeFirst() }
  }
}
