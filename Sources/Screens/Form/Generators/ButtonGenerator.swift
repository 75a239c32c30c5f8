import CanonicalJSON
import Snapshots
import ViewState

/// Describes a button that sends the form or starts it over.
struct ButtonGenerator: RowGenerator {
  /// What a tap does.
  enum Purpose: Text, CaseIterable {
    case submit
    case reset
  }

  static let kind: Text = "button"
  static let schema: [Text: JSONValue] = [
    "text": JSONReader.shownTextSchema,
    "does": ["enum": .array(Purpose.allCases.map { .string($0.rawValue) })],
  ]
  static let required: [Text] = ["text", "does"]

  var frame: RowFrame
  let text: Text
  let purpose: Purpose

  init(_ reader: JSONReader, frame: RowFrame) throws(JSONShapeError) {
    self.frame = frame
    text = try reader.member("text").shownText()
    purpose = try reader.member("does").oneOf(Purpose.self)
  }

  var configuration: [Text: JSONValue] {
    ["text": .string(text), "does": .string(purpose.rawValue)]
  }

  func didTap(part: Text, _ context: inout RowContext) throws(RowEventFault) {
    guard part.isEmpty else { throw .noSuchEvent }
    switch purpose {
    case .submit: context.requests.append(.submit)
    case .reset: context.requests.append(.reset)
    }
  }

  func rows(depth: Int, _ rows: inout RowCache) -> [Row] {
    [
      rows.formRow(id.text, type: "formButton", depth: depth, for: text) { text in
        [
          "text": .string(text),
          "action": FormCommand.didTap.action(title: text.string, row: id.text),
        ]
      }
    ]
  }
}
