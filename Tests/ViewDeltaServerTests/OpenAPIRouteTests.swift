import CanonicalJSON
import HTTPTypes
import MicroHTTP
import TestSupport
import Testing
import ViewDeltaServer
import ViewState

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

  @Test("agree on the paths that answer GET requests for any host")
  func hosts() async throws {
    let document = try await OpenAPIDocument()
    let operations = try document.operations.filter { $0.method == "GET" }
    let refused = Set(operations.filter { $0.value["responses"]?["403"] != nil }.map(\.path))
    let paths = operations.map(\.path)
    try await LiveServer.run(Backend(.all)) { live in
      for path in paths {
        let target = path.replacing(/{\w+}/, with: "1")
        let reply = try live.client().get(target, fields: ["Host: evil.example"])
        #expect((reply.status == 403) == refused.contains(path), "\(path)")
      }
    }
  }

  @Test("are refused if a feature adds a route that it does not describe")
  func undescribedRoute() throws {
    struct Hidden: Feature {
      let fragment: JSONValue

      func register(in application: inout ApplicationBuilder) {
        application.router.get("/v1/secrets/{id}") { _ in Response(status: .noContent) }
        application.document(fragment)
      }
    }
    func start(_ fragment: JSONValue) throws {
      let environment = ScreenEnvironment(scheduler: ManualScheduler())
      _ = try Application(ApplicationConfiguration(environment: environment)) {
        Hidden(fragment: fragment)
      }
    }
    let path: Text = "/v1/secrets/{id}"
    for fragment: JSONValue in [[:], ["paths": [path: ["post": [:]]]]] {
      let error = try #require(throws: ApplicationError.self) { try start(fragment) }
      guard case .invalidDocument(let place, let reason) = error else { throw error }
      #expect(place == "/paths//v1/secrets/{id}")
      #expect(reason.hasPrefix("the route GET /v1/secrets/{id} is not described"))
    }
    try start(["paths": [path: ["get": [:]]]])
  }

  @Test("have what a feature says of its routes, and else what follows from them")
  func features() async throws {
    struct Doors: Feature {
      func register(in application: inout ApplicationBuilder) throws {
        for method in [HTTPRequest.Method.get, .put] {
          application.on(method, "/doors/{house}/{door}", ["summary": "A door"]) { request in
            Response(status: .ok, body: Array((request.parameters["door"] ?? "").utf8))
          }
        }
        let store = Store("notes", ResourceCollection<Note>("note"), in: application.engine)
        application.add(collection: store, at: "/v1/notes")
        application.add(
          CollectionEndpoints<Note>(
            path: "/v1/shelves/{shelf}/old-notes", parameter: "note",
            page: { (_, range) throws(StoreError) in store.value.page(range) },
            read: { (request) throws(StoreError) in try store.value.element(request.id("note")) },
            write: { (_, _, _) throws(StoreError) in throw .full }))
      }
    }
    let environment = ScreenEnvironment(scheduler: ManualScheduler())
    let application = try Application(ApplicationConfiguration(environment: environment)) {
      Doors()
    }
    let document = try JSONReader(JSONValue(parsing: application.openAPI))
    let paths = try document.member("paths")
    let doors = try paths.member("/doors/{house}/{door}")
    #expect(try doors.memberNames == ["get", "parameters", "put"])
    #expect(
      try doors.member("parameters").elements().map { try $0.member("name").string() }
        == ["house", "door"])
    #expect(try doors.member("put").member("summary").string() == "A door")
    #expect(try doors.member("put").member("operationId").string() == "putDoorsHouseDoor")
    #expect(try doors.member("put").member("responses").memberNames == ["default"])
    for (path, name) in [("/v1/notes", "Note"), ("/v1/shelves/{shelf}/old-notes", "OldNote")] {
      let create = try paths.member(Text(path)).member("post")
      #expect(try create.member("operationId").string() == Text("create\(name)"))
      let schema = try document.member("components").member("schemas").member(Text(name))
      #expect(try schema.member("properties").memberNames == ["id", "text"])
    }
    let reply = await application.router.respond(
      to: Request(method: .get, target: "/doors/a/red"))
    #expect(reply.body == Array("red".utf8))
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
