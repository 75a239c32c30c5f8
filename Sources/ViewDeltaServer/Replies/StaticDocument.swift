import Crypto
import HTTPTypes
import MicroHTTP

/// A JSON document that stays the same as long as the server runs. Its tag is made of its content,
/// so a client's copy also outlives a restart.
struct StaticDocument: Sendable {
  private let plain: Response
  private let compressed: Response

  init(_ bytes: [UInt8]) {
    let hash = SHA256.hash(data: bytes).prefix(12)
    let tag = hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    plain = .json(
      encoded: bytes,
      fields: [
        .cacheControl: Caching.revalidate.rawValue, .eTag: EntityTag(tag).text,
        .vary: "Accept, Accept-Encoding",
      ])
    compressed = plain.coded(.gzip)
  }

  /// The document, or 304 for a client that has it.
  func reply(to request: Request) throws(ProblemDetails) -> Response {
    request.unlessKnown(as: try request.representation()) { representation in
      representation.coding == .gzip ? compressed : plain
    }
  }
}
