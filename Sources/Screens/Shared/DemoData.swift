import CanonicalJSON
import Snapshots
import ViewDeltaServer
import ViewState

/// Reads JSON that is part of the program.
enum DemoData {
  /// Reads a text.
  ///
  /// - Precondition: It is JSON that can be read.
  static func read<Data>(
    _ json: StaticString, _ read: (JSONReader) throws(JSONShapeError) -> Data
  ) -> Data {
    json.withUTF8Buffer { bytes in Self.read(Array(bytes), read) }
  }

  /// Returns a text as a value.
  ///
  /// - Precondition: It is JSON.
  static func value(_ json: StaticString) -> JSONValue { read(json) { $0.value } }

  private static func read<Data>(
    _ bytes: [UInt8], _ read: (JSONReader) throws(JSONShapeError) -> Data
  ) -> Data {
    do {
      return try read(JSONReader(JSONValue(parsing: bytes)))
    } catch {
      preconditionFailure("JSON that is part of the program cannot be read: \(error)")
    }
  }
}

/// What features add to the OpenAPI document beside their endpoints.
enum DemoDocument {
  /// Returns a fragment with an example of each type of rows.
  static func examples(_ rows: Row...) -> JSONValue {
    var schemas: [Text: JSONValue] = [:]
    for row in rows {
      let type = row.type.string
      var members = row.fields
      (members["id"], members["type"]) = (.string(row.id), .string(row.type))
      schemas[Text("\(type.prefix(1).uppercased())\(type.dropFirst())Row")] = [
        "examples": [.object(members)]
      ]
    }
    return ["components": ["schemas": .object(schemas)]]
  }

  /// Returns a fragment in which schemas are components, and references wherever else they are.
  ///
  /// - Parameters:
  ///   - names: The schemas, by the names of the components.
  ///   - others: Schemas for components of other fragments.
  /// - Precondition: No two schemas are equal.
  static func naming(
    _ names: [Text: JSONValue], and others: [Text: JSONValue] = [:], in fragment: JSONValue
  ) -> JSONValue {
    let known = Dictionary(
      uniqueKeysWithValues: names.merging(others) { $1 }.map { ($0.value, $0.key) })
    func inside(_ value: JSONValue) -> JSONValue {
      switch value {
      case .array(let elements): .array(elements.map(named))
      case .object(let members): .object(members.mapValues(named))
      default: value
      }
    }
    func named(_ value: JSONValue) -> JSONValue {
      known[value].map(OpenAPIDocument.reference) ?? inside(value)
    }
    let definitions: JSONValue = ["components": ["schemas": .object(names.mapValues(inside))]]
    return definitions.mergePatched(with: named(fragment))
  }

  /// Returns the schemas of the operations in a command, by the names of their components.
  ///
  /// - Parameters:
  ///   - screen: The beginning of the names.
  ///   - names: The names of the operations.
  ///   - schema: The schema of an operation, which lists those of all in their order.
  static func operations(
    of screen: String, _ names: [Text], _ schema: JSONValue
  ) -> [Text: JSONValue] {
    var schemas = [Text("\(screen)Operation"): schema]
    guard case .object(let members) = schema, case .array(let operations)? = members["oneOf"] else {
      return schemas
    }
    for (name, operation) in zip(names, operations) {
      let type = name.string.prefix(1).uppercased() + name.string.dropFirst()
      schemas[Text("\(screen)\(type)Operation")] = operation
    }
    return schemas
  }

  /// Returns the types of rows that components of the OpenAPI document describe.
  ///
  /// - Precondition: Each component is in one of the fragments and has a `type` and a description.
  static func rowTypes(_ components: [Text], in fragments: JSONValue...) -> [RowTypeDescriptor] {
    components.map { component in
      let place = "/components/schemas/\(component)"
      func text(_ member: String) -> Text? {
        for fragment in fragments {
          let value = JSONPointer(place + member).flatMap { fragment.value(at: $0) }
          if case .string(let text)? = value { return text }
        }
        return nil
      }
      guard let name = text("/properties/type/const"), let summary = text("/description") else {
        preconditionFailure("\(component) describes no type of rows")
      }
      return RowTypeDescriptor(
        name: name, summary: summary.string, schema: ["$ref": .string("#\(place)")])
    }
  }
}
