import HTTPTypes
import MicroHTTP

/// The content codings of replies (RFC 9110, section 8.4.1).
enum ContentCoding: String, Hashable, Sendable {
  case identity
  case gzip

  /// Smaller contents are not worth it: they fit into one packet as they are.
  static let smallestContent = 1024

  /// What the entity tag of a coded representation ends with: it is another one than that of the
  /// plain bytes (RFC 9110, section 8.8.3.3).
  var tagSuffix: String { self == .identity ? "" : "-\(rawValue)" }
}

extension Request {
  /// The coding that the client likes best, gzip where it has no opinion between the two that it
  /// names (RFC 9110, section 12.5.3). One that excludes both gets identity all the same: content
  /// is worth more than an error.
  var contentCoding: ContentCoding {
    guard let field = self[.acceptEncoding] else { return .identity }
    var weights: [Substring: Double] = [:]
    for element in field.lowercased().utf8.split(separator: UInt8(ascii: ",")) {
      guard let coding = WeightedToken(Substring(element)) else { continue }
      weights[coding.token] = coding.weight
    }
    let gzip = weights["gzip"] ?? weights["x-gzip"] ?? weights["*"] ?? 0
    let identity = weights["identity"] ?? (weights["*"] == 0 ? 0 : nil)
    return gzip > 0 && gzip >= identity ?? 0 ? .gzip : .identity
  }
}
