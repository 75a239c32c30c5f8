public import Snapshots

/// An item of a list that is too long to be loaded at once.
///
/// ```swift
/// struct Entry: Pageable, Codable {
///   let id: Int
///   let text: Text
///   var position: Int { id }
/// }
/// ```
///
/// A page begins after a position, not after a number of items. So no item is left out or repeated if others are
/// inserted or removed between two loads.
public protocol Pageable: Identifiable, Equatable, Sendable where ID: Sendable {
  associatedtype Position: Comparable & Hashable & Sendable

  /// The position in the list, greater than that of the item before it.
  ///
  /// Do not use a number in a `Text`, such as an id, as the position: as texts, "10" comes before "9".
  var position: Position { get }
}

/// A page of a long list, or several pages in a row.
public struct Page<Item: Pageable>: Equatable, Sendable {
  /// The items in ascending order of their positions.
  public private(set) var items: [Item]
  /// The position after which the next page begins; `nil` if this page ends the list.
  public private(set) var end: Item.Position?

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - items: The items in ascending order of their positions.
  ///   - end: The position after which the next page begins; `nil` if this page ends the list. A load fails as
  ///     `malformed` if it gets the page after a position, and the next page begins there, too.
  public init(items: [Item], end: Item.Position?) {
    self.items = items
    self.end = end
  }

  /// Creates the requested page of a list.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - list: The whole list, in ascending order of positions.
  ///   - size: The largest number of items of the page.
  /// - Precondition: `size` is at least 1.
  /// - Complexity: O(*m* + log *n*), where *n* is the number of items of the list and *m* that of the page.
  public init(_ request: PageRequest<Item.Position>, of list: KeyedSequence<Item>, size: Int) {
    guard size >= 1 else { fatalError("a page has at least one item") }
    let start =
      switch request {
      case .first: list.startIndex
      case .after(let position): list.count(upTo: position)
      }
    items = list.elements(in: start..<start + min(size, list.count - start))
    end = start + items.count < list.count ? items.last?.position : nil
  }
}

extension Page: Codable where Item: Codable, Item.Position: Codable {}

extension Page {
  /// Adds the page that follows, without the items whose ids are there already: a source may give one
  /// again if the list has changed between two pages, or twice in one page by mistake.
  ///
  /// - Complexity: O(*n* + *m*) expected, where *n* is the number of items and *m* that of the page.
  mutating func append(_ page: Page) {
    var known = Set(items.map { $0.id })
    items += page.items.filter { known.insert($0.id).inserted }
    end = page.end
  }

  /// Returns whether the positions of the items, and of the one after them in their list, ascend.
  ///
  /// - Complexity: O(*m* + log *n*), where *n* is the number of items of the list and *m* that of the page.
  func ascends(in list: KeyedSequence<Item>) -> Bool {
    guard let last = items.last, let index = list.index(of: last.id) else { return true }
    let positions = (items + list.elements(in: index + 1..<min(index + 2, list.count)))
      .map(\.position)
    return zip(positions, positions.dropFirst()).allSatisfy(<)
  }

  /// Returns the page of a changed list that ends at the same position.
  ///
  /// - Parameter keepingEnd: Whether the page keeps its end also if nothing is left behind it, because the next page may
  ///   still come. Otherwise it ends the list then.
  /// - Complexity: O(*m* + log *n*), where *n* is the number of items of the list and *m* that of the page.
  func showing(_ list: KeyedSequence<Item>, keepingEnd: Bool) -> Page {
    let count = end.map(list.count(upTo:)) ?? list.count
    return Page(
      items: list.elements(in: 0..<count), end: keepingEnd || count < list.count ? end : nil)
  }
}

/// A request for a page of a long list.
public enum PageRequest<Position: Hashable & Sendable>: Hashable, Sendable {
  /// The first page, which replaces the pages that are shown.
  case first
  /// The page that begins after this position, at which the shown pages end.
  case after(Position)
}

extension PageRequest: Codable where Position: Codable {}

extension KeyedSequence where Element: Pageable {
  /// Returns the number of items up to a position, the item at the position included.
  fileprivate func count(upTo position: Element.Position) -> Int {
    partitioningIndex { $0.position > position }
  }
}
