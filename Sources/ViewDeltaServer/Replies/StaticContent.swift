import HTTPTypes
import MicroHTTP
import Synchronization

/// Content that does not change while the server runs, in each coding. Its entity tag is a hash of the bytes,
/// so a client's copy remains valid after a restart.
struct StaticContent: Sendable {
  private let plain: Response
  private let compressed: Response

  /// Compresses content.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - fields: The header fields of the replies, without the entity tag.
  ///   - variant: What distinguishes the replies from others with the same bytes.
  ///   - isCompressible: Whether compression makes it smaller.
  init(
    _ bytes: [UInt8], fields: HTTPFields, tagged variant: String = "", isCompressible: Bool = true
  ) {
    var fields = fields
    fields[.eTag] = EntityTag(hashing: bytes, Array(variant.utf8)).text
    plain = Response(status: .ok, fields: fields, body: bytes)
    // No client waits for it, and all get it.
    compressed = isCompressible ? plain.coded(.gzip, level: 6) : plain
  }

  /// Returns the content in the coding that the client prefers, or 304 if the client has it.
  ///
  /// - Throws: A 412 problem if If-Match names only other representations, and a 400 problem if it is
  ///   malformed.
  func reply(to request: Request) throws(ProblemDetails) -> Response {
    try request.conditionalReply(coded: request.contentCoding) { coding in
      coding == .gzip ? compressed : plain
    }
  }
}

/// A JSON document that does not change while the server runs. It is compressed and hashed for the first client that
/// asks for it.
final class StaticDocument: Sendable {
  private let encode: @Sendable () -> [UInt8]
  private let content = Mutex<StaticContent?>(nil)

  /// - Parameter encode: Returns the document, the same each time.
  init(_ encode: @escaping @Sendable () -> [UInt8]) {
    self.encode = encode
  }

  /// Returns the document, or 304 if the client has it.
  ///
  /// - Throws: The problems of ``StaticContent/reply(to:)``, and a 406 problem if the client does not accept
  ///   JSON.
  func reply(to request: Request) throws(ProblemDetails) -> Response {
    try request.requireJSONAccepted()
    let content = content.withLock { known in
      if let known { return known }
      let content = StaticContent(
        encode(),
        fields: [
          .contentType: DocumentFormat.json.contentType,
          .cacheControl: Caching.revalidate.rawValue, .vary: "Accept, Accept-Encoding",
        ])
      known = content
      return content
    }
    return try content.reply(to: request)
  }
}
