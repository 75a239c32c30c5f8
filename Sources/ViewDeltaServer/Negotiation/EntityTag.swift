/// An entity tag (RFC 9110, section 8.8.3).
struct EntityTag: Hashable, Sendable {
  /// What stands between the quotes.
  let opaque: String
  let isWeak: Bool

  init(_ opaque: String, isWeak: Bool = false) {
    self.opaque = opaque
    self.isWeak = isWeak
  }

  /// The tag as it stands in a field.
  var text: String { isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"" }
}
