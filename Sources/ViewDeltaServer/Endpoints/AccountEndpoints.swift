import CanonicalJSON
import MicroHTTP
import Screens

/// The holders of the accounts of a store, and the entries of each.
struct AccountEndpoints<Schema: AccountSchema>: Sendable where Schema.Missing: MissingResource {
  typealias Failure = StoreError<Schema.Missing>

  let store: AccountStore<Schema>
  /// The path of the holders.
  let path: String
  /// The last segment of the path of the entries, and what the template of one calls its id.
  let entries: (name: String, parameter: String)
  /// Other names that a member of a holder may have in a body, and its own.
  var aliases: [Text: Text] = [:]

  func register(in router: inout Router, _ context: EndpointContext) {
    holderEndpoints.register(in: &router, context)
    entryEndpoints.register(in: &router, context)
  }

  private var holderEndpoints: CollectionEndpoints<Schema.Holder, Schema.Missing> {
    CollectionEndpoints(
      path: path,
      part: { (_, range) throws(Failure) in store.holders(range) },
      create: { (_, body) async throws(Failure) in try await store.createHolder(body.value) },
      resource: ResourceEndpoints(
        read: { (request) throws(Failure) in try store.holder(request.id()) },
        parse: { (body, current) throws(JSONShapeError) in
          try Schema.holder(body, assigned: current.id)
        },
        replace: { (_, holder, version) async throws(Failure) in
          try await store.replace(holder, expecting: version)
        },
        delete: { (request, version) async throws(Failure) in
          try await store.deleteHolder(request.id(), expecting: version)
        },
        aliases: aliases))
  }

  private var entryEndpoints: CollectionEndpoints<Schema.Entry, Schema.Missing> {
    CollectionEndpoints(
      path: "\(path)/{id}/\(entries.name)", parameter: entries.parameter,
      part: { (request, range) throws(Failure) in
        try store.entries(range, of: request.id())
      },
      create: { (request, body) async throws(Failure) in
        try await store.createEntry(body.value, of: request.id())
      },
      resource: ResourceEndpoints(
        read: { (request) throws(Failure) in
          try store.entry(request.id(entries.parameter), of: request.id())
        },
        parse: { (body, current) throws(JSONShapeError) in
          try Schema.entry(body, replacing: current)
        },
        replace: { (request, entry, version) async throws(Failure) in
          try await store.replace(entry, of: request.id(), expecting: version)
        },
        delete: { (request, version) async throws(Failure) in
          try await store.deleteEntry(
            request.id(entries.parameter), of: request.id(), expecting: version)
        }))
  }
}
