public import CanonicalJSON

/// An element of a store, with an id and a document.
///
/// ```swift
/// struct Note: StoredResource {
///   let id: ResourceID
///   var text: Text
///   var json: JSONValue { ["id": id.json, "text": .string(text)] }
/// }
/// ```
public protocol StoredResource: Identifiable<ResourceID>, Equatable, Sendable {
  /// Unique among the resources of its kind.
  var id: ResourceID { get }
  /// The resource as a document, as clients get it and as it is read again.
  var json: JSONValue { get }
}

/// A resource that counts towards the store's limit of bytes.
public protocol SizedResource: StoredResource {
  /// The size of its texts, in bytes.
  var byteCount: Int { get }
}

/// A resource with the number of the write that made it as it is. Its entity tag is made of the number,
/// and a conditional write compares it.
public struct Versioned<Resource: Sendable>: Sendable {
  /// The resource.
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
extension Versioned: Codable where Resource: Codable {}
