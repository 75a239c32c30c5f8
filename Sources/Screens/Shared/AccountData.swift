import HashTreeCollections
import OrderedCollections

/// Accounts as a value: every rule that a write must hold, without locks, time or observers.
///
/// Ids of holders are unique; those of entries are among the entries of one account or of all, as
/// the schema says.
public struct AccountData<Schema: AccountSchema>: Sendable {
  /// Why a write was not done.
  public typealias Failure = StoreError<Schema.Missing>

  var accounts: OrderedDictionary<ResourceID, Account> = [:]
  /// The ids of all entries, where they are unique over all accounts.
  var entryIDsInUse: Set<ResourceID> = []
  /// The ids given to holders and to entries.
  var (holderIDs, entryIDs) = (IDLedger(), IDLedger())
  /// The writes so far, and the size of all texts.
  var ledger = WriteLedger()
  /// The last write that changed which holders there are, or one of them.
  var holdersVersion = 0
  /// What is left of the fault scripts.
  var faults: TreeDictionary<ResourceID, [Schema.Source: FaultScript]> = [:]
  let limits: AccountLimits

  /// A holder with the entries.
  struct Account: Sendable {
    var holder: Versioned<Schema.Holder>
    /// In the order of showing; `nil` where the schema knows accounts without entries, until there
    /// is one.
    var entries: OrderedDictionary<ResourceID, WrittenEntry<Schema.Entry>>?
    /// The last write that changed which entries there are, or one of them.
    var entriesVersion: Int
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

  /// The entries of an account as they are shown; `nil` where there are none, not even an empty
  /// list.
  ///
  /// - Complexity: O(n), where n is the number of entries.
  func entries(of holder: ResourceID) -> [Schema.Entry]? {
    accounts[holder]?.entries?.values.map(\.resource)
  }

  /// A part of the entries of an account, in the same order.
  func entries(
    _ range: CollectionRange, of holder: ResourceID
  ) throws(Failure) -> CollectionPart<Schema.Entry>? {
    let account = try account(holder)
    guard let entries = account.entries else {
      throw .missing(Schema.missingEntries ?? Schema.missingHolder)
    }
    return entries.part(range, version: account.entriesVersion, \.resource)
  }

  func entry(
    _ id: ResourceID, of holder: ResourceID
  ) throws(Failure) -> Versioned<Schema.Entry> {
    guard let entry = try account(holder).entries?[id] else {
      throw .missing(Schema.missingEntry)
    }
    return entry.current
  }

  /// The id that a new holder gets.
  var freeHolderID: ResourceID { holderIDs.free { contains($0) } }

  /// The id that a new entry of an account gets.
  func freeEntryID(of holder: ResourceID) -> ResourceID {
    entryIDs.free { isInUse($0, of: holder) }
  }

  /// Whether an account cannot have a new entry of this id.
  func isInUse(_ entry: ResourceID, of holder: ResourceID) -> Bool {
    accounts[holder]?.entries?[entry] != nil || entryIDsInUse.contains(entry)
  }

  func account(_ id: ResourceID) throws(Failure) -> Account {
    guard let account = accounts[id] else { throw .missing(Schema.missingHolder) }
    return account
  }
}

extension AccountData {
  func contains(_ key: ResourceID) -> Bool { accounts[key] != nil }

  func isDeleted(_ key: ResourceID) -> Bool { holderIDs.isDeleted(key) }
}
