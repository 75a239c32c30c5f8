import COpenAPI
import CanonicalJSON
import MicroHTTP

/// The API as an OpenAPI document.
struct OpenAPIEndpoint: Sendable {
  /// The document, which stays the same as long as the server runs.
  let document: [UInt8]

  /// The protocol, which is the same in each application.
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
    router.get("/openapi.json", StaticDocument(document).reply)
  }
}
