import HTTPTypes
import MicroHTTP
import Testing
import ViewDeltaServer

@Suite("The OpenAPI document and the router")
struct OpenAPIRouteTests {
  @Test("have the same operations, no more and no fewer on either side")
  func sameRoutes() async throws {
    let document = try await OpenAPIDocument()
    let described = try Set(document.operations.map { "\($0.method) \($0.path)" })
    let registered = Set(
      try OpenAPIDocument.application.router.routes.map { "\($0.method) \($0.pattern)" })
    #expect(registered.count > 20)
    #expect(described.subtracting(registered).sorted() == [])
    #expect(registered.subtracting(described).sorted() == [])
  }

  @Test("agree on the methods that Allow lists for each path")
  func allow() async throws {
    let document = try await OpenAPIDocument()
    let router = try OpenAPIDocument.application.router
    let operations = try document.operations
    for (path, methods) in Dictionary(grouping: operations, by: \.path) {
      let target = path.replacing(/{\w+}/, with: "1")
      let reply = await router.respond(to: Request(method: .options, target: target))
      let allowed = (reply.fields[.allow] ?? "").split(separator: ", ").map(String.init)
      #expect(
        Set(allowed).subtracting(["HEAD", "OPTIONS"]) == Set(methods.map(\.method)), "at \(path)")
    }
  }
}
