package import OrderedCollections
public import Snapshots

/// Which part of a collection is asked for.
public struct CollectionRange: Hashable, Sendable {
  /// The part begins behind the element with this id; `nil` for the first part.
  public var after: ResourceID?
  /// How many elements it has at most.
  public var limit: Int

  /// - Precondition: `limit` is at least 1.
  public init(after: ResourceID? = nil, limit: Int) {
    precondition(limit >= 1, "a part without elements leads nowhere")
    self.after = after
    self.limit = limit
  }
}

/// A part of a collection, in the order of the collection.
public struct CollectionPart<Element: Sendable>: Sendable {
  /// At most as many as were asked for.
  public let elements: [Element]
  /// Whether the collection goes on behind them.
  public let hasMore: Bool
  /// The number of the write that made the collection as it is. Parts of equal range and version are
  /// equal.
  public let version: Int

  /// Creates a part from its elements.
  public init(elements: [Element], hasMore: Bool, version: Int) {
    self.elements = elements
    self.hasMore = hasMore
    self.version = version
  }
}

extension OrderedDictionary where Key == ResourceID {
  /// A part of the values.
  ///
  /// - Parameters:
  ///   - version: the number of the write that made them as they are.
  ///   - element: what is wanted of each value.
  /// - Returns: `nil` where there is nothing under the key that the part begins behind.
  /// - Complexity: O(*m*) expected, where *m* is the number of elements of the part.
  package func part<Element>(
    _ range: CollectionRange, version: Int, _ element: (Value) -> Element
  ) -> CollectionPart<Element>? {
    var start = 0
    if let after = range.after {
      guard let place = index(forKey: after) else { return nil }
      start = place + 1
    }
    let end = start + Swift.min(range.limit, count - start)
    return CollectionPart(
      elements: values[start..<end].map(element), hasMore: end < count, version: version)
  }
}

extension KeyedSequence where Element.ID == ResourceID {
  /// A part of the elements.
  ///
  /// - Parameters:
  ///   - range: The part.
  ///   - version: The number of the write that made them as they are.
  ///   - element: Picks what is wanted of each element.
  /// - Returns: `nil` if there is no element with the id that the part begins behind.
  /// - Complexity: O(*m* + log *n*) expected, where *m* is the number of elements of the part and *n* that
  ///   of all.
  public func part<Part>(
    _ range: CollectionRange, version: Int, _ element: (Element) -> Part
  ) -> CollectionPart<Part>? {
    var start = 0
    if let after = range.after {
      guard let place = index(of: after) else { return nil }
      start = place + 1
    }
    let end = start + Swift.min(range.limit, count - start)
    return CollectionPart(
      elements: elements(in: start..<end).map(element), hasMore: end < count, version: version)
  }
}
