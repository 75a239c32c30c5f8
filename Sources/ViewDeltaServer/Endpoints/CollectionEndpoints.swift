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
  /// A part of the resources; `nil` where there is none that it could begin behind.
  let part: @Sendable (Request, CollectionRange) throws(Failure) -> CollectionPart<Resource>?
  /// How a resource stands in the list of all: whole, or shorter where it is large.
  let summary: @Sendable (Resource) -> JSONValue
  /// Creates the resource in a body.
  let create: @Sendable (Request, JSONReader) async throws(Failure) -> Versioned<Resource>
  /// Each resource.
  let resource: ResourceEndpoints<Resource, Missing>

  init(
    path: String, parameter: String = "id",
    part:
      @escaping @Sendable (Request, CollectionRange) throws(Failure) -> CollectionPart<Resource>?,
    summary: @escaping @Sendable (Resource) -> JSONValue = { $0.json },
    create: @escaping @Sendable (Request, JSONReader) async throws(Failure) -> Versioned<Resource>,
    resource: ResourceEndpoints<Resource, Missing>
  ) {
    self.path = path
    self.parameter = parameter
    self.part = part
    self.summary = summary
    self.create = create
    self.resource = resource
  }

  func register(in router: inout Router, _ context: EndpointContext) {
    // Not on the thread that serves connections: a page may take a while to encode.
    router.on(.get, path) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      return try page(request, context.replies)
    }
    router.on(.post, path) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      return try await context.idempotency.respond(to: request) {
        (request) throws(ProblemDetails) in
        let created = try await created(request)
        return context.replies.reply(
          created, status: .created, location: request.path(path, of: created.resource.id))
      }
    }
    resource.register(in: &router, path: "\(path)/{\(parameter)}", replies: context.replies)
  }

  /// How large the document of a page becomes, in bytes, unless one element alone is larger.
  private static var largestPage: Int { 1024 * 1024 }

  private func page(
    _ request: Request, _ replies: ResourceReplies
  ) throws(ProblemDetails) -> Response {
    let range = try CollectionRange(request)
    let part: CollectionPart<Resource>?
    do throws(Failure) {
      part = try self.part(request, range)
    } catch {
      throw ProblemDetails(error)
    }
    guard let part else { throw .afterGone }
    return try replies.page(to: request, at: request.path(path), range, version: part.version) {
      var writer = JSONWriter()
      var last: Resource?
      for resource in part.elements {
        let document = summary(resource).canonicalBytes()
        if let last, writer.bytes.count + document.count + 2 > Self.largestPage {
          writer.raw("]")
          return (writer.bytes, last.id)
        }
        writer.raw(last == nil ? "[" : ",")
        writer.raw(document)
        last = resource
      }
      writer.raw(last == nil ? "[]" : "]")
      return (writer.bytes, part.hasMore ? last?.id : nil)
    }
  }

  private func created(_ request: Request) async throws(ProblemDetails) -> Versioned<Resource> {
    let body = try request.json()
    do {
      return try await create(request, body)
    } catch {
      throw ProblemDetails(error)
    }
  }
}
