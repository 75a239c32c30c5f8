import CanonicalJSON
import MicroHTTP
import ViewDeltaServer
import ViewState

/// The endpoints of the accounts of a store: the holders, the entries of each, and the faults of the
/// sources.
struct AccountEndpoints<Schema: AccountSchema>: Sendable where Schema.Missing: MissingResource {
  typealias Failure = StoreError<Schema.Missing>

  let store: AccountStore<Schema>
  /// The path of the holders.
  let path: String
  /// The last segment of the path of the entries, and what the template of one calls its id.
  let entries: (name: String, parameter: String)
  /// Other names that a member of a holder may have in a body, and its own.
  var aliases: [Text: Text] = [:]

  func register(in application: inout ApplicationBuilder) {
    application.add(holderEndpoints)
    application.add(entryEndpoints)
    for source in Schema.Source.allCases {
      application.addFaults(of: source.rawValue, AccountFaults(store: store, source: source))
    }
  }

  private var holderEndpoints: CollectionEndpoints<Schema.Holder, Schema.Missing> {
    CollectionEndpoints(
      path: path,
      part: { (_, range) throws(Failure) in store.holders(range) },
      create: { (_, body, key) async throws(Failure) in
        try await store.createHolder(body.value, once: key)
      },
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
      create: { (request, body, key) async throws(Failure) in
        try await store.createEntry(body.value, of: request.id(), once: key)
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

/// The faults of one source of the accounts of a store; the key is the holder's.
private struct AccountFaults<Schema: AccountSchema>: FaultTarget
where Schema.Missing: MissingResource {
  let store: AccountStore<Schema>
  let source: Schema.Source

  func faultScript(of key: Text) throws(ProblemDetails) -> FaultScript? {
    do {
      return try store.faultScript(source, of: ResourceID(named: key))
    } catch {
      throw ProblemDetails(error)
    }
  }

  func setFaultScript(_ script: FaultScript?, of key: Text) async throws(ProblemDetails) {
    do {
      try await store.setFaultScript(script, for: source, of: ResourceID(named: key))
    } catch {
      throw ProblemDetails(error)
    }
  }
}

extension ApplicationBuilder {
  /// Returns how long a load of each source of accounts takes.
  ///
  /// - Parameter usual: The latencies that the feature is configured with.
  mutating func latencies<Source: RawRepresentable<Text> & CaseIterable & Hashable>(
    _ usual: [Source: Duration]
  ) -> [Source: Duration] {
    Source.allCases.reduce(into: [:]) { latencies, source in
      latencies[source] = latency(of: source.rawValue, usually: usual[source] ?? .zero)
    }
  }
}
