public import CanonicalJSON
public import ViewState

/// Describes accounts, such as users with their posts: each has a *holder* and any number of *entries*.
public protocol AccountSchema: Sendable {
  associatedtype Holder: SizedResource & Codable
  associatedtype Entry: SizedResource & Codable
  /// The sources of screens that read an account.
  associatedtype Source: RawRepresentable<Text>, CaseIterable, Codable, Hashable, Sendable
  /// The kinds of elements that the store may not have.
  associatedtype Missing: Codable, Hashable, Sendable
  /// What a screen shows of the entries of an account; nothing unless defined, if it shows the entries.
  associatedtype View: EntryView = NoEntryView<Entry> where View.Entry == Entry

  /// The name of the store.
  static var name: Text { get }
  /// The name of the holders in the causes of revisions.
  static var holdersName: Text { get }
  /// The name of the entries in the causes of revisions.
  static var entriesName: Text { get }

  static var missingHolder: Missing { get }
  static var missingEntry: Missing { get }
  /// What an account without any entry so far is missing; `nil` if it has an empty list of entries.
  static var missingEntries: Missing? { get }

  /// Whether no two entries of all accounts have one id; if not, no two of one account.
  static var hasUniqueEntries: Bool { get }

  /// The default limits.
  static var limits: AccountLimits { get }

  /// Returns whether an entry comes before another one of its account: a strict order of all entries.
  static func precedes(_ left: WrittenEntry<Entry>, _ right: WrittenEntry<Entry>) -> Bool

  /// Reads a holder; unless defined, as the resource that it is.
  ///
  /// - Parameter assigned: The id if the object has none.
  static func holder(
    _ reader: JSONReader, assigned: ResourceID
  ) throws(JSONShapeError) -> Holder

  /// Reads an entry of the account of a holder; unless defined, as the resource that it is.
  ///
  /// - Parameter assigned: The id if the object has none.
  static func entry(
    _ reader: JSONReader, assigned: ResourceID, of holder: ResourceID
  ) throws(JSONShapeError) -> Entry

  /// Fills in what a new entry leaves out; nothing unless defined.
  ///
  /// - Parameter time: The time of the write.
  static func completed(_ entry: Entry, at time: Timestamp) -> Entry

  /// Reads an entry that replaces another one, whose id it has if the object has none; unless defined, as the
  /// resource that it is.
  static func entry(
    _ reader: JSONReader, replacing current: Entry
  ) throws(JSONShapeError) -> Entry
}

extension AccountSchema {
  public static func completed(_ entry: Entry, at time: Timestamp) -> Entry { entry }
}

extension AccountSchema where Holder: Resource {
  public static func holder(
    _ reader: JSONReader, assigned: ResourceID
  ) throws(JSONShapeError) -> Holder {
    try Holder(reader, assigned: assigned)
  }
}

extension AccountSchema where Entry: Resource {
  public static func entry(
    _ reader: JSONReader, assigned: ResourceID, of holder: ResourceID
  ) throws(JSONShapeError) -> Entry {
    try Entry(reader, assigned: assigned)
  }

  public static func entry(
    _ reader: JSONReader, replacing current: Entry
  ) throws(JSONShapeError) -> Entry {
    try Entry(reader, assigned: current.id)
  }
}

/// An entry of an account with the number of the write that created it, by which entries are ordered.
public struct WrittenEntry<Entry: Sendable>: Sendable {
  /// The entry as it is now.
  public let resource: Entry
  /// The version that the entry was created with: the greater, the later.
  public let created: Int
}

/// What a screen shows of the entries of an account. It follows each write, so that neither a write nor a
/// load goes through all entries.
public protocol EntryView: Equatable, Sendable {
  associatedtype Entry: Sendable

  /// Creates the view of no entries.
  init()

  /// Takes over an entry that is new or that has changed.
  ///
  /// A write costs no more than this: O(log *n*), where *n* is the number of entries.
  mutating func put(_ entry: WrittenEntry<Entry>)

  /// Removes an entry.
  mutating func remove(_ id: ResourceID)
}

/// The view of a screen that shows the entries themselves.
public struct NoEntryView<Entry: Sendable>: EntryView {
  public init() {}
  public func put(_ entry: WrittenEntry<Entry>) {}
  public func remove(_ id: ResourceID) {}
}

/// How much a store of accounts takes, so that its clients cannot fill the memory.
public struct AccountLimits: Codable, Hashable, Sendable {
  /// An account beyond this many is refused.
  public var accounts: Int
  /// An entry beyond this many of one account is refused.
  public var entriesPerAccount: Int
  /// A resource is refused if all together would take more than this many bytes of text.
  public var byteCount: Int
  /// This many deleted accounts are remembered; screens of older ones become unknown.
  public var deletedAccounts: Int

  public init(
    accounts: Int, entriesPerAccount: Int, byteCount: Int, deletedAccounts: Int = 10_000
  ) {
    self.accounts = accounts
    self.entriesPerAccount = entriesPerAccount
    self.byteCount = byteCount
    self.deletedAccounts = deletedAccounts
  }
}
