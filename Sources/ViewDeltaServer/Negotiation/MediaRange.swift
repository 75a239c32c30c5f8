/// One element of an Accept field (RFC 9110, section 12.5.1).
struct MediaRange: Hashable, Sendable {
  /// In lower case; `*` stands for any.
  let type: Substring
  let subtype: Substring
  /// The weight, 0 to 1; 0 refuses the type.
  let weight: Double

  /// Reads one element; `nil` where it is malformed.
  init?(_ text: Substring) {
    guard let element = WeightedToken(text) else { return nil }
    let names = element.token.lowercased().utf8.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard names.count == 2, names.allSatisfy({ !$0.isEmpty }) else { return nil }
    (type, subtype) = (Substring(names[0]), Substring(names[1]))
    guard type != "*" || subtype == "*" else { return nil }
    weight = element.weight
  }

  /// How closely the range names the type: 0 not at all, 3 exactly.
  func precision(for format: DocumentFormat) -> Int {
    let (type, subtype) = format.mediaType
    if self.type == type && self.subtype == subtype { return 3 }
    if self.type == type && self.subtype == "*" { return 2 }
    return self.type == "*" ? 1 : 0
  }
}
