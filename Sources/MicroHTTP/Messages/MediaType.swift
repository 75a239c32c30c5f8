/// A media type, the value of a Content-Type field (RFC 9110, section 8.3.1).
public struct MediaType: Sendable, Hashable {
  /// The type and subtype in lower case, for example `application/json`.
  public let essence: String
  /// The `charset` parameter in lower case, without quotes; nil if there is none.
  public let charset: String?

  /// Parses the value of a Content-Type field.
  ///
  /// - Returns: nil unless the value is a type, a slash and a subtype, followed by parameters of
  ///   the form `name=value` or `name="value"` with at most one charset.
  public init?(_ value: String) {
    // That of most bodies.
    if value == "application/json" {
      (essence, charset) = (value, nil)
      return
    }
    var (isQuoted, isEscaped) = (false, false)
    let parts = value.utf8.split(omittingEmptySubsequences: false) { byte in
      if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped
      return byte == UInt8(ascii: ";") && !isQuoted
    }
    if isQuoted { return nil }
    let essence = Substring(parts[0]).trimmingSpace.utf8
    let halves = essence.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard halves.count == 2, halves.allSatisfy(Self.isToken) else { return nil }
    var charset: String?
    for part in parts.dropFirst() {
      let parameter = Substring(part).trimmingSpace.utf8
      if parameter.isEmpty { continue }
      let pair = parameter.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, Self.isToken(pair[0]) else { return nil }
      var text = pair[1]
      if text.count >= 2, text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\"") {
        text = text.dropFirst().dropLast()
      }
      let isCharset = String(Substring(pair[0])).lowercased() == "charset"
      guard Self.isToken(text) || !isCharset else { return nil }
      if isCharset {
        guard charset == nil else { return nil }
        charset = String(Substring(text)).lowercased()
      }
    }
    self.essence = String(Substring(essence)).lowercased()
    self.charset = charset
  }

  private static func isToken(_ text: Substring.UTF8View) -> Bool {
    !text.isEmpty && text.allSatisfy(ASCII.isToken)
  }
}
