import HashTreeCollections
import Snapshots
import ViewState

/// Each write is done whole or, where it throws, not at all.
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

  /// A holder that is as it was stays of its version.
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

  /// Removes a holder together with the entries.
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

  /// Gives an account an empty list of entries if it has none at all.
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

  /// An entry that is as it was stays of its version.
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
  /// Puts an entry that has its stamp where it belongs among the others, in the place of the one with
  /// its id.
  fileprivate mutating func arrange(_ entry: Schema.Entry) {
    let precedes = order
    entries?.insert(entry, by: precedes)
  }

  /// Tells whether one entry precedes another, by what is known of both now.
  private var order: (Schema.Entry, Schema.Entry) -> Bool {
    let stamps = stamps
    func written(_ entry: Schema.Entry) -> WrittenEntry<Schema.Entry> {
      WrittenEntry(resource: entry, created: stamps[entry.id]?.created ?? 0)
    }
    return { Schema.precedes(written($0), written($1)) }
  }
}

/// Collects the entries of a file, to build the list of each account once they are all there: many times
/// as fast as an insert of each.
struct AccountFilling<Schema: AccountSchema> {
  private var lists: [ResourceID: [WrittenEntry<Schema.Entry>]] = [:]
  private var ids: [ResourceID?: Set<ResourceID>] = [:]

  /// Adds an entry of an account that has none in the data.
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

  /// Puts the entries into the data, those of each account in their order.
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
      account.entriesVersion = list.last?.created ?? account.entriesVersion
      data.accounts[id: holder] = account
    }
    if Schema.hasUniqueEntries { data.entryIDsInUse = TreeSet(ids[nil] ?? []) }
  }
}
