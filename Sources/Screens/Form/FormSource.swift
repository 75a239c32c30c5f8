public import CanonicalJSON
public import ViewState

/// What the form screen has done outside.
public enum FormSource: Codable, Hashable, Sendable {
  /// Look up who has a tax number, for a row.
  case registry(row: ResourceID, number: TaxNumber)
  /// Load a page of what has happened with the form.
  case activity(PageRequest<ActivityEntry.Position>)
  /// Send the answers.
  case submission(JSONValue)

  /// The names of the sources, as they stand in a view model's `states`.
  public enum Name: Text, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
    case activity
    case registry
    case submission
  }

  /// Which source it is.
  public var name: Name {
    switch self {
    case .registry: .registry
    case .activity: .activity
    case .submission: .submission
    }
  }
}

/// What users enter does not belong into records.
extension FormSource: CustomStringConvertible {
  public var description: String { name.rawValue.string }
}
