import CanonicalJSON
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

  /// The argument that names the neighbour.
  var argument: Text {
    switch self {
    case .before: "before"
    case .after: "after"
    }
  }
}

extension Argument<Placement> {
  /// Where something goes: `before` or `after` a neighbour.
  static var place: Argument {
    .either(
      "before",
      ResourceID.valueType.map(
        "", read: { .before($0) }, write: { if case .before(let id) = $0 { id } else { nil } }),
      or: "after",
      ResourceID.valueType.map(
        "", read: { .after($0) }, write: { if case .after(let id) = $0 { id } else { nil } }))
  }
}

extension Argument<Placement?> {
  /// Where something goes, or nothing.
  static var optionalPlace: Argument { .optional(.place) }
}
