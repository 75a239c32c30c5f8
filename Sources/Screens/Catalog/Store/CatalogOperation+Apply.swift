import CanonicalJSON
import Snapshots
import ViewState

extension CatalogOperation {
  /// Applies the operation to the sections and items of a catalog.
  ///
  /// - Returns: The number of ids that were ignored.
  /// - Throws: An error with the place of the fault in the operation; nothing has changed then.
  func apply(to content: inout CatalogContent) throws(JSONShapeError) -> Int {
    if case .reloadItems(let items) = self,
      let index = items.firstIndex(where: { !$0.children.isEmpty || $0.isExpanded })
    {
      let member: Text = items[index].children.isEmpty ? "isExpanded" : "children"
      throw JSONShapeError(
        ["items", "\(index)", member],
        "a reload keeps the items below: use appendItems, deleteItems or expandItems")
    }
    do throws(SnapshotOperationError) {
      return try perform(on: &content)
    } catch {
      throw JSONShapeError(place(of: error), "\(error)")
    }
  }

  private func perform(on content: inout CatalogContent) throws(SnapshotOperationError) -> Int {
    switch self {
    case .appendSections(let sections):
      try content.put(sections) { (shown, sections) throws(SnapshotOperationError) in
        try shown.appendSections(sections)
      }
    case .insertSections(let sections, let place):
      try content.put(sections) { (shown, sections) throws(SnapshotOperationError) in
        switch place {
        case .before(let anchor):
          try shown.insertSections(sections, beforeSection: anchor.text)
        case .after(let anchor): try shown.insertSections(sections, afterSection: anchor.text)
        }
      }
    case .deleteSections(let ids): return content.deleteSections(ids)
    case .moveSection(let id, let place): try content.moveSection(id.text, place)
    case .reloadSections(let sections):
      try content.put(sections, isReload: true) {
        (shown, sections) throws(SnapshotOperationError) in
        try shown.reloadSections(sections)
      }
    case .nameSection(let id, let title): try content.nameSection(id.text, title)
    case .appendItems(let items, let target): try content.append(items, to: target)
    case .insertItems(let items, let place): try content.insert(items, place)
    case .deleteItems(let ids): return content.delete(ids)
    case .deleteAllItems: content.deleteAllItems()
    case .moveItem(let id, let place): try content.move(id.text, place)
    case .reloadItems(let items):
      let rows = items.map { $0.row(in: content.language) }
      let sections = content.search(rows.map(\.id))
      try content.replace(rows, in: sections, isReload: true)
    case .reconfigureItems(let patches):
      // Once for all, because a look-up of a hidden item reads all outlines.
      let sections = content.search(patches.map(\.id.text))
      let items = content.items(patches.map(\.id.text), in: sections)
      try content.replace(
        patches.map { $0.applied(to: items[$0.id.text], in: content.language) }, in: sections,
        isReload: false)
    case .expandItems(let ids): try content.fold(ids.map(\.text), isExpanded: true)
    case .collapseItems(let ids): try content.fold(ids.map(\.text), isExpanded: false)
    }
    return 0
  }
}

/// The places of errors.
extension CatalogOperation {
  /// Returns the place of the member at fault, from the operation on.
  private func place(of error: SnapshotOperationError) -> [Text] {
    switch error {
    case .unknownSections(let ids), .unknownItems(let ids): unknownPlace(Self.ids(ids))
    case .invalid(let error): duplicatePlace(error)
    case .noSection: ["section"]
    case .ownAnchor, .anchorBelow: anchorPlace
    case .changedTypes(let ids): elementPlace(of: Self.ids(ids), "type")
    }
  }

  /// Returns the place of the anchor, the section, or the element to move or change that is missing.
  private func unknownPlace(_ ids: Set<ResourceID>) -> [Text] {
    switch self {
    case .moveSection(let id, _), .moveItem(let id, _):
      ids.contains(id) ? ["id"] : anchorPlace
    case .insertSections, .insertItems: anchorPlace
    case .appendItems(_, .item?): ["to"]
    case .nameSection: ["section"]
    case .appendItems: ["section"]
    case .expandItems(let own), .collapseItems(let own):
      own.firstIndex { ids.contains($0) }.map { ["ids", "\($0)"] } ?? []
    case .reloadSections, .reloadItems, .reconfigureItems: elementPlace(of: ids, "id")
    case .appendSections, .deleteSections, .deleteItems, .deleteAllItems: []
    }
  }

  /// Returns the place of a member of the first element with one of some ids.
  private func elementPlace(of ids: Set<ResourceID>, _ member: Text) -> [Text] {
    namedElements.first { ids.contains($0.id) }.map { $0.place + [member] } ?? []
  }

  /// Returns the place of the first element whose id an element before it has, in the operation or else in
  /// the catalog.
  private func duplicatePlace(_ error: SnapshotError) -> [Text] {
    let sections = Self.ids(error.duplicateSectionIDs)
    let items = Self.ids(error.duplicateRowIDs)
    let suspects = namedElements.filter { ($0.isSection ? sections : items).contains($0.id) }
    var (seenSections, seenItems): (Set<ResourceID>, Set<ResourceID>) = ([], [])
    let repeated = suspects.first { element in
      element.isSection
        ? !seenSections.insert(element.id).inserted : !seenItems.insert(element.id).inserted
    }
    return (repeated ?? suspects.first).map { $0.place + ["id"] } ?? []
  }

  private var anchorPlace: [Text] {
    switch self {
    case .insertSections(_, let place), .moveSection(_, let place), .insertItems(_, let place),
      .moveItem(_, let place):
      switch place {
      case .before: ["before"]
      case .after: ["after"]
      }
    case .appendSections, .deleteSections, .reloadSections, .nameSection, .appendItems,
      .deleteItems, .deleteAllItems, .reloadItems, .reconfigureItems, .expandItems, .collapseItems:
      []
    }
  }

  private typealias Element = (place: [Text], id: ResourceID, isSection: Bool)

  /// The sections and items of the operation in their order.
  private var namedElements: [Element] {
    switch self {
    case .appendSections(let sections), .insertSections(let sections, _),
      .reloadSections(let sections):
      sections.enumerated().flatMap { index, section in
        let place: [Text] = ["sections", "\(index)"]
        return [(place, section.id, true)] + Self.elements(section.items, in: place)
      }
    case .appendItems(let items, _), .insertItems(let items, _), .reloadItems(let items):
      Self.elements(items, in: [])
    case .reconfigureItems(let patches):
      patches.enumerated().map { (["items", "\($0)"], $1.id, false) }
    case .deleteSections, .moveSection, .nameSection, .deleteItems, .deleteAllItems, .moveItem,
      .expandItems, .collapseItems:
      []
    }
  }

  private static func elements(
    _ items: [CatalogItem], in place: [Text], under name: Text = "items"
  ) -> [Element] {
    items.enumerated().flatMap { index, item -> [Element] in
      let place = place + [name, "\(index)"]
      return [(place, item.id, false)] + elements(item.children, in: place, under: "children")
    }
  }

  private static func ids(_ texts: [Text]) -> Set<ResourceID> {
    Set(texts.map { ResourceID(named: $0) })
  }
}
