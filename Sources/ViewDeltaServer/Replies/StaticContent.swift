import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Snapshots

/// Content that stays the same as long as the server runs, in every coding. Its tag is made of the
/// bytes, so a client's copy also outlives a restart.
struct StaticContent: Sendable {
  private let plain: Response
  private let compressed: Response

  /// - Parameters:
  ///   - bytes: The content.
  ///   - fields: What is said of it; the tag is added.
  ///   - isCompressible: Whether it is worth compressing.
  init(_ bytes: [UInt8], fields: HTTPFields, isCompressible: Bool = true) {
    var hash = SHA256()
    hash.update(bytes)
    let tag = hash.finalize().prefix(12).map {
      String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
    }.joined()
    var fields = fields
    fields[.eTag] = EntityTag(Text(tag)).text
    plain = Response(status: .ok, fields: fields, body: bytes)
    compressed = isCompressible ? plain.coded(.gzip) : plain
  }

  /// The content as the client likes it best, or 304 for a client that has it.
  ///
  /// - Throws: a 412 problem for a client that wants none but another one.
  func reply(to request: Request) throws(ProblemDetails) -> Response {
    try request.unlessKnown(coded: request.contentCoding) { coding in
      coding == .gzip ? compressed : plain
    }
  }
}
