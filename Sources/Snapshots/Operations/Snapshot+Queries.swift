public import CanonicalJSON

/// Queries named like those of `NSDiffableDataSourceSnapshot`: an item is a row.
extension Snapshot {
  /// The number of items in all sections.
  public var numberOfItems: Int { rowCount }

  /// The number of sections.
  public var numberOfSections: Int { sections.count }

  /// The ids of the sections in order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of sections.
  public var sectionIdentifiers: [Text] { sections.map(\.id) }

  /// The ids of all items in order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of sections and items.
  public var itemIdentifiers: [Text] { sections.flatMap { $0.rows.lazy.map(\.id) } }

  /// Returns the number of items of a section, or `nil` if there is no such section.
  ///
  /// - Complexity: O(log *n*) expected, where *n* is the number of sections.
  public func numberOfItems(inSection id: Text) -> Int? {
    index(ofSection: id).map { sections[$0].rows.count }
  }

  /// Returns the ids of a section's items in order, or `nil` if there is no such section.
  ///
  /// - Complexity: O(log *n* + *k*) expected, where *n* is the number of sections and *k* the
  ///   number of the section's items.
  public func itemIdentifiers(inSection id: Text) -> [Text]? {
    index(ofSection: id).map { sections[$0].rows.map(\.id) }
  }

  /// Returns the id of the section of an item, or `nil` if there is no such item.
  ///
  /// - Complexity: O(log *n*) expected, where *n* is the number of sections and items.
  public func sectionIdentifier(containingItem id: Text) -> Text? {
    path(ofRow: id).map { sections[$0.section].id }
  }

  /// Returns the id of the item at a position, or `nil` if there is none. ``path(ofRow:)`` is the inverse.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of sections and items.
  public func itemIdentifier(at path: RowPath) -> Text? {
    guard sections.indices.contains(path.section) else { return nil }
    let rows = sections[path.section].rows
    return rows.indices.contains(path.row) ? rows[path.row].id : nil
  }

  /// Returns the index of an item among those of all sections, or `nil` if there is no such item.
  /// Its index in its section is in ``path(ofRow:)``.
  ///
  /// - Complexity: O(log *n*) expected, where *n* is the number of sections and items.
  public func index(ofItem id: Text) -> Int? {
    path(ofRow: id).map { sections.tree.measure(before: $0.section).rowCount + $0.row }
  }
}
