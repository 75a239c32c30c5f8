import CanonicalJSON

/// Counts the writes of a store and the bytes that its resources take, so that clients cannot fill
/// the memory.
struct WriteLedger: Hashable, Sendable {
  /// The number of writes so far.
  private(set) var version = 0
  /// The sum of `Resource.byteCount` of all resources.
  private(set) var byteCount = 0

  /// Makes room for a resource and gives it the next version.
  ///
  /// - Returns: `nil` if all resources together would exceed the limit and take more than before; nothing has changed
  ///   then.
  mutating func take<Model: Resource>(
    _ resource: Model, inPlaceOf old: Model?, limit: Int
  ) -> Versioned<Model>? {
    let total = byteCount + resource.byteCount - (old?.byteCount ?? 0)
    guard total <= max(limit, byteCount) else { return nil }
    byteCount = total
    version += 1
    return Versioned(resource: resource, version: version)
  }

  /// Gives back the room of a resource that is removed, which is a write too.
  mutating func release(_ resource: some Resource) {
    byteCount -= resource.byteCount
    version += 1
  }
}

extension WriteLedger {
  /// Adds a resource of a data file to those before it, of which a list is made at once: that is many times as fast as
  /// an insert of each.
  ///
  /// - Parameters:
  ///   - resource: The resource.
  ///   - place: Its place in the file.
  ///   - list: The resources of its list.
  ///   - known: The ids that are in use.
  ///   - ids: Gets its id.
  ///   - limits: The limits of the list.
  /// - Throws: `JSONShapeError` with the place if the id is in use, if JSON cannot represent a number that follows
  ///   from the resource, or if the limits do not allow it.
  mutating func add<Model: Resource>(
    _ resource: Model, at place: JSONReader, to list: inout [Created<Model>],
    _ known: inout Set<ResourceID>, _ ids: inout IDLedger, _ limits: CollectionLimits
  ) throws(JSONShapeError) {
    let id = resource.id
    guard known.insert(id).inserted else {
      throw place.error(in: "id", "the id \(id) is used twice")
    }
    do { try resource.checkComputed() } catch { throw place.error(error.message) }
    guard list.count < limits.count,
      let versioned = take(resource, inPlaceOf: nil, limit: limits.byteCount)
    else { throw place.error("this is more than the store allows") }
    ids.use(id)
    list.append(Created(resource: resource, number: versioned.version))
  }
}

/// Coded without the bytes: another version of the program may count other bytes for the same resources.
extension WriteLedger: Codable {
  private enum CodingKeys: CodingKey {
    case version
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    version = try JSONReader(from: container.superDecoder(forKey: .version)).count()
  }

  /// Counts the bytes of resources that were read with the ledger.
  mutating func count<Model: Resource>(_ resources: some Sequence<Model>) {
    for resource in resources { byteCount += resource.byteCount }
  }
}
