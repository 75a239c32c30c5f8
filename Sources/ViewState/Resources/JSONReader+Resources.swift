package import CanonicalJSON

/// The largest sizes of texts, in bytes. They are small enough that a page of a collection, with as many
/// texts as a client asks for, costs little memory while it waits to be read.
extension JSONReader {
  /// The largest size of a title or a name.
  package static let longestShownText = 1_000
  /// The largest size of a URL.
  package static let longestURL = 2_048
  /// The largest size of a text of several paragraphs.
  package static let longestBody = 64 * 1024
  /// The largest size of a document that is kept as it was sent, as canonical JSON: that of a request.
  package static let longestDocument = 1024 * 1024

  /// The JSON schema of ``shownText()``.
  package static let shownTextSchema: JSONValue = [
    "type": "string", "minLength": 1, "maxLength": .integer(longestShownText),
  ]

  /// Reads a title or a name of 1 to ``longestShownText`` bytes.
  package func shownText() throws(JSONShapeError) -> Text {
    let text = try string()
    guard (1...Self.longestShownText).contains(text.byteCount) else {
      throw error("expected 1 to \(Self.longestShownText) bytes of text")
    }
    return text
  }

  /// Reads a text, which may be empty.
  ///
  /// - Parameter limit: The largest size in bytes.
  package func text(atMost limit: Int = longestShownText) throws(JSONShapeError) -> Text {
    let text = try string()
    guard text.byteCount <= limit else { throw error("expected at most \(limit) bytes of text") }
    return text
  }

  /// Reads an object of at most ``longestDocument`` bytes of canonical JSON.
  package func document() throws(JSONShapeError) -> JSONValue {
    let document = JSONValue.object(try object())
    guard document.canonicalBytes().count <= Self.longestDocument else {
      throw error("expected at most \(Self.longestDocument) bytes of JSON")
    }
    return document
  }

  /// Reads the text of the first of these members that is present and not `null`; returns `nil` if there is
  /// none.
  ///
  /// - Parameters:
  ///   - names: The names of the members.
  ///   - limit: The largest size in bytes.
  package func optionalText(
    _ names: Text..., atMost limit: Int = longestShownText
  ) throws(JSONShapeError) -> Text? {
    for name in names {
      if let member = try nullableMember(name) { return try member.text(atMost: limit) }
    }
    return nil
  }

  /// Reads the id in a member; returns `assigned` if it is given and the member is absent or `null`.
  package func resourceID(
    _ name: Text, assigned: ResourceID?
  ) throws(JSONShapeError) -> ResourceID {
    if let assigned, try nullableMember(name) == nil { return assigned }
    return try ResourceID(member(name))
  }
}
