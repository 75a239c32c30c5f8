public import CanonicalJSON
public import ViewState

/// What the accounts of a store are: users with their posts, or listeners with what they follow.
/// Each account has a *holder* and any number of *entries*.
public protocol AccountSchema: Sendable {
  associatedtype Holder: SizedResource & Codable
  associatedtype Entry: SizedResource & Codable
  /// What screens load from an account.
  associatedtype Source: RawRepresentable<Text>, CaseIterable, Codable, Hashable, Sendable
  /// What the store may turn out not to have.
  associatedtype Missing: Codable, Hashable, Sendable

  /// The name of the store.
  static var name: Text { get }
  /// The name of the holders in the causes of revisions.
  static var holdersName: Text { get }
  /// The name of the entries in the causes of revisions.
  static var entriesName: Text { get }

  static var missingHolder: Missing { get }
  static var missingEntry: Missing { get }
  /// What is missing of an account that never had an entry; `nil` where its entries are an empty
  /// list, as they are once the last one is gone.
  static var missingEntries: Missing? { get }

  /// Whether no two accounts may have entries of one id.
  static var hasUniqueEntries: Bool { get }

  /// How much a store takes where nothing else is said.
  static var limits: AccountLimits { get }

  /// Whether an entry stands before another one of its account. Of two entries one always does, so
  /// that the order is the same whatever they were before.
  static func precedes(_ left: WrittenEntry<Entry>, _ right: WrittenEntry<Entry>) -> Bool

  /// Reads a holder.
  ///
  /// - Parameter assigned: the id to use where the object has none.
  static func holder(
    _ reader: JSONReader, assigned: ResourceID
  ) throws(JSONShapeError) -> Holder

  /// Reads an entry of the account of a holder.
  ///
  /// - Parameter assigned: the id to use where the object has none.
  static func entry(
    _ reader: JSONReader, assigned: ResourceID, of holder: ResourceID
  ) throws(JSONShapeError) -> Entry

  /// Fills in what a new entry leaves out.
  ///
  /// - Parameter time: The time of the write.
  static func completed(_ entry: Entry, at time: Timestamp) -> Entry

  /// Reads an entry that is to take the place of another one, whose id it has where the object has
  /// none.
  static func entry(
    _ reader: JSONReader, replacing current: Entry
  ) throws(JSONShapeError) -> Entry
}

extension AccountSchema {
  public static func completed(_ entry: Entry, at time: Timestamp) -> Entry { entry }
}

/// An entry of an account, and when it was written first: what the order of entries depends on.
public struct WrittenEntry<Entry: Sendable>: Sendable {
  /// The entry as it is now.
  public let resource: Entry
  /// The version that it was created with: the greater, the later.
  public let created: Int
}
