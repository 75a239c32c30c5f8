import COpenAPI
import MicroHTTP

/// The contract as an OpenAPI document, built into the binary.
struct OpenAPIEndpoint: Sendable {
  func register(in router: inout Router) {
    var size = 0
    let document = [UInt8](UnsafeBufferPointer(start: viewdelta_openapi(&size), count: size))
    router.get("/openapi.json", StaticDocument(document).reply)
  }
}
