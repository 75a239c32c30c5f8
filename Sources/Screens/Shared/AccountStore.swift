public import CanonicalJSON
import Snapshots
public import ViewState

/// Accounts in memory, with the latencies of their sources.
public struct AccountStore<Schema: AccountSchema>: Sendable {
  /// Why a write is refused.
  public typealias Failure = StoreError<Schema.Missing>
  private typealias Write = AccountWrite<Schema>

  package let store: Store<AccountData<Schema>>
  private let latency: [Schema.Source: Duration]

  /// - Parameter latency: The duration of a load of each source without a fault script; zero by default.
  public init(
    _ data: AccountData<Schema>, in engine: Engine, latency: [Schema.Source: Duration] = [:]
  ) {
    store = Store(Schema.name, data, in: engine)
    self.latency = latency
  }

  /// Returns a part of the holders, in the order in which they were written; `nil` if there is none with the
  /// id that the part begins behind.
  public func holders(_ range: CollectionRange) -> CollectionPart<Schema.Holder>? {
    store.value.holders(range)
  }

  /// Returns the holder with an id.
  public func holder(_ id: ResourceID) throws(Failure) -> Versioned<Schema.Holder> {
    try store.value.holder(id)
  }

  /// Returns a part of the entries of an account, in their order; `nil` if there is none with the id that the
  /// part begins behind.
  public func entries(
    _ range: CollectionRange, of holder: ResourceID
  ) throws(Failure) -> CollectionPart<Schema.Entry>? {
    try store.value.entries(range, of: holder)
  }

  /// Returns the entry of an account with an id.
  public func entry(
    _ id: ResourceID, of holder: ResourceID
  ) throws(Failure) -> Versioned<Schema.Entry> {
    try store.value.entry(id, of: holder)
  }

  /// Returns the rest of the fault script of a source; `nil` if it has none.
  public func faultScript(
    _ source: Schema.Source, of holder: ResourceID
  ) throws(Failure) -> FaultScript? {
    let data = store.value
    guard data.contains(holder) else { throw .missing(Schema.missingHolder) }
    return data.faults[source.rawValue, holder.text]
  }
}

/// Writes. Each returns once all screens show what it changed.
extension AccountStore {
  /// Creates the holder in a document.
  ///
  /// - Parameter key: The key of the request, which is done once; `nil` if it has none.
  public func createHolder(
    _ body: JSONValue, once key: RequestKey? = nil
  ) async throws(Failure) -> Versioned<Schema.Holder> {
    try await holder(.createHolder(body), once: key)
  }

  /// Replaces the holder of the same id. If it is equal, nothing changes.
  ///
  /// - Parameter version: If it is given, only this version is replaced.
  public func replace(
    _ holder: Schema.Holder, expecting version: Int?
  ) async throws(Failure) -> Versioned<Schema.Holder> {
    try await self.holder(.replaceHolder(holder, expecting: version))
  }

  /// Replaces, patches or deletes a holder, as a client demands.
  public func change(
    _ id: ResourceID, _ change: ResourceChange
  ) async throws(Failure) -> Versioned<Schema.Holder> {
    try await holder(.changeHolder(id, change))
  }

  /// Deletes a holder with all entries.
  public func deleteHolder(_ id: ResourceID, expecting version: Int?) async throws(Failure) {
    _ = try await store.write(.deleteHolder(id, expecting: version))
  }

  /// Creates the entry in a document.
  ///
  /// - Parameter key: The key of the request, which is done once; `nil` if it has none.
  public func createEntry(
    _ body: JSONValue, of holder: ResourceID, once key: RequestKey? = nil
  ) async throws(Failure) -> Versioned<Schema.Entry> {
    try await entry(.createEntry(body, of: holder), once: key)
  }

  /// Replaces the entry of the same id. If it is equal, nothing changes.
  ///
  /// - Parameter version: If it is given, only this version is replaced.
  public func replace(
    _ entry: Schema.Entry, of holder: ResourceID, expecting version: Int?
  ) async throws(Failure) -> Versioned<Schema.Entry> {
    try await self.entry(.replaceEntry(entry, of: holder, expecting: version))
  }

  /// Replaces, patches or deletes an entry, as a client demands.
  public func change(
    _ id: ResourceID, of holder: ResourceID, _ change: ResourceChange
  ) async throws(Failure) -> Versioned<Schema.Entry> {
    try await entry(.changeEntry(id, of: holder, change))
  }

  /// Deletes an entry.
  ///
  /// - Parameter version: If it is given, only this version is deleted.
  public func deleteEntry(
    _ id: ResourceID, of holder: ResourceID, expecting version: Int?
  ) async throws(Failure) {
    _ = try await store.write(.deleteEntry(id, of: holder, expecting: version))
  }

  /// Gives a source of an account a fault script, from its next load on; `nil` ends the script.
  public func setFaultScript(
    _ script: FaultScript?, for source: Schema.Source, of holder: ResourceID
  ) async throws(Failure) {
    _ = try await store.write(.setFaults(script, source, of: holder))
  }

  private func holder(
    _ write: Write, once key: RequestKey? = nil
  ) async throws(Failure) -> Versioned<Schema.Holder> {
    guard case .holder(let holder) = try await store.write(write, once: key) else {
      throw .missing(Schema.missingHolder)
    }
    return holder
  }

  private func entry(
    _ write: Write, once key: RequestKey? = nil
  ) async throws(Failure) -> Versioned<Schema.Entry> {
    guard case .entry(let entry) = try await store.write(write, once: key) else {
      throw .missing(Schema.missingEntry)
    }
    return entry
  }
}

/// Reads and loads of screens.
extension AccountStore {
  /// Returns the holder that the key of a screen names.
  ///
  /// - Throws: `ScreenLookupError` if there is no such holder, or no longer.
  func find(
    _ key: Text, in stores: Stores
  ) throws(ScreenLookupError) -> Versioned<Schema.Holder> {
    let (data, id) = (stores[store], ResourceID(named: key))
    guard let account = data.accounts[id: id] else {
      throw data.isDeleted(id) ? .deletedKey : .unknownKey
    }
    return account.holder
  }

  /// Returns how a load goes, and removes its outcome from the fault script.
  func start(
    _ source: Schema.Source, for key: Text, in transaction: inout Transaction
  ) -> Work {
    let usual = latency[source] ?? .zero
    guard var script = transaction[store].faults[source.rawValue, key] else {
      return .succeeding(after: usual)
    }
    let work = script.next(usually: usual)
    _ = try? transaction.write(.setFaults(script, source, of: ResourceID(named: key)), to: store)
    return work
  }

  /// Returns a source for a screen, whose loads a fault script can change.
  ///
  /// - Parameter value: Reads the value for the id of a holder; `nil` if there is none.
  func source<Value>(
    _ source: Schema.Source,
    value: @escaping @Sendable (AccountData<Schema>, ResourceID) throws(LoadFailure) -> Value?
  ) -> Source<Value> {
    Source(source.rawValue, reading: store, work: { start(source, for: $0, in: &$1) }) {
      (data, key) throws(LoadFailure) in
      guard let value = try value(data, ResourceID(named: key)) else { throw .missing }
      return value
    }
  }
}
