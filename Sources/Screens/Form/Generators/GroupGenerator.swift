import CanonicalJSON
import Snapshots
import ViewState

/// Describes a row that folds away those beneath it when it is chosen. Groups may stand in groups:
/// each remembers for itself whether it is collapsed.
struct GroupGenerator: RowGenerator {
  static let kind: Text = "group"
  static let schema: [Text: JSONValue] = [
    "text": JSONReader.shownTextSchema,
    "collapsed": ["type": "boolean", "description": "Whether it is collapsed at first."],
  ]
  static let required: [Text] = ["text"]
  static let holdsRows = true

  var frame: RowFrame
  let text: Text
  private let beginsCollapsed: Bool
  private(set) var isCollapsed: Bool

  init(_ reader: JSONReader, frame: RowFrame) throws(JSONShapeError) {
    self.frame = frame
    text = try reader.member("text").shownText()
    beginsCollapsed = try reader.nullableMember("collapsed")?.bool() ?? false
    isCollapsed = beginsCollapsed
  }

  var configuration: [Text: JSONValue] {
    var members: [Text: JSONValue] = ["text": .string(text)]
    if beginsCollapsed { members["collapsed"] = true }
    return members
  }

  mutating func didSelect(part: Text, _ context: inout RowContext) throws(RowEventFault) {
    guard part.isEmpty else { throw .noSuchEvent }
    isCollapsed.toggle()
  }

  mutating func expand() { isCollapsed = false }

  mutating func adopt(_ old: GroupGenerator, _ context: inout RowContext) {
    isCollapsed = old.isCollapsed
  }

  func encodeState(to encoder: any Encoder) throws {
    try JSONValue.object(["isCollapsed": .bool(isCollapsed)]).encode(to: encoder)
  }

  mutating func decodeState(from decoder: any Decoder) throws {
    isCollapsed = try JSONReader(from: decoder).member("isCollapsed").bool()
  }

  func rows(depth: Int, _ rows: inout RowCache) -> [Row] {
    [
      rows.formRow(id.text, type: "formGroup", depth: depth, for: self) { group in
        [
          "text": .string(group.text), "isCollapsed": .bool(group.isCollapsed),
          "action": FormCommand.didSelect.action(
            title: group.isCollapsed ? "Expand" : "Collapse", row: group.id.text),
        ]
      }
    ]
  }
}
