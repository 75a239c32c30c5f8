import Crypto
import HTTPTypes
import MicroHTTP

/// A JSON document that stays the same as long as the server runs. Its tag is made of its content,
/// so a client's copy also outlives a restart.
struct StaticDocument: Sendable {
  private let reply: Response
  private let tag: EntityTag

  init(_ bytes: [UInt8]) {
    let hash = SHA256.hash(data: bytes).prefix(12)
    tag = EntityTag(hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
    reply = .json(
      encoded: bytes,
      fields: [.cacheControl: Caching.revalidate.rawValue, .eTag: tag.text, .vary: "Accept"])
  }

  /// The document, or 304 for a client that has it.
  func reply(to request: Request) throws(ProblemDetails) -> Response {
    try request.requireJSONAccepted()
    return request.ifNoneMatch?.matchesWeakly(tag) == true ? reply.notModified : reply
  }
}
