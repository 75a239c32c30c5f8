import CanonicalJSON
import Snapshots

/// The next id to give to a resource, and the ids that were deleted last.
package struct IDLedger: Equatable, Sendable {
  private var next = 1
  /// The deleted ids, oldest first.
  private var deleted: KeyedSequence<ResourceID> = []

  /// Creates a ledger without ids.
  package init() {}

  /// Returns the id to give next: the least whole number above all that were in use. If the greatest number
  /// that JSON carries exactly was in use, it is the least number that is not in use.
  ///
  /// - Parameter isInUse: Returns whether a resource has an id.
  /// - Complexity: O(1), and after the greatest number O(*n*), where *n* is the number of ids in use.
  package func free(unless isInUse: (ResourceID) -> Bool) -> ResourceID {
    let isExhausted = next > JSONValue.interoperableIntegers.upperBound
    var number = isExhausted ? 1 : next
    while isExhausted, isInUse(ResourceID(number)) { number += 1 }
    return ResourceID(number)
  }

  /// Returns whether the id was deleted and is still remembered.
  package func isDeleted(_ id: ResourceID) -> Bool { deleted.contains(id: id) }

  /// Notes that an id is in use. A text counts as a number if the number is written like it: `7` does, and
  /// `+7` and `007` do not, because they are other ids than `7`.
  package mutating func use(_ id: ResourceID) {
    deleted.remove(id: id)
    guard let number = Int(id.text.string), ResourceID(number) == id,
      JSONValue.interoperableIntegers.contains(number)
    else { return }
    next = max(next, number + 1)
  }

  /// Notes that an id is deleted.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - limit: The number of deleted ids to remember.
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
    // JSON carries the greatest number that was in use, but perhaps not the next one.
    try container.encode(next - 1, forKey: .greatest)
    try container.encode(deleted, forKey: .deleted)
  }
}
