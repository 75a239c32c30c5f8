import CanonicalJSON
import Snapshots
import ViewState

/// Describes a line of text above other rows.
struct HeaderGenerator: RowGenerator {
  static let kind: Text = "header"
  static let schema: [Text: JSONValue] = ["text": JSONReader.shownTextSchema]
  static let required: [Text] = ["text"]

  var frame: RowFrame
  let text: Text

  init(_ reader: JSONReader, frame: RowFrame) throws(JSONShapeError) {
    self.frame = frame
    text = try reader.member("text").shownText()
  }

  var configuration: [Text: JSONValue] { ["text": .string(text)] }

  func rows(depth: Int, _ rows: inout RowCache) -> [Row] {
    [rows.formRow(id.text, type: "formHeader", depth: depth, for: text) { ["text": .string($0)] }]
  }
}
