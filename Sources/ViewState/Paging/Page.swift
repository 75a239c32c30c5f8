public import Snapshots

/// A page of a long list, or several that follow one another.
public struct Page<Item: Pageable>: Equatable, Sendable {
  /// The items in the order of their positions.
  public private(set) var items: [Item]
  /// The position that the next page begins behind; `nil` where this one ends the list.
  public private(set) var end: Item.Position?

  /// A page as its source has it.
  public init(items: [Item], end: Item.Position?) {
    self.items = items
    self.end = end
  }

  /// The page that was asked for, out of the whole list.
  ///
  /// - Parameters:
  ///   - list: The whole list.
  ///   - request: The page.
  ///   - size: how many items it has at most.
  /// - Precondition: the list is in the order of positions; `size` is at least 1.
  /// - Complexity: O(*m* + log *n*), where *n* is the number of items and *m* that of the page.
  public init(_ request: PageRequest<Item.Position>, of list: KeyedSequence<Item>, size: Int) {
    precondition(size >= 1, "a page without items has no end")
    let start =
      switch request {
      case .first: list.startIndex
      case .behind(let position): list.count(upTo: position)
      }
    items = list.elements(in: start..<start + min(size, list.count - start))
    end = start + items.count < list.count ? items.last?.position : nil
  }
}

extension Page: Codable where Item: Codable, Item.Position: Codable {}

extension Page {
  /// Adds the page that follows. An item that is shown already is left out, so that no id comes
  /// twice, whatever the source did in between.
  ///
  /// - Complexity: O(*n* + *m*) expected, where *n* is the number of items and *m* that of the page.
  mutating func append(_ page: Page) {
    let known = Set(items.map(\.id))
    items += page.items.filter { !known.contains($0.id) }
    end = page.end
  }

  /// What is shown of a list that a write has changed: as far as it was shown before.
  ///
  /// - Complexity: O(*m* + log *n*), where *n* is the number of items and *m* that of those shown.
  func showing(_ list: KeyedSequence<Item>) -> Page {
    Page(items: list.elements(in: 0..<(end.map(list.count(upTo:)) ?? list.count)), end: end)
  }
}

extension KeyedSequence where Element: Pageable {
  /// How many items stand at the position or before it.
  fileprivate func count(upTo position: Element.Position) -> Int {
    partitioningIndex { $0.position > position }
  }
}
