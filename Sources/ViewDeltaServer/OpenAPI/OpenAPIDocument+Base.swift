import COpenAPI
import CanonicalJSON

extension OpenAPIDocument {
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
}
