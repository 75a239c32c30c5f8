public import ViewState

/// A place in a list, named by a neighbour and never by a number.
public enum Placement: Codable, Hashable, Sendable {
  case before(ResourceID)
  case after(ResourceID)

  /// The neighbour.
  public var anchor: ResourceID {
    switch self {
    case .before(let id), .after(let id): id
    }
  }
}
