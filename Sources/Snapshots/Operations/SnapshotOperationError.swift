public import CanonicalJSON

/// Why an operation on a snapshot is refused, naming the ids. The snapshot is as it was.
public enum SnapshotOperationError: Error, Hashable, Sendable {
  /// There are no sections of these ids.
  case unknownSections([Text])
  /// There are no items of these ids.
  case unknownItems([Text])
  /// The operation would give one id to several sections or items.
  case duplicates(SnapshotError)
  /// Items are appended to the last section, and there is none.
  case noSection
  /// A section or item of this id is to go before or after itself.
  case ownAnchor(Text)
  /// The items of these ids are reconfigured to another type, which only a reload can do.
  case changedTypes([Text])
}

extension SnapshotOperationError: CustomStringConvertible {
  /// One sentence that names the ids.
  public var description: String {
    switch self {
    case .unknownSections(let ids): "there are no sections \(ids)"
    case .unknownItems(let ids): "there are no items \(ids)"
    case .duplicates(let error): "\(error)"
    case .noSection: "there is no section to append to"
    case .ownAnchor(let id): "\"\(id)\" cannot go before or after itself"
    case .changedTypes(let ids): "the items \(ids) cannot change their type without a reload"
    }
  }
}
