import CanonicalJSON
import Snapshots
import ViewState

/// Queries.
extension CatalogContent {
  /// The number of items, also of those that are hidden.
  var numberOfItems: Int {
    outlines.reduce(shown.numberOfItems) { count, outline in
      count + outline.value.entries.count - (shown.numberOfItems(inSection: outline.key) ?? 0)
    }
  }

  /// What a search for ids among all items in sections with levels counts as reading: it takes a quarter of the time
  /// that a change of the sections takes.
  var searchCount: Int { outlines.values.reduce(0) { $0 + $1.entries.count } / 4 }

  /// The largest number of items above one.
  var depth: Int { outlines.values.lazy.flatMap(\.entries).map(\.level).max() ?? 0 }

  /// Returns the items of a section; `nil` if there is no such section.
  func outline(of section: Text) -> SectionSnapshot? {
    outlines[section]
      ?? shown.index(ofSection: section).map { SectionSnapshot(shown.sections[$0].rows) }
  }

  /// Returns the section of an item, shown or not.
  func section(of item: Text) -> Text? { sections(of: [item])[item] }

  /// Returns the sections of items, shown or not, by the ids of the items.
  ///
  /// - Complexity: O(*k* log *n* + *m*) expected, where *n* is the number of items, *k* that of the ids and *m*
  ///   that of the items in sections with levels.
  func sections(of ids: [Text]) -> [Text: Text] {
    var copy = self
    return copy.search(ids)
  }

  /// Returns the sections of items as ``sections(of:)`` does, and counts the search for those that are not shown.
  mutating func search(_ ids: [Text]) -> [Text: Text] {
    var sections: [Text: Text] = [:]
    var hidden: Set<Text> = []
    for id in ids {
      sections[id] = shown.sectionIdentifier(containingItem: id)
      if sections[id] == nil { hidden.insert(id) }
    }
    if hidden.isEmpty { return sections }
    readItemCount += searchCount
    for (section, outline) in outlines {
      for entry in outline.entries where hidden.contains(entry.item.id) {
        sections[entry.item.id] = section
      }
    }
    return sections
  }

  /// Returns an item as it is on its own; `nil` if there is none.
  func item(_ id: Text) -> Row? { items([id])[id] }

  /// Returns items as they are on their own, by their ids; none for an id that no item has.
  func items(_ ids: [Text]) -> [Text: Row] { items(ids, in: sections(of: ids)) }

  /// Returns items as they are on their own, by their ids, from their sections.
  func items(_ ids: [Text], in sections: [Text: Text]) -> [Text: Row] {
    var items: [Text: Row] = [:]
    for (section, ids) in Dictionary(grouping: ids, by: { sections[$0] }) {
      if let outline = section.flatMap({ outlines[$0] }) {
        items.merge(outline.entries(of: ids).mapValues(\.item)) { $1 }
      } else {
        for id in ids { items[id] = shown.path(ofRow: id).map { shown[$0] } }
      }
    }
    return items
  }

  /// The sections with all their items, as documents.
  var document: JSONValue {
    .array(
      shown.sections.map { section in
        var members = section.fields
        members["id"] = .string(section.id)
        members["items"] = .array(
          outlines[section.id].map(\.document) ?? section.rows.map(\.item))
        return .object(members)
      })
  }
}

extension SectionSnapshot {
  /// The items, each with those below it.
  fileprivate var document: [JSONValue] {
    // From the end, so that the items below one are known before it. The lists are in reverse order.
    var lists: [[JSONValue]] = [[]]
    for entry in entries.reversed() {
      while lists.count <= entry.level + 1 { lists.append([]) }
      let children = lists[entry.level + 1].reversed()
      lists[entry.level + 1] = []
      guard case .object(var members) = entry.item.item else { continue }
      if !children.isEmpty { members["children"] = .array(Array(children)) }
      if entry.isExpanded { members["isExpanded"] = true }
      lists[entry.level].append(.object(members))
    }
    return lists[0].reversed()
  }
}
