/// An item of a list that is too long to be loaded at once.
///
/// A page is named by the position that it comes behind, never by a number of items: so nothing is
/// left out and nothing comes twice where items come and go between two pages.
public protocol Pageable: Identifiable, Equatable, Sendable where ID: Sendable {
  associatedtype Position: Comparable & Hashable & Sendable

  /// Where the item stands among all others; no two items stand in one place.
  var position: Position { get }
}
