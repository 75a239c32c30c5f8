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
  /// - Parameter size: how many items it has at most.
  /// - Precondition: the list is in the order of positions; `size` is at least 1.
  /// - Complexity: O(*m* + log *n*), where *n* is the number of items and *m* that of the page.
  public init(_ request: PageRequest<Item.Position>, of list: [Item], size: Int) {
    precondition(size >= 1, "a page without items has no end")
    let start =
      switch request {
      case .first: list.startIndex
      case .behind(let position): list.count(upTo: position)
      }
    items = Array(list[start...].prefix(size))
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
  func showing(_ list: [Item]) -> Page {
    Page(items: end.map { Array(list[..<list.count(upTo: $0)]) } ?? list, end: end)
  }
}

extension Array where Element: Pageable {
  /// How many items stand at the position or before it.
  fileprivate func count(upTo position: Element.Position) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].position <= position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
