public import CanonicalJSON
public import Snapshots

/// A place in a list, given by the id of a neighbour and never by a number.
///
/// ```swift
/// Command("moveTodo", "Moves a todo beside another one.", .id("todo"), .place)
///   .writing(to: todos) { _, id, place in .move(id, place) }
/// // {"type": "moveTodo", "todo": 7, "before": 3}
/// ```
public enum Placement: Codable, Hashable, Sendable {
  /// Directly before the element with this id.
  case before(ResourceID)
  /// Directly after the element with this id.
  case after(ResourceID)

  /// The id of the neighbour.
  public var anchor: ResourceID {
    switch self {
    case .before(let id), .after(let id): id
    }
  }

  /// The name of the argument that names the neighbour: `before` or `after`.
  public var argument: Text {
    switch self {
    case .before: "before"
    case .after: "after"
    }
  }

  fileprivate func refused(_ message: String) -> StoreError {
    .malformed(JSONShapeError([argument], message))
  }
}

extension Argument<Placement> {
  /// A place, as the argument `before` or `after` with the id of a neighbour.
  public static var place: Argument {
    .either(
      "before",
      ResourceID.valueType.map(
        "", read: { .before($0) }, write: { if case .before(let id) = $0 { id } else { nil } }),
      or: "after",
      ResourceID.valueType.map(
        "", read: { .after($0) }, write: { if case .after(let id) = $0 { id } else { nil } }))
  }
}

extension KeyedSequence where Element.ID == ResourceID {
  /// Returns the position for a new element.
  ///
  /// - Throws: `StoreError.malformed` with the argument of the place if its neighbour is missing.
  /// - Complexity: O(log *n*) expected, where *n* is the number of elements.
  public func position(at place: Placement) throws(StoreError) -> Int {
    guard let anchor = index(of: place.anchor) else {
      throw place.refused("there is no element \(place.anchor)")
    }
    if case .before = place { return anchor }
    return anchor + 1
  }

  /// Returns the position among all elements to which an element is moved.
  ///
  /// - Throws: `StoreError.missing` if there is no such element, and `StoreError.malformed` with the argument of the place
  ///   if its neighbour is missing or is the element itself.
  /// - Complexity: O(log *n*) expected, where *n* is the number of elements.
  public func position(
    of id: ResourceID, at place: Placement
  ) throws(StoreError) -> Int {
    guard let current = index(of: id) else { throw .missing(MissingElement("element")) }
    guard place.anchor != id else {
      throw place.refused("\(id) cannot go before or after itself")
    }
    let position = try position(at: place)
    // The element itself leaves its position before.
    return current < position ? position - 1 : position
  }
}
