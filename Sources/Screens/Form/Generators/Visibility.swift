import CanonicalJSON
import ViewState

/// Whether a row of a form is shown.
enum Visibility: Hashable, Sendable {
  /// It is.
  case visible
  /// It is not.
  case hidden
  /// It is while another row is shown whose value is this.
  case when(row: ResourceID, equals: JSONValue)

  static let schema: JSONValue = [
    "oneOf": [
      ["enum": ["visible", "hidden"]],
      [
        "type": "object", "additionalProperties": false, "required": ["row", "equals"],
        "properties": [
          "row": ["type": ["integer", "string"]], "equals": ["type": ["boolean", "string"]],
        ],
      ],
    ],
    "description": "Always, never, or only while another row is shown and has this value.",
  ]
}

extension Visibility {
  /// Reads `"visible"`, `"hidden"` or `{"row": …, "equals": …}`.
  init(_ reader: JSONReader) throws(JSONShapeError) {
    switch reader.value {
    case "visible": self = .visible
    case "hidden": self = .hidden
    case .object:
      try reader.rejectUnknownMembers(allowed: ["row", "equals"])
      let wanted = try reader.member("equals")
      switch wanted.value {
      case .bool, .string: break
      default: throw wanted.error("expected a boolean or a string, as rows have for values")
      }
      self = .when(row: try ResourceID(reader.member("row")), equals: wanted.value)
    default:
      throw reader.error("expected \"visible\", \"hidden\" or an object")
    }
  }

  /// What `init(_:)` reads; `nil` where it is left out.
  var json: JSONValue? {
    switch self {
    case .visible: nil
    case .hidden: "hidden"
    case .when(let row, let value): .object(["row": row.json, "equals": value])
    }
  }
}
