/// A resource with the number of the write that made it as it is: what an entity tag is made of,
/// and what a conditional write compares.
public struct Versioned<Resource: Sendable>: Sendable {
  /// What the store holds.
  public let resource: Resource
  /// How many writes the store had done when this one was done.
  public let version: Int

  /// A resource as a write made it.
  public init(resource: Resource, version: Int) {
    self.resource = resource
    self.version = version
  }
}

extension Versioned: Equatable where Resource: Equatable {}

/// An entry of an account, and when it was written first: what the order of entries depends on.
public struct WrittenEntry<Entry: Sendable>: Sendable {
  /// The entry as it is now.
  public let resource: Entry
  /// The version that it was created with: the greater, the later.
  public let created: Int
}

extension Versioned: Codable where Resource: Codable {}
