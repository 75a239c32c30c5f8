import CanonicalJSON
import ViewState

/// What all fields have that a user fills in.
struct FieldFace: Hashable, Sendable {
  /// What is asked for.
  var label: Text
  /// What stands in the field while it is empty.
  var placeholder: Text?
  /// Whether it must be filled in.
  var isRequired: Bool
  /// What is said of any wrong value, in place of what the field has to say about it.
  var errorText: Text?

  static let schema: [Text: JSONValue] = [
    "label": JSONReader.shownTextSchema, "placeholder": JSONReader.shownTextSchema,
    "required": ["type": "boolean", "description": "Whether a value must be given."],
    "errorText": JSONReader.shownTextSchema,
  ]
}

extension FieldFace {
  /// Reads the members; all but `label` may be left out.
  init(_ reader: JSONReader) throws(JSONShapeError) {
    label = try reader.member("label").shownText()
    placeholder = try reader.nullableMember("placeholder")?.shownText()
    isRequired = try reader.nullableMember("required")?.bool() ?? false
    errorText = try reader.nullableMember("errorText")?.shownText()
  }

  /// The members as `init(_:)` reads them.
  var json: [Text: JSONValue] {
    var members: [Text: JSONValue] = ["label": .string(label)]
    members["placeholder"] = placeholder.map(JSONValue.string)
    if isRequired { members["required"] = true }
    members["errorText"] = errorText.map(JSONValue.string)
    return members
  }
}
