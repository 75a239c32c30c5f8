import CanonicalJSON
import ViewState

/// The JSON schemas of what the command on catalogs takes.
enum CatalogSchema {
  static let operations: JSONValue = [
    "type": "array", "maxItems": .integer(CatalogLimits().operationsPerCommand),
    "items": ["oneOf": .array(CatalogOperation.Name.allCases.map(schema))],
    "description": "What is done, in this order.",
  ]

  private static let id: JSONValue = [
    "type": ["integer", "string"], "description": "The id of a section or an item.",
  ]
  private static let text = JSONReader.shownTextSchema
  private static let removableText: JSONValue = [
    "type": ["string", "null"], "minLength": 1,
    "maxLength": .integer(JSONReader.longestShownText),
  ]
  private static let kind: JSONValue = [
    "enum": .array(CatalogItem.Kind.allCases.map { .string($0.rawValue) })
  ]
  private static let content: [Text: JSONValue] = [
    "id": id, "type": kind, "title": text, "detail": removableText, "badge": removableText,
  ]
  private static let items = list(
    of: object(content, required: ["id", "title"]))
  private static let patches = list(of: object(content, required: ["id"]))
  private static let sections = list(
    of: object(["id": id, "title": removableText, "items": items], required: ["id"]))

  private static func schema(of name: CatalogOperation.Name) -> JSONValue {
    var properties: [Text: JSONValue] = ["operation": ["const": .string(name.rawValue)]]
    for member in name.members { properties[member] = schema(ofMember: member, in: name) }
    let optional: Set<Text> = ["before", "after", "section"]
    let required = properties.keys.filter { !optional.contains($0) }.sorted()
    guard name.members.contains("before") else { return object(properties, required: required) }
    guard case .object(var schema) = object(properties, required: required) else { return .null }
    schema["oneOf"] = [["required": ["before"]], ["required": ["after"]]]
    return .object(schema)
  }

  private static func schema(
    ofMember member: Text, in name: CatalogOperation.Name
  ) -> JSONValue {
    switch member {
    case "sections": sections
    case "items": name == .reconfigureItems ? patches : items
    case "ids": list(of: id)
    default: id
    }
  }

  private static func list(of element: JSONValue) -> JSONValue {
    ["type": "array", "items": element]
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
