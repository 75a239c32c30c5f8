import HTTPTypes
public import MicroHTTP

/// The format and the content coding of a reply.
struct Representation: Hashable, Sendable {
  let format: DocumentFormat
  let coding: ContentCoding

  /// The same format without compression.
  var plain: Representation { Representation(format: format, coding: .identity) }

  static let json = Representation(format: .json, coding: .identity)
  static let firstEvent = Representation(format: .firstEvent, coding: .identity)
  static let nextEvent = Representation(format: .eventStream, coding: .identity)
}

extension Request {
  /// Returns the representation with the highest weight in the formats on offer.
  ///
  /// - Throws: A 406 problem if Accept excludes all of them.
  func representation(
    among offers: [DocumentFormat] = [.json]
  ) throws(ProblemDetails) -> Representation {
    Representation(format: try format(among: offers), coding: contentCoding)
  }
}

/// The format of a reply.
enum DocumentFormat: Hashable, Sendable {
  /// The documents of the contract: snapshot, diff and reset.
  case json
  /// A patch of the snapshot document (RFC 6902).
  case jsonPatch
  /// The documents of the contract as Server-Sent Events.
  case eventStream
  /// The first event of a stream, which names the revision that the client holds even if there is no document.
  case firstEvent

  /// Whether it is the format of events.
  var isEvent: Bool { self == .eventStream || self == .firstEvent }

  /// The media type in two parts.
  var mediaType: (type: Substring, subtype: Substring) {
    switch self {
    case .json: ("application", "json")
    case .jsonPatch: ("application", "json-patch+json")
    case .eventStream, .firstEvent: ("text", "event-stream")
    }
  }

  /// The value of Content-Type.
  var contentType: String { "\(mediaType.type)/\(mediaType.subtype)" }
}

/// The content coding of a reply (RFC 9110, section 8.4.1).
enum ContentCoding: String, Hashable, Sendable {
  case identity
  case gzip

  /// The smallest content that is compressed, in bytes: smaller content fits into one packet as it is.
  static let smallestContent = 1024

  /// The suffix of the entity tag, which differs from that of the plain content (RFC 9110, section
  /// 8.8.3.3).
  var tagSuffix: String { self == .identity ? "" : "-\(rawValue)" }
}

extension Request {
  /// The coding with the highest weight, or gzip if the client gives both the same weight (RFC 9110, section
  /// 12.5.3). A client that excludes both gets plain content rather than an error.
  var contentCoding: ContentCoding {
    guard let field = self[.acceptEncoding] else { return .identity }
    var weights: [Substring: Double] = [:]
    for element in field.lowercased().utf8.split(separator: UInt8(ascii: ",")) {
      guard let coding = WeightedToken(Substring(element)) else { continue }
      weights[coding.token] = coding.weight
    }
    let gzip = weights["gzip"] ?? weights["x-gzip"] ?? weights["*"] ?? 0
    return gzip > 0 && gzip >= weights["identity"] ?? 0 ? .gzip : .identity
  }
}

extension Request {
  /// Checks that the client accepts JSON.
  ///
  /// - Throws: A 406 problem if Accept excludes `application/json`.
  public func requireJSONAccepted() throws(ProblemDetails) {
    _ = try format(among: [.json])
  }

  /// Returns the format with the highest weight in those on offer, or the first of several with the same
  /// weight. It ignores malformed elements of Accept, and a list that has no others.
  ///
  /// - Throws: A 406 problem if Accept excludes all.
  func format(among offers: [DocumentFormat]) throws(ProblemDetails) -> DocumentFormat {
    guard let accept = self[.accept], accept != "*/*", accept != offers[0].contentType else {
      return offers[0]
    }
    let ranges = Substring(accept).split(outsideQuotes: ",").compactMap { MediaRange($0) }
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

  /// Returns the weight of the most specific range, at any place in the list (RFC 9110, section 12.5.1).
  private static func weight(of format: DocumentFormat, in ranges: [MediaRange]) -> Double {
    let closest = ranges.max { $0.precision(for: format) < $1.precision(for: format) }
    guard let closest, closest.precision(for: format) > 0 else { return 0 }
    return closest.weight
  }
}

/// One element of an Accept field (RFC 9110, section 12.5.1).
private struct MediaRange {
  /// The type in lower case, or `*` for any.
  let type: Substring
  let subtype: Substring
  /// The weight from 0 to 1, of which 0 excludes the type.
  let weight: Double
  private let hasParameters: Bool

  /// Reads an element; returns `nil` if it is malformed.
  init?(_ text: Substring) {
    guard let element = WeightedToken(text) else { return nil }
    let names = element.token.lowercased().utf8.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard names.count == 2, names.allSatisfy({ !$0.isEmpty }) else { return nil }
    (type, subtype) = (Substring(names[0]), Substring(names[1]))
    guard type != "*" || subtype == "*" else { return nil }
    (weight, hasParameters) = (element.weight, element.hasParameters)
  }

  /// Returns how specific the range is for a format, from 0 if it does not match to 4 if it names the type.
  ///
  /// A range with parameters names another type, because no format has any. It counts only if no other range matches:
  /// many clients send a charset.
  func precision(for format: DocumentFormat) -> Int {
    let (type, subtype) = format.mediaType
    if self.type == type && self.subtype == subtype { return hasParameters ? 1 : 4 }
    if self.type == type && self.subtype == "*" { return 3 }
    return self.type == "*" ? 2 : 0
  }
}

/// An element of a list with weights, such as `gzip;q=0.5` (RFC 9110, section 12.4.2).
private struct WeightedToken {
  /// The token before the parameters, without space around it.
  let token: Substring
  /// The weight from 0 to 1, of which 0 excludes the token.
  let weight: Double
  /// Whether there are parameters beside the weight.
  let hasParameters: Bool

  /// Reads an element; returns `nil` if its weight is malformed.
  init?(_ element: Substring) {
    // Most elements have no parameters.
    guard element.utf8.contains(UInt8(ascii: ";")) else {
      (token, weight, hasParameters) = (element.trimmingSpace, 1, false)
      return
    }
    let parts = element.split(outsideQuotes: ";").map(\.trimmingSpace)
    token = parts[0]
    let parameters = parts.dropFirst().filter { !$0.isEmpty }
    let weights = parameters.filter { part in
      ["q=", "Q="].contains { part.utf8.starts(with: $0.utf8) }
    }
    hasParameters = weights.count < parameters.count
    guard let weight = weights.first else {
      self.weight = 1
      return
    }
    guard let number = Double(Substring(weight.utf8.dropFirst(2))), (0...1).contains(number) else {
      return nil
    }
    self.weight = number
  }
}

extension HTTPField.Name {
  static let link = HTTPField.Name("Link")!
  /// The field with the revision that a reply is about.
  static let viewRevision = HTTPField.Name("View-Revision")!
  /// The field of the IETF draft "The Idempotency-Key HTTP Header Field".
  static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
  /// The media types of a PATCH (RFC 5789, section 3.1).
  static let acceptPatch = HTTPField.Name("Accept-Patch")!
  static let prefer = HTTPField.Name("Prefer")!
  static let preferenceApplied = HTTPField.Name("Preference-Applied")!
}
