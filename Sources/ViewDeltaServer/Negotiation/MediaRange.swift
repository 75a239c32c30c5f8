/// One element of an Accept field (RFC 9110, section 12.5.1).
struct MediaRange: Hashable, Sendable {
  /// In lower case; `*` stands for any.
  let type: Substring
  let subtype: Substring
  /// The weight, 0 to 1; 0 refuses the type.
  let weight: Double

  /// Reads one element; `nil` where it is malformed.
  init?(_ text: Substring) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
      .map { $0.trimmingSpace() }
    let names = parts[0].lowercased().split(separator: "/", omittingEmptySubsequences: false)
    guard names.count == 2, names.allSatisfy({ !$0.isEmpty }) else { return nil }
    guard names[0] != "*" || names[1] == "*" else { return nil }
    (type, subtype) = (names[0], names[1])
    guard let weight = parts.dropFirst().first(where: { $0.lowercased().hasPrefix("q=") }) else {
      self.weight = 1
      return
    }
    guard let number = Double(weight.dropFirst(2)), (0...1).contains(number) else { return nil }
    self.weight = number
  }

  /// How closely the range names the type: 0 not at all, 3 exactly.
  func precision(for type: Substring, _ subtype: Substring) -> Int {
    if self.type == type && self.subtype == subtype { return 3 }
    if self.type == type && self.subtype == "*" { return 2 }
    return self.type == "*" ? 1 : 0
  }
}

extension Substring {
  fileprivate func trimmingSpace() -> Substring {
    var text = self
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }
}
