/// An element of a list with weights, such as `gzip;q=0.5` (RFC 9110, section 12.4.2).
struct WeightedToken: Hashable, Sendable {
  /// What stands before the parameters, without space around it.
  let token: Substring
  /// 0 to 1; 0 refuses the thing.
  let weight: Double

  /// Reads one element; `nil` where its weight is malformed.
  init?(_ element: Substring) {
    let parts = element.utf8.split(
      separator: UInt8(ascii: ";"), omittingEmptySubsequences: false
    ).map { Substring($0).trimmingSpace() }
    token = parts[0]
    let weights = ["q=", "Q="]
    guard
      let weight = parts.dropFirst().first(where: { part in
        weights.contains { part.utf8.starts(with: $0.utf8) }
      })
    else {
      self.weight = 1
      return
    }
    guard let number = Double(Substring(weight.utf8.dropFirst(2))), (0...1).contains(number) else {
      return nil
    }
    self.weight = number
  }
}

extension Substring {
  fileprivate func trimmingSpace() -> Substring {
    var text = unicodeScalars
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return Substring(text)
  }
}
