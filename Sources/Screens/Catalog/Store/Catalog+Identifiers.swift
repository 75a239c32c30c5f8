import Snapshots
public import ViewState

/// What can be asked about a catalog's sections and items without reading all of them.
extension Catalog {
  /// The ids of a part of the sections; `nil` where there is none that the part could begin behind.
  ///
  /// - Complexity: O(*m* log *n*), where *n* is the number of sections and *m* that of the part.
  public func sectionIdentifiers(_ range: CollectionRange) -> CollectionPart<ResourceID>? {
    var start = 0
    if let after = range.after {
      guard let place = content.index(ofSection: after.text) else { return nil }
      start = place + 1
    }
    let end = start + min(range.limit, content.sections.count - start)
    return CollectionPart(
      elements: content.sections[start..<end].map { ResourceID(named: $0.id) },
      hasMore: end < content.sections.count, version: version)
  }

  /// The ids of a part of the items; `nil` where there is none that the part could begin behind.
  ///
  /// - Parameter section: the index of the section whose items are meant; `nil` for those of all.
  /// - Complexity: O((*m* + *k*) log *n*), where *n* is the number of sections and items, *m* that of
  ///   the items of the part and *k* that of the sections in which they stand or could.
  public func itemIdentifiers(
    _ range: CollectionRange, inSection section: Int? = nil
  ) -> CollectionPart<ResourceID>? {
    let sections =
      section.map { $0..<$0 + 1 } ?? content.sections.startIndex..<content.sections.endIndex
    var (place, start) = (sections.lowerBound, 0)
    if let after = range.after {
      guard let path = content.path(ofRow: after.text), sections.contains(path.section) else {
        return nil
      }
      (place, start) = (path.section, path.row + 1)
    }
    var found: [ResourceID] = []
    while place < sections.upperBound {
      let rows = content.sections[place].rows
      for row in rows[start...] {
        // One more than is wanted says that there are more.
        if found.count == range.limit {
          return CollectionPart(elements: found, hasMore: true, version: version)
        }
        found.append(ResourceID(named: row.id))
      }
      (place, start) = (place + 1, 0)
    }
    return CollectionPart(elements: found, hasMore: false, version: version)
  }
}
