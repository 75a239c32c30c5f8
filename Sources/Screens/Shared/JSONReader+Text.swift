import CanonicalJSON

/// How long texts may be, in bytes. A page of a collection has as many as a client asks for, so none
/// may be large enough to make an unread page of them costly.
extension JSONReader {
  /// The longest title or name.
  static let longestShownText = 1_000
  /// The longest address of something on the web.
  static let longestURL = 2_048
  /// The longest text of several paragraphs.
  static let longestBody = 64 * 1024
  /// The longest document that is kept as it came, as canonical JSON: one that fits into a request.
  static let longestDocument = 1024 * 1024

  /// The JSON schema of what `shownText` takes.
  static let shownTextSchema: JSONValue = [
    "type": "string", "minLength": 1, "maxLength": .integer(longestShownText),
  ]

  /// A text such as a title or a name: not empty, and of limited length.
  func shownText() throws(JSONShapeError) -> Text {
    let text = try string()
    guard (1...Self.longestShownText).contains(text.byteCount) else {
      throw error("expected 1 to \(Self.longestShownText) bytes of text")
    }
    return text
  }

  /// A text of limited length, perhaps empty.
  ///
  /// - Parameter limit: how many bytes it may have.
  func text(atMost limit: Int = longestShownText) throws(JSONShapeError) -> Text {
    let text = try string()
    guard text.byteCount <= limit else { throw error("expected at most \(limit) bytes of text") }
    return text
  }

  /// An object that is kept as it came, of limited size.
  func document() throws(JSONShapeError) -> JSONValue {
    let document = JSONValue.object(try object())
    guard document.canonicalBytes().count <= Self.longestDocument else {
      throw error("expected at most \(Self.longestDocument) bytes of JSON")
    }
    return document
  }
}
