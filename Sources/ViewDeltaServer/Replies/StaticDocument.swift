import HTTPTypes
import MicroHTTP

/// A JSON document that stays the same as long as the server runs.
struct StaticDocument: Sendable {
  private let content: StaticContent

  init(_ bytes: [UInt8]) {
    content = StaticContent(
      bytes,
      fields: [
        .contentType: DocumentFormat.json.contentType,
        .cacheControl: Caching.revalidate.rawValue, .vary: "Accept, Accept-Encoding",
      ])
  }

  /// The document, or 304 for a client that has it.
  func reply(to request: Request) throws(ProblemDetails) -> Response {
    try request.requireJSONAccepted()
    return try content.reply(to: request)
  }
}
