import COpenAPI
import CanonicalJSON
import MicroHTTP
import Synchronization

/// Answers with the OpenAPI document, which is encoded for the first client that asks for it.
final class OpenAPIEndpoint: Sendable {
  private let document: OpenAPIDocument
  private let encoded = Mutex<StaticDocument?>(nil)

  init(_ document: OpenAPIDocument) {
    self.document = document
  }

  /// The description of the protocol, which is the same in each application.
  static let base: JSONValue = {
    var size = 0
    let file = UnsafeBufferPointer(start: viewdelta_openapi(&size), count: size)
    do throws(JSONParseError) {
      return try JSONValue(parsing: file)
    } catch {
      preconditionFailure("the base of the OpenAPI document is part of the product: \(error)")
    }
  }()

  func register(in router: inout Router) {
    router.get("/openapi.json") { (request) throws(ProblemDetails) in
      try self.content.reply(to: request)
    }
  }

  private var content: StaticDocument {
    encoded.withLock { known in
      if let known { return known }
      let content = StaticDocument(document.canonicalBytes())
      known = content
      return content
    }
  }
}
