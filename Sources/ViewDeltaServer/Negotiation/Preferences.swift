import MicroHTTP

/// The preferences of a client (RFC 7240). Unknown and malformed ones are ignored.
struct Preferences: Hashable, Sendable {
  /// Whether the client prefers an error to a guess (section 4.4).
  private(set) var isStrict = false
  /// Whether the client prefers a diff to a smaller snapshot, a preference of this server.
  private(set) var wantsDiff = false

  /// The preference for a diff, as a reply that follows it says in Preference-Applied.
  static let diff = "return=diff"

  /// How long the client waits for a reply, in seconds (section 4.3); `nil` if it does not say.
  private(set) var wait: Int?

  init(_ field: String?) {
    guard let field else { return }
    var known: Set<Substring> = []
    for preference in Substring(field.lowercased()).split(outsideQuotes: ",") {
      let scalars = preference.unicodeScalars
      let first = scalars.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
      let parts = first.split(separator: "=", maxSplits: 1).map { Substring($0) }
      // The first preference of a name counts, even if it is malformed (section 2).
      guard let name = parts.first, known.insert(name).inserted, parts.count == 2 else { continue }
      switch (name, parts[1]) {
      case ("handling", "strict"): isStrict = true
      case ("return", "diff"): wantsDiff = true
      case ("wait", let seconds) where seconds.hasOnlyDigits: wait = Int(seconds) ?? .max
      default: break
      }
    }
  }
}

extension Request {
  /// The preferences in the field Prefer.
  var preferences: Preferences { Preferences(self[.prefer]) }
}

extension StringProtocol {
  /// Whether there are no other characters than the digits 0 to 9.
  var hasOnlyDigits: Bool { utf8.allSatisfy { (0x30...0x39).contains($0) } }
}

extension Substring {
  /// Splits the value of a field at the separators that are not in a quoted string (RFC 9110, section 5.6.4).
  func split(outsideQuotes separator: Unicode.Scalar) -> [Substring] {
    var (isQuoted, isEscaped) = (false, false)
    return utf8.split(omittingEmptySubsequences: false) { byte in
      if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped
      return byte == UInt8(ascii: separator) && !isQuoted
    }.map { Substring($0) }
  }
}
