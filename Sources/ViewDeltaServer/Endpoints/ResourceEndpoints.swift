import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Screens

/// GET, PUT, PATCH and DELETE of one resource of a store: what all resources have in common,
/// conditional requests above all.
struct ResourceEndpoints<Resource: Sendable, Failure: StoreFailure>: Sendable {
  let tags: ResourceTags
  /// The resource that the path names.
  let read: @Sendable (Request) throws(Failure) -> Versioned<Resource>
  /// The resource in a body; its id must be that of the one given.
  let parse: @Sendable (JSONReader, _ replacing: Resource) throws(JSONShapeError) -> Resource
  let replace: @Sendable (Resource, _ version: Int?) async throws(Failure) -> Versioned<Resource>
  let delete: @Sendable (Request, _ version: Int?) async throws(Failure) -> Void
  let json: @Sendable (Resource) -> JSONValue
  /// Other names that a member may have in a body, and its own.
  var aliases: [String: String] = [:]

  /// How often a patch is tried again that met another write; each try means that one got through.
  private static var patchAttempts: Int { 8 }

  func register(in router: inout Router, path: String) {
    router.get(path) { (request) throws(ProblemDetails) in
      try request.requireJSONAccepted()
      let current = try current(request)
      let reply = reply(current)
      guard request.ifNoneMatch?.matchesWeakly(tags.tag(of: current.version)) == true else {
        return reply
      }
      return reply.notModified
    }
    router.on(.put, path) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      let (current, version) = try writable(request)
      let resource = try parsed(request.json(), replacing: current.resource)
      return reply(try await replaced(resource, version))
    }
    router.on(.patch, path, patch)
    router.on(.delete, path) { (request) async throws(ProblemDetails) in
      let (_, version) = try writable(request)
      do throws(Failure) {
        try await delete(request, version)
      } catch {
        throw error.problem
      }
      return .done
    }
  }

  /// JSON merge patch (RFC 7396).
  private func patch(_ request: Request) async throws(ProblemDetails) -> Response {
    try request.requireJSONAccepted()
    let body = try request.json(["application/json", "application/merge-patch+json"])
    for _ in 0..<Self.patchAttempts {
      let (current, version) = try writable(request)
      let patched = json(current.resource).mergePatched(with: withOwnNames(body.value))
      let resource = try parsed(JSONReader(patched), replacing: current.resource)
      do throws(Failure) {
        return reply(try await replace(resource, current.version))
      } catch {
        // Without a condition of the client's own, another write in between is no fault of its.
        guard version == nil, error == .changedMeanwhile else { throw error.problem }
      }
    }
    throw ProblemDetails(
      status: .conflict, code: "conflict", detail: "other writes came first each time; try again")
  }

  /// The patch with the names that the resource is written with, so that it meets what is there.
  private func withOwnNames(_ patch: JSONValue) -> JSONValue {
    guard case .object(var members) = patch else { return patch }
    for (alias, name) in aliases where members[name] == nil {
      members[name] = members.removeValue(forKey: alias)
    }
    return .object(members)
  }

  func reply(
    _ resource: Versioned<Resource>, status: HTTPResponse.Status = .ok, location: String? = nil
  ) -> Response {
    var fields: HTTPFields = [
      .eTag: tags.tag(of: resource.version).text, .cacheControl: Caching.revalidate.rawValue,
    ]
    fields[.location] = location
    return .json(json(resource.resource), status: status, fields: fields)
  }

  private func current(_ request: Request) throws(ProblemDetails) -> Versioned<Resource> {
    do { return try read(request) } catch { throw error.problem }
  }

  /// The resource as it is, and the version that a write must find; `nil` for any.
  ///
  /// - Throws: a 412 problem where If-Match or If-None-Match forbids the write.
  private func writable(
    _ request: Request
  ) throws(ProblemDetails) -> (Versioned<Resource>, version: Int?) {
    let current = try current(request)
    let tag = tags.tag(of: current.version)
    let ifMatch = try request.ifMatch
    if let ifMatch, !ifMatch.matchesStrongly(tag) {
      throw .preconditionFailed("the resource is not the one in If-Match")
    }
    if let ifNoneMatch = request.ifNoneMatch, ifNoneMatch.matchesWeakly(tag) {
      throw .preconditionFailed("the resource is one that If-None-Match excludes")
    }
    return (current, ifMatch == nil ? nil : current.version)
  }

  private func parsed(
    _ body: JSONReader, replacing resource: Resource
  ) throws(ProblemDetails) -> Resource {
    do { return try parse(body, resource) } catch { throw ProblemDetails(error) }
  }

  private func replaced(
    _ resource: Resource, _ version: Int?
  ) async throws(ProblemDetails) -> Versioned<Resource> {
    do { return try await replace(resource, version) } catch { throw error.problem }
  }
}
