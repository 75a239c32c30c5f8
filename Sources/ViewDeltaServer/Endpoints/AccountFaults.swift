import CanonicalJSON
import MicroHTTP
import Screens

/// The faults of one source of the accounts of a store; the key is the holder's.
struct AccountFaults<Schema: AccountSchema>: FaultTarget where Schema.Missing: MissingResource {
  let store: AccountStore<Schema>
  let source: Schema.Source

  /// Those of all sources, by name.
  static func all(of store: AccountStore<Schema>) -> [Text: any FaultTarget] {
    Dictionary(
      uniqueKeysWithValues: Schema.Source.allCases.map { source in
        (source.rawValue, AccountFaults(store: store, source: source))
      })
  }

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
