import HTTPTypes
public import MicroHTTP

extension Request {
  /// Checks that the client accepts JSON.
  ///
  /// - Throws: A 406 problem if Accept excludes `application/json`.
  public func requireJSONAccepted() throws(ProblemDetails) {
    _ = try format(among: [.json])
  }

  /// The format that the client likes best among those on offer, the first of them where it likes
  /// several alike. A malformed element of Accept is passed over, and so is a list with nothing
  /// else in it.
  ///
  /// - Throws: a 406 problem where Accept excludes all.
  func format(among offers: [DocumentFormat]) throws(ProblemDetails) -> DocumentFormat {
    guard let accept = self[.accept], accept != "*/*", accept != offers[0].contentType else {
      return offers[0]
    }
    let ranges = accept.utf8.split(separator: UInt8(ascii: ",")).compactMap {
      MediaRange(Substring($0))
    }
    if ranges.isEmpty { return offers[0] }
    var best: (format: DocumentFormat, weight: Double)?
    for format in offers {
      let weight = Self.weight(of: format, in: ranges)
      if weight > best?.weight ?? 0 { best = (format, weight) }
    }
    if let best { return best.format }
    throw ProblemDetails(
      status: .notAcceptable, code: "not-acceptable",
      detail: "Accept excludes \(offers.map(\.contentType).joined(separator: " and "))",
      fields: [.vary: "Accept"])
  }

  /// The closest range decides, whatever its place in the list (RFC 9110, section 12.5.1).
  private static func weight(of format: DocumentFormat, in ranges: [MediaRange]) -> Double {
    let closest = ranges.max { $0.precision(for: format) < $1.precision(for: format) }
    guard let closest, closest.precision(for: format) > 0 else { return 0 }
    return closest.weight
  }
}

extension HTTPField.Name {
  /// The revision that an answer speaks of.
  static var viewRevision: HTTPField.Name { HTTPField.Name("View-Revision")! }
  /// See the IETF draft "The Idempotency-Key HTTP Header Field".
  static var idempotencyKey: HTTPField.Name { HTTPField.Name("Idempotency-Key")! }
  static var prefer: HTTPField.Name { HTTPField.Name("Prefer")! }
  static var preferenceApplied: HTTPField.Name { HTTPField.Name("Preference-Applied")! }
}
