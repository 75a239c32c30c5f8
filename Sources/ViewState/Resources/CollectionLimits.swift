/// The limits of a ``ResourceCollection`` or a ``NestedCollection``. Together they bound its memory: ``byteCount``
/// bounds what ``Resource/byteCount`` counts, which is the texts unless a resource counts more, and the counts bound
/// everything else, such as numbers and entries in tables.
///
/// ```swift
/// ResourceCollection<Todo>("todo", limits: CollectionLimits(count: 10_000))
/// ```
public struct CollectionLimits: Codable, Hashable, Sendable {
  /// The largest number of resources. One more is refused.
  public var count: Int
  /// The largest sum of ``Resource/byteCount``. A resource beyond it is refused.
  public var byteCount: Int
  /// The number of deleted ids that are remembered. View models of older deleted ids are unknown, not deleted.
  public var deletedCount: Int
  /// The largest number of children of one parent in a ``NestedCollection``. One more is refused.
  public var childCount: Int
  /// The largest number of children of all parents together in a ``NestedCollection``. One more is refused.
  public var totalChildCount: Int

  /// Creates limits, by default 1,000,000 resources, 256 MiB, 10,000 deleted ids, 10,000 children of a parent and
  /// 1,000,000 children of all parents.
  public init(
    count: Int = 1_000_000, byteCount: Int = 256 * 1024 * 1024, deletedCount: Int = 10_000,
    childCount: Int = 10_000, totalChildCount: Int = 1_000_000
  ) {
    self.count = count
    self.byteCount = byteCount
    self.deletedCount = deletedCount
    self.childCount = childCount
    self.totalChildCount = totalChildCount
  }

  /// Reads limits. Those in a journal of an earlier build may lack the number of all children.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      count: try container.decode(Int.self, forKey: .count),
      byteCount: try container.decode(Int.self, forKey: .byteCount),
      deletedCount: try container.decode(Int.self, forKey: .deletedCount),
      childCount: try container.decode(Int.self, forKey: .childCount))
    let known = try container.decodeIfPresent(Int.self, forKey: .totalChildCount)
    totalChildCount = known ?? totalChildCount
  }
}
