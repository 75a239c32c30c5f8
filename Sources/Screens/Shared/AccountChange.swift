import Snapshots

/// What a subscriber of an account hears.
enum AccountChange<Schema: AccountSchema>: SourceChange {
  case holder(Schema.Holder)
  /// All of them, as they are shown.
  case entries(KeyedSequence<Schema.Entry>)
  case removed

  var isRemoval: Bool {
    switch self {
    case .removed: true
    case .holder, .entries: false
    }
  }
}
