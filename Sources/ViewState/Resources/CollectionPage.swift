public import Snapshots

/// A request for a page of a collection.
public struct CollectionRange: Hashable, Sendable {
  /// The id of the element after which the page begins; `nil` for the first page.
  public var after: ResourceID?
  /// The largest number of elements of the page.
  public var limit: Int

  /// Creates a request.
  ///
  /// - Precondition: `limit` is at least 1.
  public init(after: ResourceID? = nil, limit: Int) {
    precondition(limit >= 1, "a page has at least one element")
    self.after = after
    self.limit = limit
  }
}

/// A page of a collection, in the order of the collection.
public struct CollectionPage<Element: Sendable>: Sendable {
  private let find: @Sendable () -> [Element]
  /// Whether the collection has elements after the page.
  public let hasMore: Bool
  /// The number of the last write to the collection. Pages with equal requests and versions are equal.
  public let version: Int

  /// Creates a page from its elements.
  public init(elements: [Element], hasMore: Bool, version: Int) {
    self.init(hasMore: hasMore, version: version) { elements }
  }

  /// Creates a page whose elements are found if they are read, and not if a reply with them is kept.
  ///
  /// - Parameter find: Returns the elements as they are now, also after a write.
  fileprivate init(hasMore: Bool, version: Int, _ find: @escaping @Sendable () -> [Element]) {
    self.find = find
    self.hasMore = hasMore
    self.version = version
  }

  /// The elements of the page, found each time.
  ///
  /// - Complexity: O(*m* + log *n*) for a page of a `KeyedSequence`, where *m* is the number of elements of the
  ///   page and *n* the number of all elements.
  public var elements: [Element] { find() }
}

extension KeyedSequence where Element.ID == ResourceID {
  /// Returns a page of the elements.
  ///
  /// - Parameters:
  ///   - range: The request.
  ///   - version: The number of the last write to the collection.
  /// - Returns: `nil` if no element has the id after which the page begins.
  /// - Complexity: O(log *n*) expected, where *n* is the number of all elements.
  public func page(_ range: CollectionRange, version: Int) -> CollectionPage<Element>? {
    var start = 0
    if let after = range.after {
      guard let position = index(of: after) else { return nil }
      start = position + 1
    }
    let positions = start..<(start + Swift.min(range.limit, count - start))
    return CollectionPage(hasMore: positions.upperBound < count, version: version) {
      elements(in: positions)
    }
  }
}
