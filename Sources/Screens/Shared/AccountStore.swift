public import ViewState

/// Accounts in memory, and whoever wants to hear of their changes.
public final class AccountStore<Schema: AccountSchema>: Sendable {
  /// Why something was not done.
  public typealias Failure = StoreError<Schema.Missing>

  let base: SourceStore<AccountData<Schema>, Schema.Source, AccountChange<Schema>>
  /// Fills in what a new entry does not say.
  let completed: @Sendable (Schema.Entry) -> Schema.Entry

  /// - Parameters:
  ///   - latency: how long a load of a source takes where no fault script says otherwise; a source
  ///     that is not named takes no time.
  ///   - completed: fills in what a new entry does not say.
  public init(
    data: AccountData<Schema>, scheduler: any Scheduler, latency: [Schema.Source: Duration] = [:],
    completed: @escaping @Sendable (Schema.Entry) -> Schema.Entry
  ) {
    base = SourceStore(data, scheduler: scheduler, latency: latency)
    self.completed = completed
  }

  /// A part of the holders, in the order in which they were written; `nil` where there is none of
  /// the id that the part begins behind.
  public func holders(_ range: CollectionRange) -> CollectionPart<Schema.Holder>? {
    base.read { $0.holders(range) }
  }

  /// The holder of this id.
  public func holder(_ id: ResourceID) throws(Failure) -> Versioned<Schema.Holder> {
    try base.find { data throws(Failure) in try data.holder(id) }
  }

  /// A part of the entries of an account as they are shown; `nil` where there is none of the id that
  /// the part begins behind.
  public func entries(
    _ range: CollectionRange, of holder: ResourceID
  ) throws(Failure) -> CollectionPart<Schema.Entry>? {
    try base.find { data throws(Failure) in try data.entries(range, of: holder) }
  }

  /// The entry of this id, where it is one of this account.
  public func entry(
    _ id: ResourceID, of holder: ResourceID
  ) throws(Failure) -> Versioned<Schema.Entry> {
    try base.find { data throws(Failure) in try data.entry(id, of: holder) }
  }

  /// The rest of a source's fault script; `nil` where it has none.
  public func faultScript(
    _ source: Schema.Source, of holder: ResourceID
  ) throws(Failure) -> FaultScript? {
    try base.faultScript(source, of: holder)
  }

  /// Lets a source of an account behave by a script from its next load on; `nil` ends that.
  public func setFaultScript(
    _ script: FaultScript?, for source: Schema.Source, of holder: ResourceID
  ) throws(Failure) {
    try base.setFaultScript(script, for: source, of: holder)
  }
}
