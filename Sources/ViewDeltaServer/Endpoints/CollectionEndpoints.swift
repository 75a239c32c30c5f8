import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Screens

/// A collection of resources, to list and to add to, and each of them: all that the REST resources
/// of a store have in common. A store says how it reads and writes, and nothing of HTTP.
struct CollectionEndpoints<Resource: StoredResource, Missing: MissingResource>: Sendable {
  typealias Failure = StoreError<Missing>

  /// The template of the collection's path.
  let path: String
  /// What the template of a resource's path calls its id.
  let parameter: String
  /// The documents of all resources, or shorter ones where the resources are large.
  let list: @Sendable (Request) throws(Failure) -> [JSONValue]
  /// Adds the resource in a body; throws what is wrong with the body as a `JSONShapeError`, and
  /// else a `Failure`.
  let create: @Sendable (Request, JSONReader) async throws -> Versioned<Resource>
  /// Each resource.
  let resource: ResourceEndpoints<Resource, Missing>

  init(
    path: String, parameter: String = "id",
    list: @escaping @Sendable (Request) throws(Failure) -> [JSONValue],
    create: @escaping @Sendable (Request, JSONReader) async throws -> Versioned<Resource>,
    resource: ResourceEndpoints<Resource, Missing>
  ) {
    self.path = path
    self.parameter = parameter
    self.list = list
    self.create = create
    self.resource = resource
  }

  func register(in router: inout Router, _ context: EndpointContext) {
    router.get(path) { (request) throws(ProblemDetails) in
      try request.requireJSONAccepted()
      do throws(Failure) {
        return .json(.array(try list(request)))
      } catch {
        throw ProblemDetails(error)
      }
    }
    router.on(.post, path) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      return try await context.idempotency.respond(to: request) {
        (request) throws(ProblemDetails) in
        let created = try await created(request)
        return context.tags.reply(
          created, status: .created, location: request.path(path, of: created.resource.id))
      }
    }
    resource.register(in: &router, path: "\(path)/{\(parameter)}", tags: context.tags)
  }

  private func created(_ request: Request) async throws(ProblemDetails) -> Versioned<Resource> {
    let body = try request.json()
    do {
      return try await create(request, body)
    } catch let error as JSONShapeError {
      throw ProblemDetails(error)
    } catch let error as Failure {
      throw ProblemDetails(error)
    } catch {
      throw ProblemDetails(status: .internalServerError, code: "internal", detail: nil)
    }
  }
}
