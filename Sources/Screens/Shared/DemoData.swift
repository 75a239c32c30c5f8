import CanonicalJSON
import Snapshots
import ViewDeltaServer

/// Reads JSON that is part of the program.
enum DemoData {
  /// Reads a text.
  ///
  /// - Precondition: It is JSON that can be read.
  static func read<Data>(
    _ json: StaticString, _ read: (JSONReader) throws(JSONShapeError) -> Data
  ) -> Data {
    do {
      let bytes = json.withUTF8Buffer { Array($0) }
      return try read(JSONReader(JSONValue(parsing: bytes)))
    } catch {
      preconditionFailure("JSON that is part of the program cannot be read: \(error)")
    }
  }
}

/// What features add to the OpenAPI document beside their endpoints.
enum DemoDocument {
  /// Returns a fragment with an example of each type of rows: the last row of the type.
  static func examples(_ rows: [Row]) -> JSONValue {
    var schemas: [Text: JSONValue] = [:]
    for row in rows {
      var members = row.fields
      (members["id"], members["type"]) = (.string(row.id), .string(row.type))
      schemas["\(row.type.capitalized)Row"] = [
        "examples": [.object(members)]
      ]
    }
    return ["components": ["schemas": .object(schemas)]]
  }

  /// Returns a fragment in which schemas are components, and references wherever else they are.
  ///
  /// - Parameters:
  ///   - names: The schemas, by the names of the components.
  ///   - others: What else becomes a reference: schemas of components of other fragments, and
  ///     references from where a schema was.
  /// - Precondition: No two schemas are equal.
  static func naming(
    _ names: [Text: JSONValue], and others: [Text: JSONValue] = [:], in fragment: JSONValue
  ) -> JSONValue {
    let known = Dictionary(
      uniqueKeysWithValues: [names, others].flatMap { $0.map { ($0.value, $0.key) } })
    func inside(_ value: JSONValue) -> JSONValue {
      switch value {
      case .array(let elements): .array(elements.map(named))
      case .object(let members): .object(members.mapValues(named))
      default: value
      }
    }
    func named(_ value: JSONValue) -> JSONValue {
      known[value].map(JSONValue.reference(toSchema:)) ?? inside(value)
    }
    let definitions: JSONValue = ["components": ["schemas": .object(names.mapValues(inside))]]
    return definitions.mergePatched(with: named(fragment))
  }

  /// Returns the alternatives of a schema by the names of components.
  ///
  /// - Parameters:
  ///   - schema: A schema with the member `oneOf`.
  ///   - names: A name for each alternative, in their order.
  static func alternatives(of schema: JSONValue, _ names: [Text]) -> [Text: JSONValue] {
    guard case .object(let members) = schema, case .array(let alternatives)? = members["oneOf"]
    else { return [:] }
    return Dictionary(zip(names, alternatives)) { first, _ in first }
  }
}
