import CanonicalJSON
import ViewState

/// The operations of one command, and their limits.
enum CatalogBatch {
  /// The largest number of operations.
  static let mostOperations = 200

  /// The largest number of sections, items and ids in all operations: twice those of the largest catalog. A batch with
  /// more is refused before it is read, because all other inputs wait for its end.
  static let mostElements =
    2 * (CatalogLimits().itemsPerCatalog + CatalogLimits().sectionsPerCatalog)

  static let valueType: ValueType<[CatalogOperation]> = {
    let list: ValueType<[CatalogOperation]> = .list(
      of: CatalogOperation.valueType, atMost: mostOperations)
    return ValueType(
      schema: list.schema, input: list.inputSchema,
      read: { (json) throws(JSONShapeError) in
        // What is no list, or too long a list, is refused by its reading.
        if case .array(let operations) = json.value, operations.count <= mostOperations,
          operations.reduce(0, { $0 + $1.elementCount }) > mostElements
        {
          throw json.error(
            "the operations have more than \(mostElements) sections, items and ids: "
              + "send fewer at a time")
        }
        return try list.read(json)
      }, write: { list.write($0) })
  }()
}

extension JSONValue {
  /// The number of elements of all arrays in this value.
  fileprivate var elementCount: Int {
    switch self {
    case .array(let elements): elements.reduce(elements.count) { $0 + $1.elementCount }
    case .object(let members): members.values.reduce(0) { $0 + $1.elementCount }
    case .null, .bool, .integer, .number, .string: 0
    }
  }
}
