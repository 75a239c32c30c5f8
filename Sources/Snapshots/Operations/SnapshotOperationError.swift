public import CanonicalJSON

/// The reason why an operation on a snapshot is refused, with the ids. The snapshot is unchanged.
public enum SnapshotOperationError: Error, Hashable, Sendable {
  /// No sections have these ids.
  case unknownSections([Text])
  /// No items have these ids.
  case unknownItems([Text])
  /// Several sections or items would have the same id, or some cannot be written.
  case invalid(SnapshotError)
  /// Items are to be appended to the last section, but there is none.
  case noSection
  /// The section or item with this id is to be moved before or after itself.
  case ownAnchor(Text)
  /// The item with the first id is to be moved before or after the one with the second, which is below it.
  case anchorBelow(Text, anchor: Text)
  /// The items with these ids are reconfigured to another type, which only a reload can do.
  case changedTypes([Text])
}

extension SnapshotOperationError: CustomStringConvertible {
  /// One sentence with the ids, of each kind at most ten.
  public var description: String {
    switch self {
    case .unknownSections(let ids): "there are no sections \(ids.excerpt)"
    case .unknownItems(let ids): "there are no items \(ids.excerpt)"
    case .invalid(let error): "\(error)"
    case .noSection: "there is no section to append to"
    case .ownAnchor(let id): "\"\(id)\" cannot go before or after itself"
    case .anchorBelow(let id, let anchor):
      "\"\(id)\" cannot go before or after \"\(anchor)\", which is below it"
    case .changedTypes(let ids):
      "the items \(ids.excerpt) cannot change their type without a reload"
    }
  }
}
