import CanonicalJSON
import ViewState

/// The JSON schemas of what commands on forms take.
enum FormSchemas {
  static let row: JSONValue = [
    "type": ["integer", "string"], "description": "The id of a row that is shown.",
  ]
  static let value: JSONValue = [
    "type": ["string", "boolean", "null"],
    "description": "A boolean for a switch, the id of an option or null for a choice, else a text.",
  ]
  static let operations: JSONValue = [
    "type": "array", "maxItems": .integer(FormLimits().operationsPerCommand),
    "items": ["oneOf": .array(FormOperation.Name.allCases.map(operation))],
    "description": "What is done, in this order.",
    "$defs": [
      "row": [
        "oneOf": .array(RowKinds.all.map { object(members(of: $0), required: required(of: $0)) })
      ]
    ],
  ]

  private static let id: JSONValue = ["type": ["integer", "string"]]
  /// The schema of a row as it stands in that of the whole command.
  private static let rowDescription: JSONValue = [
    "$ref": "#/properties/operations/$defs/row"
  ]
  private static let rows: JSONValue = ["type": "array", "items": rowDescription]

  private static func members(of kind: any RowGenerator.Type) -> [Text: JSONValue] {
    var members = kind.schema
    members["kind"] = ["const": .string(kind.kind)]
    members["id"] = id
    members["weight"] = [
      "type": "integer", "minimum": .integer(RowFrame.weights.lowerBound),
      "maximum": .integer(RowFrame.weights.upperBound),
    ]
    members["visibility"] = Visibility.schema
    if kind.holdsRows {
      members["rows"] = rows
    }
    return members
  }

  private static func required(of kind: any RowGenerator.Type) -> [Text] {
    ["id", "kind"] + kind.required
  }

  private static func operation(_ name: FormOperation.Name) -> JSONValue {
    var members: [Text: JSONValue] = ["operation": ["const": .string(name.rawValue)]]
    for member in name.members { members[member] = schema(of: member) }
    return object(members, required: ["operation"] + name.required)
  }

  private static func schema(of member: Text) -> JSONValue {
    switch member {
    case "rows": rows
    case "with": rowDescription
    case "ids": ["type": "array", "items": id]
    case "newSection":
      object(
        ["id": id, "title": JSONReader.shownTextSchema, "rows": rows], required: ["id"])
    default: id
    }
  }

  private static func object(
    _ properties: [Text: JSONValue], required: [Text]
  ) -> JSONValue {
    [
      "type": "object", "properties": .object(properties),
      "required": .array(required.map(JSONValue.string)), "additionalProperties": false,
    ]
  }
}
