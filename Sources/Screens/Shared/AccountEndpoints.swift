import CanonicalJSON
import MicroHTTP
import ViewDeltaServer
import ViewState

/// The endpoints of the accounts of a store: of the holders, and of the entries of each.
struct AccountEndpoints<Schema: AccountSchema>: Sendable where Schema.Missing: MissingResource {
  typealias Failure = StoreError<Schema.Missing>

  let store: AccountStore<Schema>
  /// The path of the holders.
  let path: String
  /// The last segment of the path of the entries, and the parameter for the id in the path of one.
  let entries: (name: String, parameter: String)

  func register(in application: inout ApplicationBuilder) {
    application.add(holderEndpoints)
    application.add(entryEndpoints)
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
        change: { (request, change) async throws(Failure) in
          try await store.change(request.id(), change)
        }))
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
        change: { (request, change) async throws(Failure) in
          try await store.change(request.id(entries.parameter), of: request.id(), change)
        }))
  }
}

/// The faults of a source of the accounts of a store, by the ids of the holders.
struct AccountFaults<Schema: AccountSchema>: FaultTarget
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
  /// Returns the duration of a load of each source of a feature.
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
