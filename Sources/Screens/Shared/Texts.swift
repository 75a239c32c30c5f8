import CanonicalJSON
import ViewState

/// The largest sizes of texts, in bytes. They are small enough that a page of a collection, with as many
/// texts as a client asks for, costs little memory while it waits to be read.
enum LongestText {
  /// A title or a name.
  static let line = 1_000
  static let address = 2_048
  /// A text of several paragraphs.
  static let body = 64 * 1024
  /// A document that is kept as it was sent, as canonical JSON: a request is not larger.
  static let document = 1024 * 1024
}

extension ValueType<Text> {
  /// The type of titles and names, which are not empty.
  static let shownText = ValueType(
    schema: [
      "type": "string", "minLength": 1, "maxLength": .integer(LongestText.line),
      "description": "At most \(LongestText.line) bytes.",
    ],
    read: { (json) throws(JSONShapeError) in
      let text = try json.string()
      guard (1...LongestText.line).contains(text.byteCount) else {
        throw json.error("expected 1 to \(LongestText.line) bytes of text")
      }
      return text
    }, write: { .string($0) })
}

extension Text {
  /// Returns a line of this text and more at its end. If both are too long for a line, this text is cut.
  func line(followedBy end: String = "") -> Text {
    if byteCount + end.utf8.count <= LongestText.line { return "\(self)\(end)" }
    let end = "…" + end
    var bytes = utf8.prefix(LongestText.line - end.utf8.count)
    while String(bytes) == nil { bytes.removeLast() }
    return "\(Substring(bytes))\(end)"
  }
}

extension Argument<Text> {
  /// Declares a title or a name, which is not empty.
  static func shownText(_ name: String) -> Argument { Argument(Text(name), .shownText) }
}

extension ValueType<Int> {
  /// The type of numbers of elements, and of their positions.
  static let count = ValueType(
    schema: ["type": "integer", "minimum": 0],
    read: { (json) throws(JSONShapeError) in
      let number = try json.integer()
      guard number >= 0 else { throw json.error("expected a whole number from 0") }
      return number
    }, write: { .integer($0) })
}

extension Int {
  /// The number with a comma before each group of three digits, for the OpenAPI document: 10,000.
  var grouped: Text { Language.en.number(self) }

  /// The size in MiB or KiB, for texts.
  var size: String { self >= 1 << 20 ? "\(self >> 20) MiB" : "\(self >> 10) KiB" }
}
