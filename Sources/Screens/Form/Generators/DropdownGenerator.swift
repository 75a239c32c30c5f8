import CanonicalJSON
import ViewState

/// Describes a field whose value is one of a few options, or none.
struct DropdownGenerator: FieldGenerator {
  /// One of the options.
  struct Option: Hashable, Sendable {
    let id: Text
    let title: Text
  }

  static let kind: Text = "dropdown"
  static let rowType: Text = "dropdownField"
  static let mostOptions = 100
  static let schema: [Text: JSONValue] = FieldFace.schema.merging([
    "default": ["type": "string", "description": "The id of an option."],
    "options": [
      "type": "array", "minItems": 1, "maxItems": .integer(mostOptions),
      "items": [
        "type": "object", "additionalProperties": false, "required": ["id", "title"],
        "properties": ["id": JSONReader.shownTextSchema, "title": JSONReader.shownTextSchema],
      ],
    ],
  ]) { $1 }
  static let required: [Text] = ["label", "options"]
  static let codes = [FieldFault.Code.required]

  var frame: RowFrame
  let face: FieldFace
  let options: [Option]
  private(set) var initial: Text?
  var entry = FieldEntry<Text?>(value: nil)

  init(_ reader: JSONReader, frame: RowFrame) throws(JSONShapeError) {
    self.frame = frame
    face = try FieldFace(reader)
    options = try reader.member("options").options()
    initial = try readDefault(reader) ?? nil
    entry.value = initial
  }

  var configuration: [Text: JSONValue] {
    configuration(["options": .array(options.map(\.json))])
  }

  var input: [Text: JSONValue] {
    ["type": "select", "options": .array(options.map(\.json))]
  }

  /// - Throws: for what is no option: no user could have chosen it.
  func read(_ reader: JSONReader) throws(JSONShapeError) -> Text? {
    if reader.isNull { return nil }
    let id = try reader.string()
    guard options.contains(where: { $0.id == id }) else {
      throw reader.error("there is no option of this id")
    }
    return id
  }

  func json(_ value: Text?) -> JSONValue { value.map(JSONValue.string) ?? .null }
  func isEmpty(_ value: Text?) -> Bool { value == nil }
  func fault(of value: Text?) -> FieldFault? { nil }
}

extension DropdownGenerator.Option {
  fileprivate var json: JSONValue { .object(["id": .string(id), "title": .string(title)]) }
}

extension JSONReader {
  fileprivate func options() throws(JSONShapeError) -> [DropdownGenerator.Option] {
    let elements = try elements()
    guard (1...DropdownGenerator.mostOptions).contains(elements.count) else {
      throw error("expected 1 to \(DropdownGenerator.mostOptions) options")
    }
    var options: [DropdownGenerator.Option] = []
    for element in elements {
      try element.rejectUnknownMembers(allowed: ["id", "title"])
      let id = try element.member("id")
      let option = DropdownGenerator.Option(
        id: try id.shownText(), title: try element.member("title").shownText())
      if options.contains(where: { $0.id == option.id }) {
        throw id.error("another option has this id")
      }
      options.append(option)
    }
    return options
  }
}
