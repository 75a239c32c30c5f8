import HTTPTypes
import MicroHTTP

extension Request {
  /// Checks that the client takes JSON.
  ///
  /// - Throws: a 406 problem where Accept excludes `application/json`. A malformed element of the
  ///   list is passed over, and so is a list with nothing else in it.
  func requireJSONAccepted() throws(ProblemDetails) {
    guard let accept = self[.accept], accept != "*/*", accept != "application/json" else { return }
    guard !Self.accepts("application", "json", accept) else { return }
    throw ProblemDetails(
      status: .notAcceptable, code: "not-acceptable",
      detail: "the answer is application/json, which Accept excludes")
  }

  /// The closest range decides, whatever its place in the list (RFC 9110, section 12.5.1).
  private static func accepts(_ type: Substring, _ subtype: Substring, _ accept: String) -> Bool {
    let ranges = accept.split(separator: ",").compactMap { MediaRange($0) }
    if ranges.isEmpty { return true }
    let closest = ranges.max { $0.precision(for: type, subtype) < $1.precision(for: type, subtype) }
    guard let closest, closest.precision(for: type, subtype) > 0 else { return false }
    return closest.weight > 0
  }

  /// Whether the client prefers an error to a guess: `Prefer: handling=strict` (RFC 7240, 4.4).
  var prefersStrictHandling: Bool {
    guard let prefer = self[.prefer] else { return false }
    return prefer.lowercased().split(separator: ",").contains { preference in
      preference.filter { $0 != " " && $0 != "\t" && $0 != "\"" }.split(separator: ";").first
        == "handling=strict"
    }
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
