import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Screens

/// The listeners of the podcast store.
struct ListenerEndpoints: Sendable {
  let store: PodcastStore
  let context: EndpointContext

  func register(in router: inout Router) {
    let listener = ResourceEndpoints<Listener, PodcastStoreError>(
      tags: context.tags,
      read: { (request) throws(PodcastStoreError) in try store.listener(request.listenerID) },
      parse: { (body, current) throws(JSONShapeError) in
        let listener = try Listener(body, assigned: current.id)
        guard listener.id == current.id else { throw body.differentID }
        return listener
      },
      replace: { (listener, version) async throws(PodcastStoreError) in
        try await store.replace(listener, expecting: version)
      },
      delete: { (request, version) async throws(PodcastStoreError) in
        try await store.deleteListener(request.listenerID, expecting: version)
      },
      json: \.json)

    let path = "/v1/listeners"
    router.get(path) { (request) throws(ProblemDetails) in
      try request.requireJSONAccepted()
      return .json(.array(store.listeners.map(\.json)))
    }
    router.on(.post, path) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      return try await context.idempotency.respond(to: request) {
        (request) throws(ProblemDetails) in
        let body = try request.json()
        do {
          let created = try await store.createListener { try Listener(body, assigned: $0) }
          let location = "\(path)/\(created.resource.id.pathSegment)"
          return listener.reply(created, status: .created, location: location)
        } catch {
          throw .creating(error)
        }
      }
    }
    listener.register(in: &router, path: path + "/{id}")
  }
}

extension Request {
  /// The listener that the path names.
  var listenerID: ResourceID { ResourceID(named: parameters["id"] ?? "") }
}
