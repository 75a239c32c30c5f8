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

/// An entry of an account, and when it was written first.
public struct WrittenEntry<Entry: Sendable>: Sendable {
  /// The entry as it is now.
  var current: Versioned<Entry>
  /// The version that it was created with: the greater, the later.
  public let created: Int

  /// The entry as it is now.
  public var resource: Entry { current.resource }
}

extension Versioned: Codable where Resource: Codable {}
extension WrittenEntry: Codable where Entry: Codable {}
