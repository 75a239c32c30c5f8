import CanonicalJSON

extension JSONReader {
  /// The longest title or name, in bytes.
  static let longestShownText = 1_000

  /// The JSON schema of what `shownText` takes.
  static let shownTextSchema: JSONValue = [
    "type": "string", "minLength": 1, "maxLength": .integer(longestShownText),
  ]

  /// A text such as a title or a name: not empty, and of limited length.
  func shownText() throws(JSONShapeError) -> String {
    let text = try string()
    guard (1...Self.longestShownText).contains(text.utf8.count) else {
      throw error("expected 1 to \(Self.longestShownText) bytes of text")
    }
    return text
  }
}
