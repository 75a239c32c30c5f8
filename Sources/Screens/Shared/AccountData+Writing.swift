import OrderedCollections

/// Each write is done whole or, where it throws, not at all.
extension AccountData {
  mutating func insert(_ holder: Schema.Holder) throws(Failure) -> Versioned<Schema.Holder> {
    guard accounts[holder.id] == nil else { throw .duplicateID(holder.id) }
    guard accounts.count < limits.accounts else { throw .full }
    let versioned = try take(holder, inPlaceOf: nil)
    accounts[holder.id] = Account(
      holder: versioned, entries: Schema.missingEntries == nil ? [:] : nil)
    holderIDs.use(holder.id)
    return versioned
  }

  /// A holder that is as it was stays of its version.
  mutating func replace(
    _ holder: Schema.Holder, expecting version: Int?
  ) throws(Failure) -> Versioned<Schema.Holder> {
    let current = try self.holder(holder.id)
    try Failure.check(current.version, against: version)
    if current.resource == holder { return current }
    let versioned = try take(holder, inPlaceOf: current.resource)
    accounts[holder.id]?.holder = versioned
    return versioned
  }

  /// Removes a holder together with the entries.
  mutating func removeHolder(_ id: ResourceID, expecting version: Int?) throws(Failure) {
    let account = try account(id)
    try Failure.check(account.holder.version, against: version)
    for (entry, value) in account.entries ?? [:] {
      entryIDsInUse.remove(entry)
      ledger.release(value.resource)
    }
    ledger.release(account.holder.resource)
    accounts[id] = nil
    holderIDs.delete(id, remembering: limits.deletedAccounts)
  }

  /// Gives an account an empty list of entries where it has none at all.
  mutating func startEntries(of holder: ResourceID) throws(Failure) {
    if try account(holder).entries == nil { accounts[holder]?.entries = [:] }
  }

  mutating func insert(
    _ entry: Schema.Entry, of holder: ResourceID
  ) throws(Failure) -> Versioned<Schema.Entry> {
    let entries = try account(holder).entries ?? [:]
    guard entries[entry.id] == nil, !entryIDsInUse.contains(entry.id) else {
      throw .duplicateID(entry.id)
    }
    guard entries.count < limits.entriesPerAccount else { throw .full }
    let versioned = try take(entry, inPlaceOf: nil)
    try startEntries(of: holder)
    accounts[holder]?.entries?[entry.id] = versioned
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
    accounts[holder]?.entries?[entry.id] = versioned
    return versioned
  }

  mutating func removeEntry(
    _ id: ResourceID, of holder: ResourceID, expecting version: Int?
  ) throws(Failure) {
    let current = try entry(id, of: holder)
    try Failure.check(current.version, against: version)
    ledger.release(current.resource)
    accounts[holder]?.entries?[id] = nil
    entryIDsInUse.remove(id)
  }

  /// Makes room for a resource and gives it the next version.
  private mutating func take<Resource: SizedResource>(
    _ resource: Resource, inPlaceOf old: Resource?
  ) throws(Failure) -> Versioned<Resource> {
    guard let versioned = ledger.take(resource, inPlaceOf: old, limit: limits.byteCount) else {
      throw .full
    }
    return versioned
  }
}
