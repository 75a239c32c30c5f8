public import CanonicalJSON
import HashTreeCollections
import Snapshots
public import ViewState

/// A write to the accounts of a store.
public enum AccountWrite<Schema: AccountSchema>: Codable, Sendable {
  /// Creates the holder in a document, with the next free id if it has none.
  case createHolder(JSONValue)
  /// Replaces the holder of the same id; if a version is given, only that one.
  case replaceHolder(Schema.Holder, expecting: Int?)
  /// Replaces, patches or deletes a holder, as a client demands.
  case changeHolder(ResourceID, ResourceChange)
  /// Deletes a holder with all entries.
  case deleteHolder(ResourceID, expecting: Int?)
  /// Creates the entry in a document, with the next free id if it has none.
  case createEntry(JSONValue, of: ResourceID)
  /// Adds an entry that the server has made.
  case addEntry(Schema.Entry, of: ResourceID)
  case replaceEntry(Schema.Entry, of: ResourceID, expecting: Int?)
  /// Replaces, patches or deletes an entry, as a client demands.
  case changeEntry(ResourceID, of: ResourceID, ResourceChange)
  case deleteEntry(ResourceID, of: ResourceID, expecting: Int?)
  /// Gives a source of an account a fault script, from its next load on; `nil` ends the script.
  case setFaults(FaultScript?, Schema.Source, of: ResourceID)

  /// The answer to a write: the resource after it, or before its deletion.
  public enum Output: Codable, Sendable {
    case holder(Versioned<Schema.Holder>)
    case entry(Versioned<Schema.Entry>)
    case done
  }
}

extension AccountData: StoreValue {
  public mutating func apply(
    _ write: AccountWrite<Schema>, at time: Timestamp
  ) throws(Failure) -> Written<AccountWrite<Schema>.Output> {
    let before = ledger.version
    switch write {
    case .createHolder(let body):
      let holder: Schema.Holder
      do {
        let reader = JSONReader(body)
        let assigned = holderIDs.free(for: reader) { contains($0) }
        holder = try Schema.holder(reader, assigned: assigned ?? 0)
      } catch {
        throw .malformed(error)
      }
      return Written(
        .holder(try insert(holder)), creating: [holder.id.text], of: Schema.holdersName)
    case .replaceHolder(let holder, let version):
      let output = AccountWrite<Schema>.Output.holder(try replace(holder, expecting: version))
      if ledger.version == before { return Written(unchanged: output) }
      return Written(output, changing: [holder.id.text], of: Schema.holdersName)
    case .changeHolder(let id, let change):
      let changed = try change.applied(to: holder(id), or: Failure.self) {
        (body, current) throws(JSONShapeError) in
        try Schema.holder(body, assigned: current.id)
      }
      return try apply(
        changed.map { .replaceHolder($0, expecting: nil) } ?? .deleteHolder(id, expecting: nil),
        at: time)
    case .deleteHolder(let id, let version):
      let holder = try holder(id)
      try removeHolder(id, expecting: version)
      faults.removeAll(for: id.text)
      return Written(.holder(holder), removing: [id.text], of: Schema.holdersName)
    case .createEntry(let body, let holder):
      // The holder's own id: a path does not tell a number from a string.
      let id = try self.holder(holder).resource.id
      let entry: Schema.Entry
      do {
        let reader = JSONReader(body)
        let assigned = entryIDs.free(for: reader) { isInUse($0, of: id) }
        entry = try Schema.entry(reader, assigned: assigned ?? 0, of: id)
      } catch {
        throw .malformed(error)
      }
      return try inserted(Schema.completed(entry, at: time), of: id)
    case .addEntry(let entry, let holder):
      return try inserted(entry, of: holder)
    case .replaceEntry(let entry, let holder, let version):
      let output = AccountWrite<Schema>.Output.entry(
        try replace(entry, of: holder, expecting: version))
      if ledger.version == before { return Written(unchanged: output) }
      return Written(output, changing: [holder.text], of: Schema.entriesName)
    case .changeEntry(let id, let holder, let change):
      let changed = try change.applied(to: entry(id, of: holder), or: Failure.self) {
        (body, current) throws(JSONShapeError) in try Schema.entry(body, replacing: current)
      }
      return try apply(
        changed.map { .replaceEntry($0, of: holder, expecting: nil) }
          ?? .deleteEntry(id, of: holder, expecting: nil), at: time)
    case .deleteEntry(let id, let holder, let version):
      let entry = try entry(id, of: holder)
      try removeEntry(id, of: holder, expecting: version)
      return Written(.entry(entry), changing: [holder.text], of: Schema.entriesName)
    case .setFaults(let script, let source, let holder):
      guard contains(holder) else { throw .missing(Schema.missingHolder) }
      faults[source.rawValue, holder.text] = script
      return Written(unchanged: .done)
    }
  }

  private mutating func inserted(
    _ entry: Schema.Entry, of holder: ResourceID
  ) throws(Failure) -> Written<AccountWrite<Schema>.Output> {
    Written(.entry(try insert(entry, of: holder)), changing: [holder.text], of: Schema.entriesName)
  }
}

/// If one of these throws, nothing has changed.
extension AccountData {
  mutating func insert(_ holder: Schema.Holder) throws(Failure) -> Versioned<Schema.Holder> {
    guard !contains(holder.id) else { throw .duplicateID(holder.id) }
    guard accounts.count < limits.accounts else { throw .full }
    let versioned = try take(holder, inPlaceOf: nil)
    accounts.append(
      Account(
        holder: versioned, entries: Schema.missingEntries == nil ? [] : nil,
        entriesVersion: ledger.version))
    holdersVersion = ledger.version
    holderIDs.use(holder.id)
    return versioned
  }

  /// Replaces the holder of the same id; an equal one keeps its version.
  mutating func replace(
    _ holder: Schema.Holder, expecting version: Int?
  ) throws(Failure) -> Versioned<Schema.Holder> {
    var account = try account(holder.id)
    try Failure.check(account.holder.version, against: version)
    if account.holder.resource == holder { return account.holder }
    account.holder = try take(holder, inPlaceOf: account.holder.resource)
    accounts[id: holder.id] = account
    holdersVersion = ledger.version
    return account.holder
  }

  /// Removes a holder with all entries.
  mutating func removeHolder(_ id: ResourceID, expecting version: Int?) throws(Failure) {
    let account = try account(id)
    try Failure.check(account.holder.version, against: version)
    for entry in account.entries ?? [] {
      entryIDsInUse.remove(entry.id)
      ledger.release(entry)
    }
    ledger.release(account.holder.resource)
    accounts.remove(id: id)
    holdersVersion = ledger.version
    holderIDs.delete(id, remembering: limits.deletedAccounts)
  }

  /// Gives an account an empty list of entries if it has no list.
  mutating func startEntries(of holder: ResourceID) throws(Failure) {
    if try account(holder).entries == nil { accounts[id: holder]?.entries = [] }
  }

  mutating func insert(
    _ entry: Schema.Entry, of holder: ResourceID
  ) throws(Failure) -> Versioned<Schema.Entry> {
    var account = try account(holder)
    guard account.stamps[entry.id] == nil, !entryIDsInUse.contains(entry.id) else {
      throw .duplicateID(entry.id)
    }
    guard account.stamps.count < limits.entriesPerAccount else { throw .full }
    let versioned = try take(entry, inPlaceOf: nil)
    account.entries = account.entries ?? []
    account.stamps[entry.id] = EntryStamp(created: versioned.version, version: versioned.version)
    account.entriesVersion = versioned.version
    account.arrange(entry)
    accounts[id: holder] = account
    entryIDs.use(entry.id)
    if Schema.hasUniqueEntries { entryIDsInUse.insert(entry.id) }
    return versioned
  }

  /// Replaces the entry of the same id; an equal one keeps its version.
  mutating func replace(
    _ entry: Schema.Entry, of holder: ResourceID, expecting version: Int?
  ) throws(Failure) -> Versioned<Schema.Entry> {
    let current = try self.entry(entry.id, of: holder)
    try Failure.check(current.version, against: version)
    if current.resource == entry { return current }
    let versioned = try take(entry, inPlaceOf: current.resource)
    var account = try account(holder)
    account.stamps[entry.id]?.version = versioned.version
    account.entriesVersion = versioned.version
    account.arrange(entry)
    accounts[id: holder] = account
    return versioned
  }

  mutating func removeEntry(
    _ id: ResourceID, of holder: ResourceID, expecting version: Int?
  ) throws(Failure) {
    let current = try entry(id, of: holder)
    try Failure.check(current.version, against: version)
    ledger.release(current.resource)
    var account = try account(holder)
    account.entries?.remove(id: id)
    account.view.remove(id)
    account.stamps[id] = nil
    account.entriesVersion = ledger.version
    accounts[id: holder] = account
    entryIDsInUse.remove(id)
  }

  /// Makes room for a resource and gives it the next version.
  fileprivate mutating func take<Resource: SizedResource>(
    _ resource: Resource, inPlaceOf old: Resource?
  ) throws(Failure) -> Versioned<Resource> {
    guard let versioned = ledger.take(resource, inPlaceOf: old, limit: limits.byteCount) else {
      throw .full
    }
    return versioned
  }
}

extension AccountData.Account {
  /// Inserts an entry that has its stamp in the order of the schema, replacing the one with its id.
  fileprivate mutating func arrange(_ entry: Schema.Entry) {
    let stamps = stamps
    func written(_ entry: Schema.Entry) -> WrittenEntry<Schema.Entry> {
      WrittenEntry(resource: entry, created: stamps[entry.id]?.created ?? 0)
    }
    entries?.insert(entry) { Schema.precedes(written($0), written($1)) }
    view.put(written(entry))
  }
}

/// Collects the entries of a file and then builds the list of each account, which is many times as fast as
/// an insert of each.
struct AccountFilling<Schema: AccountSchema> {
  private var lists: [ResourceID: [WrittenEntry<Schema.Entry>]] = [:]
  private var ids: [ResourceID?: Set<ResourceID>] = [:]

  /// Adds an entry of an account that has no entries in the data.
  ///
  /// - Throws: What ``AccountData/insert(_:of:)`` throws; nothing has changed then.
  mutating func add(
    _ entry: Schema.Entry, of holder: ResourceID, to data: inout AccountData<Schema>
  ) throws(AccountData<Schema>.Failure) {
    guard data.contains(holder) else { throw .missing(Schema.missingHolder) }
    let scope = Schema.hasUniqueEntries ? nil : holder
    guard ids[scope]?.contains(entry.id) != true else { throw .duplicateID(entry.id) }
    guard lists[holder]?.count ?? 0 < data.limits.entriesPerAccount else { throw .full }
    let version = try data.take(entry, inPlaceOf: nil).version
    ids[scope, default: []].insert(entry.id)
    lists[holder, default: []].append(WrittenEntry(resource: entry, created: version))
    data.entryIDs.use(entry.id)
  }

  /// Adds the lists of entries to the data, each in the order of the schema.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of entries.
  func end(in data: inout AccountData<Schema>) {
    for (holder, list) in lists {
      guard var account = data.accounts[id: holder] else { continue }
      let sorted = list.sorted(by: Schema.precedes)
      account.entries = KeyedSequence(sorted.map(\.resource))
      account.stamps = TreeDictionary(
        uniqueKeysWithValues: sorted.map {
          ($0.resource.id, EntryStamp(created: $0.created, version: $0.created))
        })
      for entry in list { account.view.put(entry) }
      account.entriesVersion = list.last?.created ?? account.entriesVersion
      data.accounts[id: holder] = account
    }
    if Schema.hasUniqueEntries { data.entryIDsInUse = TreeSet(ids[nil] ?? []) }
  }
}
