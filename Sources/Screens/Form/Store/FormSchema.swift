public import CanonicalJSON
public import ViewState

/// The accounts of the form screen: forms with what has happened with them.
public enum FormSchema: AccountSchema {
  public typealias Holder = Form
  public typealias Entry = ActivityEntry
  public typealias Source = FormSource.Name

  /// What the store may turn out not to have.
  public enum Missing: Codable, Hashable, Sendable {
    case form
    case entry
  }

  public static var name: Text { "forms" }
  public static var holdersName: Text { "forms" }
  public static var entriesName: Text { "activity" }

  public static var missingHolder: Missing { .form }
  public static var missingEntry: Missing { .entry }
  public static var missingEntries: Missing? { nil }
  public static var hasUniqueEntries: Bool { false }

  public static var limits: AccountLimits {
    AccountLimits(accounts: 500, entriesPerAccount: 10_000, byteCount: 64 * 1024 * 1024)
  }

  /// The newest first.
  public static func precedes(
    _ left: WrittenEntry<ActivityEntry>, _ right: WrittenEntry<ActivityEntry>
  ) -> Bool {
    left.resource.position < right.resource.position
  }

  public static func holder(
    _ reader: JSONReader, assigned: ResourceID
  ) throws(JSONShapeError) -> Form {
    try Form(reader, assigned: assigned)
  }

  public static func entry(
    _ reader: JSONReader, assigned: ResourceID, of form: ResourceID
  ) throws(JSONShapeError) -> ActivityEntry {
    try ActivityEntry(reader, assigned: assigned)
  }

  public static func entry(
    _ reader: JSONReader, replacing current: ActivityEntry
  ) throws(JSONShapeError) -> ActivityEntry {
    try ActivityEntry(reader, assigned: current.id)
  }
}

/// The forms and what has happened with them, as a value.
public typealias FormData = AccountData<FormSchema>

/// The forms in memory, and what has happened with them.
public typealias FormStore = AccountStore<FormSchema>
