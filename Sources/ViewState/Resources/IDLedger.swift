public import CanonicalJSON
import Snapshots

/// Chooses the ids of new resources. A store of your own keeps one beside resources that a
/// ``ResourceCollection`` or a ``NestedCollection`` cannot keep.
///
/// ```swift
/// struct Playlists: StoreValue {
///   var songs: [ResourceID: KeyedSequence<Song>] = [:]
///   var songIDs = IDLedger()
///
///   mutating func add(_ body: JSONReader, to list: ResourceID) throws(JSONShapeError) {
///     let id = songIDs.free(for: body) { songs[list]?.contains(id: $0) == true }
///     let song = try Song(body, assigned: id)
///     songs[list, default: []].append(song)
///     songIDs.use(song.id)
///   }
/// }
/// ```
public struct IDLedger: Equatable, Sendable {
  /// The number above all that were in use.
  private var above = 1
  /// A number below which all are in use, remembered as deleted, or released. A free one is searched from there.
  private var lowest = 1
  /// The numbers below ``lowest`` that were released, in ascending order.
  private var released: KeyedSequence<ResourceID> = []
  /// The deleted ids, oldest first.
  private var deleted: KeyedSequence<ResourceID> = []

  /// Creates a ledger without ids.
  public init() {}

  /// Whether the greatest number that JSON carries exactly was in use, so that a free one must be searched.
  var isExhausted: Bool { above > JSONValue.interoperableIntegers.upperBound }

  /// Returns the id to give next: the least whole number above all that were in use. If the greatest number
  /// that JSON carries exactly was in use, it is the least number that is neither in use nor remembered as
  /// deleted.
  ///
  /// - Parameter isInUse: Returns whether a resource has an id.
  /// - Complexity: O(1), and after the greatest number O(*n*), where *n* is the number of ids in use from
  ///   the greatest one on that ``give(_:)`` noted.
  func free(unless isInUse: (ResourceID) -> Bool) -> ResourceID {
    if !isExhausted { return ResourceID(above) }
    if let least = released.first { return least }
    var number = lowest
    // The address of a deleted resource must not lead to another one.
    while isInUse(ResourceID(number)) || isDeleted(ResourceID(number)) { number += 1 }
    return ResourceID(number)
  }

  /// Returns the id for a resource that a body creates: the least whole number above all numbers that were in use.
  /// After 2^53, the greatest number that all JSON libraries keep exact, was in use, it is the least number that is
  /// neither in use nor remembered as deleted.
  ///
  /// - Returns: `nil` if the body has an id of its own.
  /// - Complexity: O(1); after 2^53 was in use, O(*n*), where *n* is the number of ids in use.
  public func free(
    for body: JSONReader, unless isInUse: (ResourceID) -> Bool
  ) -> ResourceID? {
    if (try? body.nullableMember("id")) != nil { return nil }
    return free(unless: isInUse)
  }

  /// Notes that the id that ``free(unless:)`` found is in use, so that the next search begins there. If two lists may
  /// have the same id, call ``use(_:)`` instead: the lesser numbers may be free in another list.
  mutating func give(_ id: ResourceID) {
    let wasSearched = isExhausted
    use(id)
    if wasSearched, let number = Int(id.text.string) { lowest = max(lowest, number) }
  }

  /// Returns whether the id was deleted and is still remembered.
  func isDeleted(_ id: ResourceID) -> Bool { deleted.contains(id: id) }

  /// Notes that an id is in use. A text counts as a number if the number is written in the same way: `7` does;
  /// `+7` and `007` do not, because they are different ids from `7`.
  public mutating func use(_ id: ResourceID) {
    deleted.remove(id: id)
    released.remove(id: id)
    guard let number = Self.number(of: id), JSONValue.interoperableIntegers.contains(number)
    else { return }
    above = max(above, number + 1)
  }

  /// Returns the number of an id; `nil` if it is written in another way.
  private static func number(of id: ResourceID) -> Int? {
    Int(id.text.string).flatMap { ResourceID($0) == id ? $0 : nil }
  }

  /// Notes that an id is deleted.
  ///
  /// - Parameter limit: The number of deleted ids to remember.
  mutating func delete(_ id: ResourceID, remembering limit: Int) {
    deleted.append(id)
    guard deleted.count > limit, let oldest = deleted.first else { return }
    deleted.remove(id: oldest)
    release(oldest)
  }

  /// Notes that an id is not in use any more, and not remembered as deleted.
  mutating func release(_ id: ResourceID) {
    guard let number = Self.number(of: id), number > 0, number < lowest else { return }
    // Kept, because a search from there on would go through all that are in use, after each deletion of a client.
    released.insert(ResourceID(number)) { Self.number(of: $0) ?? 0 < Self.number(of: $1) ?? 0 }
  }
}

extension IDLedger: Codable {
  private enum CodingKeys: CodingKey {
    case greatest
    case lowest
    case released
    case deleted
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    above = try JSONReader(from: container.superDecoder(forKey: .greatest)).count() + 1
    lowest = try JSONReader(from: container.superDecoder(forKey: .lowest)).count()
    // A journal of an earlier build has none.
    released =
      try container.decodeIfPresent(KeyedSequence<ResourceID>.self, forKey: .released) ?? []
    deleted = try container.decode(KeyedSequence<ResourceID>.self, forKey: .deleted)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    // JSON carries the greatest number that was in use, but perhaps not the next one.
    try container.encode(above - 1, forKey: .greatest)
    try container.encode(lowest, forKey: .lowest)
    if !released.isEmpty { try container.encode(released, forKey: .released) }
    try container.encode(deleted, forKey: .deleted)
  }
}
