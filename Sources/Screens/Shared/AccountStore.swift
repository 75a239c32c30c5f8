public import CanonicalJSON
import HashTreeCollections
import Snapshots
public import ViewState

/// Accounts in memory, and how long their sources take.
public struct AccountStore<Schema: AccountSchema>: Sendable {
  /// Why a write is refused.
  public typealias Failure = StoreError<Schema.Missing>
  private typealias Write = AccountWrite<Schema>

  package let store: Store<AccountData<Schema>>
  private let latency: [Schema.Source: Duration]

  /// - Parameter latency: How long a load of a source takes, if no fault script says otherwise; a source
  ///   that is not named takes no time.
  public init(
    _ data: AccountData<Schema>, in engine: Engine, latency: [Schema.Source: Duration] = [:]
  ) {
    store = Store(Schema.name, data, in: engine)
    self.latency = latency
  }

  /// A part of the holders, in the order in which they were written; `nil` if there is none of the id that
  /// the part begins behind.
  public func holders(_ range: CollectionRange) -> CollectionPart<Schema.Holder>? {
    store.value.holders(range)
  }

  /// The holder of this id.
  public func holder(_ id: ResourceID) throws(Failure) -> Versioned<Schema.Holder> {
    try store.value.holder(id)
  }

  /// A part of the entries of an account, in the order in which they are shown; `nil` if there is none of
  /// the id that the part begins behind.
  public func entries(
    _ range: CollectionRange, of holder: ResourceID
  ) throws(Failure) -> CollectionPart<Schema.Entry>? {
    try store.value.entries(range, of: holder)
  }

  /// The entry of this id, if it is one of this account.
  public func entry(
    _ id: ResourceID, of holder: ResourceID
  ) throws(Failure) -> Versioned<Schema.Entry> {
    try store.value.entry(id, of: holder)
  }

  /// The rest of a source's fault script; `nil` if it has none.
  public func faultScript(
    _ source: Schema.Source, of holder: ResourceID
  ) throws(Failure) -> FaultScript? {
    let data = store.value
    guard data.contains(holder) else { throw .missing(Schema.missingHolder) }
    return data.faults[holder]?[source]
  }
}

/// Every write returns once the screens that show what it changed have published it.
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

  /// Deletes an entry.
  ///
  /// - Parameter version: If it is given, only this version is deleted.
  public func deleteEntry(
    _ id: ResourceID, of holder: ResourceID, expecting version: Int?
  ) async throws(Failure) {
    _ = try await store.write(.deleteEntry(id, of: holder, expecting: version))
  }

  /// Lets a source of an account behave by a script from its next load on; `nil` ends that.
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

/// What the screens of accounts do.
extension AccountStore {
  /// Checks that there is an account of a key.
  ///
  /// - Throws: `ScreenLookupError` if there is none, or none any more.
  func find(
    _ key: Text, in stores: Stores
  ) throws(ScreenLookupError) -> Versioned<Schema.Holder> {
    let (data, id) = (stores[store], ResourceID(named: key))
    guard let account = data.accounts[id: id] else {
      throw data.isDeleted(id) ? .deletedKey : .unknownKey
    }
    return account.holder
  }

  /// Decides how a load goes, and takes its outcome off the fault script.
  func start(
    _ source: Schema.Source, for key: Text, in transaction: inout Transaction
  ) -> Work {
    let id = ResourceID(named: key)
    let usual = latency[source] ?? .zero
    guard var script = transaction[store].faults[id]?[source] else {
      return .succeeding(after: usual)
    }
    let outcome = script.next()
    _ = try? transaction.write(.setFaults(script, source, of: id), to: store)
    switch outcome {
    case .succeed: return .succeeding(after: script.latency ?? usual)
    case .fail: return .failing(.unavailable, after: script.latency ?? usual)
    case .hang: return .hanging
    }
  }

  /// A source of screens, whose loads a fault script can change.
  ///
  /// - Parameter value: Reads the value of the account of an id; `nil` if there is none.
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
