import CanonicalJSON
import Snapshots
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
  /// A place, as the argument `before` or `after` with a neighbour.
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
  /// A place that may be left out.
  static var optionalPlace: Argument { .optional(.place) }
}

extension KeyedSequence where Element.ID == ResourceID {
  /// Returns the position for a new element.
  ///
  /// - Throws: `malformed` with the argument of the place if its neighbour is missing.
  func position(at place: Placement) throws(StoreError<MissingElement>) -> Int {
    guard let anchor = index(of: place.anchor) else {
      throw place.refused("\(place.anchor) is not there")
    }
    if case .before = place { return anchor }
    return anchor + 1
  }

  /// Returns the position among all to which an element is moved.
  ///
  /// - Throws: `malformed` with the argument of the place if its neighbour is missing or is the element.
  func position(
    of id: ResourceID, at place: Placement
  ) throws(StoreError<MissingElement>) -> Int {
    guard place.anchor != id else {
      throw place.refused("\(id) cannot go before or after itself")
    }
    let position = try position(at: place)
    // The element itself leaves its position before.
    return index(of: id).map { $0 < position ? position - 1 : position } ?? position
  }
}

extension Refusal {
  /// Refuses a command whose write a store refuses.
  init(_ error: StoreError<MissingElement>) {
    switch error {
    case .malformed(let error): self.init(error)
    case .missing(let element): self.init("type", "the \(element.noun) is not there")
    case .duplicateID(let id): self.init("id", "the id \(id) is in use")
    case .full: self.init("type", "the store is full")
    case .changedMeanwhile: self.init("type", "another write came first")
    case .reusedKey: self.init("type", "the key came with another request before")
    }
  }
}

extension Placement {
  fileprivate func refused(_ message: String) -> StoreError<MissingElement> {
    .malformed(JSONShapeError(pointer: JSONPointer(tokens: [argument]), message: message))
  }
}
