public import CanonicalJSON

/// An element of a store, with an id and a JSON form.
///
/// ```swift
/// struct Note: StoredResource {
///   let id: ResourceID
///   var text: Text
///   var json: JSONValue { ["id": id.json, "text": .string(text)] }
/// }
/// ```
public protocol StoredResource: Identifiable<ResourceID>, Equatable, Sendable {
  /// The id, unique among the resources of a store.
  var id: ResourceID { get }
  /// The resource as JSON, as clients read and write it.
  var json: JSONValue { get }

  /// Returns a JSON Merge Patch in which aliases are replaced by the names with which members are written; unless
  /// defined, the patch as it is.
  static func withOwnNames(_ patch: JSONValue) -> JSONValue
}

extension StoredResource {
  public static func withOwnNames(_ patch: JSONValue) -> JSONValue { patch }
}

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
