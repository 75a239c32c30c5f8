import OrderedCollections

/// Each write is done whole or, where it throws, not at all.
extension AccountData {
  mutating func insert(_ holder: Schema.Holder) throws(Failure) -> Versioned<Schema.Holder> {
    guard accounts[holder.id] == nil else { throw .duplicateID(holder.id) }
    guard accounts.count < limits.accounts else { throw .full }
    let versioned = try take(holder, inPlaceOf: nil)
    accounts[holder.id] = Account(
      holder: versioned, entries: Schema.missingEntries == nil ? [:] : nil,
      entriesVersion: ledger.version)
    holdersVersion = ledger.version
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
    holdersVersion = ledger.version
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
    holdersVersion = ledger.version
    holderIDs.delete(id, remembering: limits.deletedAccounts)
  }

  /// Gives an account an empty list of entries where it has none at all.
  mutating func startEntries(of holder: ResourceID) throws(Failure) {
    if try account(holder).entries == nil { accounts[holder]?.entries = [:] }
  }

  mutating func insert(
    _ entry: Schema.Entry, of holder: ResourceID
  ) throws(Failure) -> Versioned<Schema.Entry> {
    let versioned = try append(entry, of: holder)
    accounts[holder]?.entries?.arrangeValue(of: entry.id, by: Schema.precedes)
    return versioned
  }

  /// Adds an entry behind all others, wherever it belongs: for data that is read at the start, and
  /// arranged once it is all there.
  mutating func append(
    _ entry: Schema.Entry, of holder: ResourceID
  ) throws(Failure) -> Versioned<Schema.Entry> {
    // Nothing here holds the entries while they are written to, or each write would copy them all.
    guard contains(holder) else { throw .missing(Schema.missingHolder) }
    guard !isInUse(entry.id, of: holder) else { throw .duplicateID(entry.id) }
    guard accounts[holder]?.entries?.count ?? 0 < limits.entriesPerAccount else { throw .full }
    let versioned = try take(entry, inPlaceOf: nil)
    try startEntries(of: holder)
    accounts[holder]?.entries?[entry.id] = WrittenEntry(
      current: versioned, created: versioned.version)
    accounts[holder]?.entriesVersion = versioned.version
    entryIDs.use(entry.id)
    if Schema.hasUniqueEntries { entryIDsInUse.insert(entry.id) }
    return versioned
  }

  /// Puts the entries of all accounts in their order.
  mutating func arrangeAll() {
    for id in accounts.keys { accounts[id]?.entries?.sort { Schema.precedes($0.value, $1.value) } }
  }

  /// An entry that is as it was stays of its version.
  mutating func replace(
    _ entry: Schema.Entry, of holder: ResourceID, expecting version: Int?
  ) throws(Failure) -> Versioned<Schema.Entry> {
    let current = try self.entry(entry.id, of: holder)
    try Failure.check(current.version, against: version)
    if current.resource == entry { return current }
    let versioned = try take(entry, inPlaceOf: current.resource)
    accounts[holder]?.entries?[entry.id]?.current = versioned
    accounts[holder]?.entries?.arrangeValue(of: entry.id, by: Schema.precedes)
    accounts[holder]?.entriesVersion = versioned.version
    return versioned
  }

  mutating func removeEntry(
    _ id: ResourceID, of holder: ResourceID, expecting version: Int?
  ) throws(Failure) {
    let current = try entry(id, of: holder)
    try Failure.check(current.version, against: version)
    ledger.release(current.resource)
    accounts[holder]?.entries?[id] = nil
    accounts[holder]?.entriesVersion = ledger.version
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

extension OrderedDictionary {
  /// Moves the value of a key to where it belongs among the others, which are in their order.
  ///
  /// - Parameter precedes: a strict order of all values.
  /// - Complexity: O(log n) where it is there already, else O(n); n is the number of values.
  fileprivate mutating func arrangeValue(
    of key: Key, by precedes: (Value, Value) -> Bool
  ) {
    guard let from = index(forKey: key) else { return }
    let value = values[from]
    let isBehindPrevious = from == 0 || precedes(values[from - 1], value)
    let isBeforeNext = from == count - 1 || precedes(value, values[from + 1])
    if isBehindPrevious && isBeforeNext { return }
    remove(at: from)
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(values[middle], value) { low = middle + 1 } else { high = middle }
    }
    updateValue(value, forKey: key, insertingAt: low)
  }
}
