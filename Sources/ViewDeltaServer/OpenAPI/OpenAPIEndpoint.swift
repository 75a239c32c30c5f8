import MicroHTTP

/// The contract as an OpenAPI document, built into the binary.
struct OpenAPIEndpoint: Sendable {
  func register(in router: inout Router) {
    router.get("/openapi.json", StaticDocument(PackageResources.openapi_json).reply)
  }
}
