import CanonicalJSON
import HashTreeCollections
import Snapshots
public import ViewState

/// The numbers of the first and of the last write of an entry.
struct EntryStamp: Codable, Equatable, Sendable {
  let created: Int
  var version: Int
}

/// Accounts by the ids of their holders.
///
/// A copy costs O(1) and shares with the original what no write changes; a write costs O(log *n*) expected,
/// where *n* is the number of accounts and of the entries of the one that it changes.
public struct AccountData<Schema: AccountSchema>: Sendable {
  /// Why a read or a write is refused.
  public typealias Failure = StoreError<Schema.Missing>

  /// In the order in which they were written.
  var accounts: KeyedSequence<Account> = []
  /// The ids of all entries, if they are unique over all accounts.
  var entryIDsInUse: TreeSet<ResourceID> = []
  /// The ids given to holders and to entries.
  var (holderIDs, entryIDs) = (IDLedger(), IDLedger())
  /// The writes so far, and the size of all texts.
  var ledger = WriteLedger()
  /// The last write that changed the list of holders or one of them.
  var holdersVersion = 0
  /// The fault scripts of the sources, by the ids of the holders.
  var faults = FaultScripts()
  let limits: AccountLimits

  /// A holder with the entries.
  struct Account: Identifiable, Equatable, Sendable {
    var holder: Versioned<Schema.Holder>
    /// In the order of the schema; `nil` before the first entry if the schema says that it is missing then.
    var entries: KeyedSequence<Schema.Entry>?
    /// What a screen shows of the entries.
    var view = Schema.View()
    var stamps: TreeDictionary<ResourceID, EntryStamp> = [:]
    /// The last write that changed the list of entries or one of them.
    var entriesVersion: Int

    var id: ResourceID { holder.resource.id }
  }

  /// Creates a store without accounts.
  public init(limits: AccountLimits = Schema.limits) {
    self.limits = limits
  }
}

extension AccountData {
  /// Returns a part of the holders, in the order in which they were written.
  func holders(_ range: CollectionRange) -> CollectionPart<Schema.Holder>? {
    accounts.part(range, version: holdersVersion, \.holder.resource)
  }

  func holder(_ id: ResourceID) throws(Failure) -> Versioned<Schema.Holder> {
    try account(id).holder
  }

  /// Returns the entries of an account; `nil` if there is no account or no list of entries.
  func entries(of holder: ResourceID) -> KeyedSequence<Schema.Entry>? {
    accounts[id: holder]?.entries
  }

  /// Returns a part of the entries of an account, in the same order.
  func entries(
    _ range: CollectionRange, of holder: ResourceID
  ) throws(Failure) -> CollectionPart<Schema.Entry>? {
    let account = try account(holder)
    guard let entries = account.entries else {
      throw .missing(Schema.missingEntries ?? Schema.missingHolder)
    }
    return entries.part(range, version: account.entriesVersion) { $0 }
  }

  func entry(
    _ id: ResourceID, of holder: ResourceID
  ) throws(Failure) -> Versioned<Schema.Entry> {
    let account = try account(holder)
    guard let entry = account.entries?[id: id], let stamp = account.stamps[id] else {
      throw .missing(Schema.missingEntry)
    }
    return Versioned(resource: entry, version: stamp.version)
  }

  /// Returns the id for a new entry of an account.
  func freeEntryID(of holder: ResourceID) -> ResourceID {
    entryIDs.free { isInUse($0, of: holder) }
  }

  /// Returns whether an id is not free for a new entry of an account.
  func isInUse(_ entry: ResourceID, of holder: ResourceID) -> Bool {
    accounts[id: holder]?.stamps[entry] != nil || entryIDsInUse.contains(entry)
  }

  func account(_ id: ResourceID) throws(Failure) -> Account {
    guard let account = accounts[id: id] else { throw .missing(Schema.missingHolder) }
    return account
  }
}

extension AccountData {
  func contains(_ key: ResourceID) -> Bool { accounts.contains(id: key) }

  func isDeleted(_ key: ResourceID) -> Bool { holderIDs.isDeleted(key) }
}

extension AccountData: Codable {
  private enum CodingKeys: CodingKey {
    case accounts
    case holderIDs
    case entryIDs
    case ledger
    case holdersVersion
    case faults
    case limits
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    accounts = try container.decode(KeyedSequence<Account>.self, forKey: .accounts)
    holderIDs = try container.decode(IDLedger.self, forKey: .holderIDs)
    entryIDs = try container.decode(IDLedger.self, forKey: .entryIDs)
    ledger = try container.decode(WriteLedger.self, forKey: .ledger)
    holdersVersion = try container.decode(Int.self, forKey: .holdersVersion)
    limits = try container.decode(AccountLimits.self, forKey: .limits)
    faults = try container.decode(FaultScripts.self, forKey: .faults)
    if Schema.hasUniqueEntries {
      for account in accounts {
        for entry in account.entries ?? [] { entryIDsInUse.insert(entry.id) }
      }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(accounts, forKey: .accounts)
    try container.encode(holderIDs, forKey: .holderIDs)
    try container.encode(entryIDs, forKey: .entryIDs)
    try container.encode(ledger, forKey: .ledger)
    try container.encode(holdersVersion, forKey: .holdersVersion)
    try container.encode(limits, forKey: .limits)
    try container.encode(faults, forKey: .faults)
  }
}

extension AccountData.Account: Codable {
  private enum CodingKeys: CodingKey {
    case holder
    case entries
    case stamps
    case entriesVersion
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    holder = try container.decode(Versioned<Schema.Holder>.self, forKey: .holder)
    entries = try container.decodeIfPresent(KeyedSequence<Schema.Entry>.self, forKey: .entries)
    entriesVersion = try container.decode(Int.self, forKey: .entriesVersion)
    let list = try container.decode([EntryStamp].self, forKey: .stamps)
    guard list.count == entries?.count ?? 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: .stamps, in: container, debugDescription: "expected a stamp for each entry")
    }
    for (entry, stamp) in zip(entries ?? [], list) {
      stamps[entry.id] = stamp
      view.put(WrittenEntry(resource: entry, created: stamp.created))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(holder, forKey: .holder)
    try container.encodeIfPresent(entries, forKey: .entries)
    // In the order of the entries: a dictionary has none that is the same in every process.
    try container.encode((entries ?? []).compactMap { stamps[$0.id] }, forKey: .stamps)
    try container.encode(entriesVersion, forKey: .entriesVersion)
  }
}
