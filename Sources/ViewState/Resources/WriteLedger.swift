import CanonicalJSON

/// Counts the writes of a store and the bytes that its resources take, so that clients cannot fill
/// the memory.
package struct WriteLedger: Hashable, Sendable {
  /// The number of writes so far.
  package private(set) var version = 0
  /// The size of all texts, in bytes.
  package private(set) var byteCount = 0

  /// Creates a ledger of no writes.
  package init() {}

  /// Makes room for a resource and gives it the next version.
  ///
  /// - Returns: `nil` if all resources together would exceed the limit; nothing has changed then.
  package mutating func take<Model: Resource>(
    _ resource: Model, inPlaceOf old: Model?, limit: Int
  ) -> Versioned<Model>? {
    let total = byteCount + resource.byteCount - (old?.byteCount ?? 0)
    guard total <= limit else { return nil }
    byteCount = total
    version += 1
    return Versioned(resource: resource, version: version)
  }

  /// Gives back the room of a resource that is removed, which is a write too.
  package mutating func release(_ resource: some Resource) {
    byteCount -= resource.byteCount
    version += 1
  }
}

extension WriteLedger: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    version = try JSONReader(from: container.superDecoder(forKey: .version)).count()
    byteCount = try JSONReader(from: container.superDecoder(forKey: .byteCount)).count()
  }
}
