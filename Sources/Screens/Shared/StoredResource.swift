public import CanonicalJSON

/// What a store keeps under an id and writes as JSON.
public protocol StoredResource: Identifiable<ResourceID>, Equatable, Sendable {
  /// Unique among the resources of its kind.
  var id: ResourceID { get }
  /// The resource as a document, which can be read again.
  var json: JSONValue { get }
}
