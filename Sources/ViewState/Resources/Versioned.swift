/// A resource with the number of the last write that changed it. The entity tag of the resource is made from this
/// number, and conditional writes compare it.
public struct Versioned<Resource: Sendable>: Sendable {
  /// The resource.
  public let resource: Resource
  /// The number of the last write that changed the resource, among all writes to its store.
  public let version: Int

  /// Creates a resource with its version.
  public init(resource: Resource, version: Int) {
    self.resource = resource
    self.version = version
  }
}

extension Versioned: Equatable where Resource: Equatable {}
extension Versioned: Codable where Resource: Codable {}
