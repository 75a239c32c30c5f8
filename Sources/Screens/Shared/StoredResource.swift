public import CanonicalJSON
import OrderedCollections

/// What a store keeps under an id and writes as JSON.
public protocol StoredResource: Identifiable<ResourceID>, Equatable, Sendable {
  /// Unique among the resources of its kind.
  var id: ResourceID { get }
  /// The resource as a document, which can be read again.
  var json: JSONValue { get }
}

extension JSONReader {
  /// The resources of an array by their ids, in their order.
  ///
  /// - Throws: `JSONShapeError` for one that cannot be decoded, and for an id that is used twice.
  func resourcesByID<Resource: StoredResource & Decodable>() throws(JSONShapeError)
    -> OrderedDictionary<ResourceID, Resource>
  {
    var resources: OrderedDictionary<ResourceID, Resource> = [:]
    for element in try elements() {
      let resource = try element.decode(Resource.self)
      guard resources.updateValue(resource, forKey: resource.id) == nil else {
        throw element.error("the id \(resource.id) is used twice")
      }
    }
    return resources
  }
}
