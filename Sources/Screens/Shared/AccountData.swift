import HashTreeCollections
import Snapshots

/// When an entry was written first, and when last: numbers of writes.
struct EntryStamp: Equatable, Sendable {
  let created: Int
  var version: Int
}

/// Accounts as a value: every rule that a write must hold, without locks, time or observers.
///
/// Ids of holders are unique; those of entries are among the entries of one account or of all, as
/// the schema says.
///
/// A copy costs O(1) and shares with the original what no write changes; a write costs O(log *n*) expected,
/// where *n* is the number of accounts and of the entries of the one that it changes.
public struct AccountData<Schema: AccountSchema>: Sendable {
  /// Why a write was not done.
  public typealias Failure = StoreError<Schema.Missing>

  /// In the order in which they were written.
  var accounts: KeyedSequence<Account> = []
  /// The ids of all entries, where they are unique over all accounts.
  var entryIDsInUse: TreeSet<ResourceID> = []
  /// The ids given to holders and to entries.
  var (holderIDs, entryIDs) = (IDLedger(), IDLedger())
  /// The writes so far, and the size of all texts.
  var ledger = WriteLedger()
  /// The last write that changed which holders there are, or one of them.
  var holdersVersion = 0
  let limits: AccountLimits

  /// A holder with the entries.
  struct Account: Identifiable, Equatable, Sendable {
    var holder: Versioned<Schema.Holder>
    /// In the order of showing; `nil` if the schema knows accounts without entries, until there is one.
    var entries: KeyedSequence<Schema.Entry>?
    /// When the entries were written.
    var stamps: TreeDictionary<ResourceID, EntryStamp> = [:]
    /// The last write that changed which entries there are, or one of them.
    var entriesVersion: Int

    var id: ResourceID { holder.resource.id }
  }

  /// Nobody and nothing yet.
  public init(limits: AccountLimits = Schema.limits) {
    self.limits = limits
  }
}

extension AccountData {
  /// A part of the holders, in the order in which they were written.
  func holders(_ range: CollectionRange) -> CollectionPart<Schema.Holder>? {
    accounts.part(range, version: holdersVersion, \.holder.resource)
  }

  func holder(_ id: ResourceID) throws(Failure) -> Versioned<Schema.Holder> {
    try account(id).holder
  }

  /// The entries of an account as they are shown; `nil` if there are none, not even an empty list.
  func entries(of holder: ResourceID) -> KeyedSequence<Schema.Entry>? {
    accounts[id: holder]?.entries
  }

  /// A part of the entries of an account, in the same order.
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

  /// The id that a new holder gets.
  var freeHolderID: ResourceID { holderIDs.free { contains($0) } }

  /// The id that a new entry of an account gets.
  func freeEntryID(of holder: ResourceID) -> ResourceID {
    entryIDs.free { isInUse($0, of: holder) }
  }

  /// Whether an account cannot have a new entry of this id.
  func isInUse(_ entry: ResourceID, of holder: ResourceID) -> Bool {
    accounts[id: holder]?.stamps[entry] != nil || entryIDsInUse.contains(entry)
  }

  func account(_ id: ResourceID) throws(Failure) -> Account {
    guard let account = accounts[id: id] else { throw .missing(Schema.missingHolder) }
    return account
  }
}

extension AccountData: SourceResources {
  static var missingKey: Schema.Missing { Schema.missingHolder }

  func contains(_ key: ResourceID) -> Bool { accounts.contains(id: key) }

  func isDeleted(_ key: ResourceID) -> Bool { holderIDs.isDeleted(key) }
}
