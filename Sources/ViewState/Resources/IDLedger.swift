import CanonicalJSON
import Snapshots

/// The ids of a kind of resources: which number is given next, and which ids were deleted last.
package struct IDLedger: Equatable, Sendable {
  private var next = 1
  /// Oldest first.
  private var deleted: KeyedSequence<ResourceID> = []

  /// Creates a ledger of no ids.
  package init() {}

  /// The id to give next: the least whole number above all that were in use. Once the greatest number
  /// that JSON carries exactly was in use, it is the least that is not.
  ///
  /// - Parameter isInUse: whether there is something of this id.
  /// - Complexity: O(1), and after the greatest number O(n), where n is the number of ids in use.
  package func free(unless isInUse: (ResourceID) -> Bool) -> ResourceID {
    let isExhausted = next > JSONValue.interoperableIntegers.upperBound
    var number = isExhausted ? 1 : next
    while isExhausted, isInUse(ResourceID(number)) { number += 1 }
    return ResourceID(number)
  }

  /// Whether the id was in use, is not any more, and is still remembered.
  package func isDeleted(_ id: ResourceID) -> Bool { deleted.contains(id: id) }

  /// Notes that the id is in use. A text counts as the number that would be written so: `7` does,
  /// and `+7` and `007` do not, for a number of their own can be beside them.
  package mutating func use(_ id: ResourceID) {
    deleted.remove(id: id)
    guard let number = Int(id.text.string), ResourceID(number) == id,
      JSONValue.interoperableIntegers.contains(number)
    else { return }
    next = max(next, number + 1)
  }

  /// Notes that the id is in use no longer.
  ///
  /// - Parameter limit: how many deleted ids are remembered.
  package mutating func delete(_ id: ResourceID, remembering limit: Int) {
    deleted.append(id)
    if deleted.count > limit, let oldest = deleted.first { deleted.remove(id: oldest) }
  }
}

extension IDLedger: Codable {
  private enum CodingKeys: CodingKey {
    case greatest
    case deleted
  }

  package init(from decoder: any Decoder) throws {
    let reader = try JSONReader(from: decoder)
    next = try reader.member("greatest").count() + 1
    deleted = try reader.member("deleted").decode(KeyedSequence<ResourceID>.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    // The greatest number that was in use is one that JSON carries; the next one may not be.
    try container.encode(next - 1, forKey: .greatest)
    try container.encode(deleted, forKey: .deleted)
  }
}
