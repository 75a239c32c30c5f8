package import CanonicalJSON

/// How long texts may be, in bytes. A page of a collection has as many as a client asks for, so none
/// may be large enough to make an unread page of them costly.
extension JSONReader {
  /// The longest title or name.
  package static let longestShownText = 1_000
  /// The longest address of something on the web.
  package static let longestURL = 2_048
  /// The longest text of several paragraphs.
  package static let longestBody = 64 * 1024
  /// The longest document that is kept as it came, as canonical JSON: one that fits into a request.
  package static let longestDocument = 1024 * 1024

  /// The JSON schema of what `shownText` takes.
  package static let shownTextSchema: JSONValue = [
    "type": "string", "minLength": 1, "maxLength": .integer(longestShownText),
  ]

  /// A text such as a title or a name: not empty, and of limited length.
  package func shownText() throws(JSONShapeError) -> Text {
    let text = try string()
    guard (1...Self.longestShownText).contains(text.byteCount) else {
      throw error("expected 1 to \(Self.longestShownText) bytes of text")
    }
    return text
  }

  /// A text of limited length, perhaps empty.
  ///
  /// - Parameter limit: how many bytes it may have.
  package func text(atMost limit: Int = longestShownText) throws(JSONShapeError) -> Text {
    let text = try string()
    guard text.byteCount <= limit else { throw error("expected at most \(limit) bytes of text") }
    return text
  }

  /// An object that is kept as it came, of limited size.
  package func document() throws(JSONShapeError) -> JSONValue {
    let document = JSONValue.object(try object())
    guard document.canonicalBytes().count <= Self.longestDocument else {
      throw error("expected at most \(Self.longestDocument) bytes of JSON")
    }
    return document
  }
}

extension JSONReader {
  /// The text of the first of these members that is there; a `null` counts as absent.
  ///
  /// - Parameter limit: how many bytes it may have.
  package func optionalText(
    _ names: Text..., atMost limit: Int = longestShownText
  ) throws(JSONShapeError) -> Text? {
    for name in names {
      if let member = try nullableMember(name) { return try member.text(atMost: limit) }
    }
    return nil
  }

  /// The id in a member, or `assigned` where the member is absent.
  package func resourceID(
    _ name: Text, assigned: ResourceID?
  ) throws(JSONShapeError) -> ResourceID {
    if let assigned, try nullableMember(name) == nil { return assigned }
    return try ResourceID(member(name))
  }
}
