public import CanonicalJSON
public import Snapshots

extension Resource {
  public static var schema: JSONValue {
    JSONValue.objectSchema(
      fields, with: [("id", ResourceID.valueType.schema, true)], description: summary
    ).mergePatched(with: ["additionalProperties": nil])
  }

  public static var inputSchema: JSONValue { inputSchema(optional: []) }

  /// Returns the JSON schema of a body in which some required members may be left out, because the path of the
  /// request has them.
  ///
  /// - Parameter isElement: Whether the body is a part of another document, and must have an id.
  static func inputSchema(optional names: Set<Text>, isElement: Bool = false) -> JSONValue {
    let unknown = refusesUnknownMembers ? "refused." : "ignored and not kept."
    let id = ResourceID.valueType.schema
    var others: [Text: JSONValue] = ["id": isElement ? id : id.nullable]
    // A body may be what a GET has answered, with the members that the server computes.
    if refusesUnknownMembers {
      for field in fields where field.inputSchema == nil {
        others[field.name] = field.schema.mergePatched(with: ["readOnly": true])
      }
    }
    let schema = JSONValue.bodySchema(
      fields, with: others, requiring: isElement ? ["id"] : [], optional: names)
    return schema.mergePatched(with: [
      "additionalProperties": refusesUnknownMembers ? false : nil,
      "description": .string(
        (summary.isEmpty ? "" : summary + "\n\n")
          + "A member that is `null` counts as absent. Unknown members are \(unknown)"),
    ])
  }
}

extension ValueType where Value: Resource {
  /// The type of resources that are elements of another document, and must have an id.
  public static var element: ValueType {
    ValueType(
      schema: Value.schema, input: Value.inputSchema(optional: [], isElement: true),
      read: Value.init(_:), write: \.json)
  }
}

extension ValueType {
  /// Returns the type of lists of resources with different ids.
  ///
  /// - Parameter limit: The largest number of resources in the JSON schema. The store must check it.
  public static func elements<Model: Resource>(atMost limit: Int) -> ValueType
  where Value == KeyedSequence<Model> {
    let list = ValueType<[Model]>.list(of: .element, atMost: limit)
    return ValueType(
      schema: list.schema, input: list.inputSchema,
      read: { (json) throws(JSONShapeError) in
        var models: [Model] = []
        var ids: Set<ResourceID> = []
        for element in try json.elements() {
          let model = try Model(element)
          guard ids.insert(model.id).inserted else {
            throw try element.member("id").error("the id \(model.id) is used twice")
          }
          models.append(model)
        }
        return KeyedSequence(models)
      },
      write: { .array($0.map(\.json)) })
  }
}

extension JSONValue {
  /// Returns the JSON schema of an object in a body that fields read.
  ///
  /// - Parameters:
  ///   - others: The schemas of further members.
  ///   - required: The names of the further members that are required.
  ///   - optional: The names of required fields that may be left out.
  static func bodySchema<Model>(
    _ fields: [Field<Model>], with others: [Text: JSONValue] = [:], requiring required: [Text] = [],
    optional: Set<Text> = []
  ) -> JSONValue {
    var properties = others
    var required = required.map(JSONValue.string)
    var absent: [JSONValue] = []
    for field in fields {
      guard let schema = field.inputSchema else { continue }
      let isRequired = field.isRequiredInBody && !optional.contains(field.name)
      let mayBeNull = !isRequired || !field.aliases.isEmpty
      properties[field.name] = mayBeNull ? schema.nullable : schema
      for alias in field.aliases {
        properties[alias] = schema.nullable.mergePatched(with: [
          "description": .string("Taken as `\(field.name)` if that is absent.")
        ])
      }
      guard isRequired else { continue }
      if field.aliases.isEmpty {
        required.append(.string(field.name))
      } else {
        let names = [field.name] + field.aliases
        absent.append([
          "properties": .object(
            Dictionary(names.map { ($0, ["type": "null"]) }) { first, _ in first })
        ])
      }
    }
    var schema: [Text: JSONValue] = ["type": "object", "properties": .object(properties)]
    if !required.isEmpty { schema["required"] = .array(required) }
    // `not`, because generators of clients take a union for a type of its own.
    if absent.count == 1 { schema["not"] = absent[0] }
    if absent.count > 1 { schema["not"] = ["anyOf": .array(absent)] }
    return .object(schema)
  }

  /// The JSON schema of the same values and null.
  fileprivate var nullable: JSONValue {
    guard case .object(var members) = self else { return self }
    if case .string? = members["type"], members["const"] == nil, let type = members["type"] {
      members["type"] = [type, "null"]
      if case .array(let values)? = members["enum"] { members["enum"] = .array(values + [.null]) }
      return .object(members)
    }
    return ["anyOf": [self, ["type": "null"]]]
  }
}
