public import Snapshots

/// A request for a part of a collection.
public struct CollectionRange: Hashable, Sendable {
  /// The id of the element after which the part begins; `nil` for the first part.
  public var after: ResourceID?
  /// The largest number of elements of the part.
  public var limit: Int

  /// Creates a request.
  ///
  /// - Precondition: `limit` is at least 1.
  public init(after: ResourceID? = nil, limit: Int) {
    precondition(limit >= 1, "a part has at least one element")
    self.after = after
    self.limit = limit
  }
}

/// A part of a collection, in the order of the collection.
public struct CollectionPart<Element: Sendable>: Sendable {
  /// The elements of the part.
  public let elements: [Element]
  /// Whether the collection has elements after the part.
  public let hasMore: Bool
  /// The number of the last write to the collection. Parts with equal requests and versions are equal.
  public let version: Int

  /// Creates a part from its elements.
  public init(elements: [Element], hasMore: Bool, version: Int) {
    self.elements = elements
    self.hasMore = hasMore
    self.version = version
  }
}

extension KeyedSequence where Element.ID == ResourceID {
  /// Returns a part of the elements.
  ///
  /// - Parameters:
  ///   - range: The request.
  ///   - version: The number of the last write to the collection.
  ///   - element: Makes an element of the part from an element of the sequence.
  /// - Returns: `nil` if no element has the id after which the part begins.
  /// - Complexity: O(*m* + log *n*) expected, where *m* is the number of elements of the part and *n* the
  ///   number of all elements.
  public func part<Part>(
    _ range: CollectionRange, version: Int, _ element: (Element) -> Part
  ) -> CollectionPart<Part>? {
    var start = 0
    if let after = range.after {
      guard let position = index(of: after) else { return nil }
      start = position + 1
    }
    let end = start + Swift.min(range.limit, count - start)
    return CollectionPart(
      elements: elements(in: start..<end).map(element), hasMore: end < count, version: version)
  }
}
