import CanonicalJSON

/// Describes a switch. One that is required has to be on: somebody has to agree to something.
struct SwitchGenerator: FieldGenerator {
  static let kind: Text = "switch"
  static let rowType: Text = "switchField"
  static let schema = FieldFace.schema.merging(["default": ["type": "boolean"]]) { $1 }
  static let required: [Text] = ["label"]
  static let codes = [FieldFault.Code.required]

  var frame: RowFrame
  let face: FieldFace
  private(set) var initial = false
  var entry = FieldEntry(value: false)

  init(_ reader: JSONReader, frame: RowFrame) throws(JSONShapeError) {
    self.frame = frame
    face = try FieldFace(reader)
    initial = try readDefault(reader) ?? false
    entry.value = initial
  }

  var configuration: [Text: JSONValue] { configuration([:]) }
  var input: [Text: JSONValue] { ["type": "checkbox"] }

  func read(_ reader: JSONReader) throws(JSONShapeError) -> Bool { try reader.bool() }
  func json(_ value: Bool) -> JSONValue { .bool(value) }
  func isEmpty(_ value: Bool) -> Bool { !value }
  func fault(of value: Bool) -> FieldFault? { nil }
}
