import CanonicalJSON

/// Counts the writes of a store and the bytes that its resources take, so that clients cannot fill
/// the memory.
struct WriteLedger: Hashable, Sendable {
  /// The number of writes so far.
  private(set) var version = 0
  /// The size of all texts, in bytes.
  private(set) var byteCount = 0

  /// Makes room for a resource and gives it the next version.
  ///
  /// - Returns: `nil` where it would take all together beyond the limit; nothing has changed then.
  mutating func take<Resource: SizedResource>(
    _ resource: Resource, inPlaceOf old: Resource?, limit: Int
  ) -> Versioned<Resource>? {
    let total = byteCount + resource.byteCount - (old?.byteCount ?? 0)
    guard total <= limit else { return nil }
    byteCount = total
    version += 1
    return Versioned(resource: resource, version: version)
  }

  /// Gives back the room of a resource that is removed, which is a write too.
  mutating func release(_ resource: some SizedResource) {
    byteCount -= resource.byteCount
    version += 1
  }
}

extension WriteLedger: Codable {
  init(from decoder: any Decoder) throws {
    let reader = try JSONReader(from: decoder)
    version = try reader.member("version").count()
    byteCount = try reader.member("byteCount").count()
  }
}
