import CanonicalJSON

/// The key of a view model: the element that it shows and, on a personal screen, the session of the people who
/// share its state.
///
/// `1@hT7c-0VqRk2mZ5xEo9sYwA` is the element `1` in a session. Whoever knows the key has the session, so it is
/// as long as 128 random bits, and never logged.
struct InstanceKey: Hashable, Sendable {
  /// The key as clients write it.
  let text: Text
  /// The key that the screen is asked for.
  let element: Text
  /// Whether the view model belongs to a session.
  let hasSession: Bool

  /// The key for the log.
  var logged: Text { hasSession ? "\(element)@…" : text }

  /// Reads the key of a view model. On a personal screen the session follows the last `@`.
  ///
  /// - Throws: `ScreenLookupError` if the session does not have 22 to 128 letters, digits, `-` and `_`, or if the
  ///   element is not a valid ``ResourceID``. Keys are logged, and a key with a line break could forge a line.
  init(_ text: Text, isPersonal: Bool) throws(ScreenLookupError) {
    self.text = text
    let bytes = text.utf8
    if isPersonal, let at = bytes.lastIndex(of: UInt8(ascii: "@")) {
      let session = bytes[bytes.index(after: at)...]
      guard (22...128).contains(session.count), session.allSatisfy(\.isBase64URL) else {
        throw .malformedSession
      }
      (element, hasSession) = (Text(Substring(bytes[..<at])), true)
    } else {
      (element, hasSession) = (text, false)
    }
    if !ResourceID.isValid(element) { throw .unknownKey }
  }
}

extension UInt8 {
  /// Whether the byte is one of those of base64url (RFC 4648, section 5).
  var isBase64URL: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
