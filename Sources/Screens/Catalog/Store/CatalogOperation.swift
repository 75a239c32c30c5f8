public import CanonicalJSON
import Snapshots
public import ViewState

/// A change of the sections and items of a catalog, by the name of the operation on a snapshot of a
/// diffable data source. A place is named by the id of a neighbour, never by a number.
public enum CatalogOperation: Hashable, Sendable {
  /// Adds sections at the end.
  case appendSections([CatalogSection])
  case insertSections([CatalogSection], Placement)
  /// Deletes sections with their items; ids that are not there are ignored.
  case deleteSections([ResourceID])
  case moveSection(ResourceID, Placement)
  /// Replaces sections, their titles and items, by those of the same ids, and has clients draw them again.
  case reloadSections([CatalogSection])
  /// Gives a section another title, or none; its items stay.
  case nameSection(ResourceID, Text?)
  /// Adds items at the end of a section, of the last one, or below an item.
  case appendItems([CatalogItem], to: CatalogTarget?)
  case insertItems([CatalogItem], Placement)
  /// Deletes items with those below them; ids that are not there are ignored.
  case deleteItems([ResourceID])
  /// Deletes all items; the sections stay.
  case deleteAllItems
  /// Moves an item with those below it beside another one, perhaps of another section.
  case moveItem(ResourceID, Placement)
  /// Replaces items whole by those of the same ids, which may have another type, and has clients draw them again.
  case reloadItems([CatalogItem])
  /// Gives items new content for the members named; the type stays.
  case reconfigureItems([CatalogItemPatch])
  /// Shows the items below some items, as they were shown last.
  case expandItems([ResourceID])
  /// Hides all items below some items.
  case collapseItems([ResourceID])
}

extension CatalogOperation: FieldValue {
  public static let valueType = ValueType.variants("operation", variants, write: \.json)

  /// The names by which clients call the operations.
  static var names: [Text] { variants.map(\.name) }

  private static let variants: [Variant<CatalogOperation>] = {
    // Longer lists would be read whole before the limits of the store refuse them, while other inputs wait.
    let (most, mostSections) = (CatalogLimits().itemsPerCatalog, CatalogLimits().sectionsPerCatalog)
    let sections = Argument<[CatalogSection]>(
      "sections", .list(of: .element, atMost: mostSections))
    let items = Argument<[CatalogItem]>("items", .list(of: .element, atMost: most))
    let patches = Argument("items", .list(of: CatalogItemPatch.valueType, atMost: most))
    let ids = Argument("ids", .list(of: ResourceID.valueType, atMost: most))
    let target = Argument<CatalogTarget>.either(
      "section",
      ResourceID.valueType.map(
        "", read: { .section($0) }, write: { if case .section(let id) = $0 { id } else { nil } }),
      or: "to",
      ResourceID.valueType.map(
        "", read: { .item($0) }, write: { if case .item(let id) = $0 { id } else { nil } }))
    return [
      Variant("appendSections", sections) { .appendSections($0) }
        .described("Adds sections at the end."),
      Variant("insertSections", sections, .place) { .insertSections($0, $1) }
        .described("Adds sections beside another one."),
      Variant("deleteSections", ids) { .deleteSections($0) }
        .described(
          "Deletes sections with their items. Ids that are not there are ignored and counted."),
      Variant("moveSection", .id("id"), .place) { .moveSection($0, $1) }
        .described("Moves a section beside another one."),
      Variant("reloadSections", sections) { .reloadSections($0) }
        .described(
          """
          Replaces sections, their titles and items, by those of the same ids. Clients draw them again, even if \
          they are equal: they are in `reloads` of the diff.
          """),
      Variant("renameSection", .id("section"), Argument("title", .shownText)) {
        .nameSection($0, $1)
      }.described("Gives a section another title."),
      Variant("clearTitle", .id("section")) { .nameSection($0, nil) }
        .described("Takes the title of a section away."),
      Variant("appendItems", items, .optional(target)) {
        .appendItems($0, to: $1)
      }.described(
        """
        Adds items at the end of a section, the last one by default, or with `to` below an item, as the last \
        ones there. An item is collapsed until it is expanded.
        """),
      Variant("insertItems", items, .place) { .insertItems($0, $1) }
        .described("Adds items beside another one, below the same item."),
      Variant("deleteItems", ids) { .deleteItems($0) }
        .described(
          """
          Deletes items with those below them. Ids that are not there, or no longer, are ignored and counted.
          """),
      Variant("deleteAllItems") { .deleteAllItems }
        .described("Deletes all items; the sections stay."),
      Variant("moveItem", .id("id"), .place) { .moveItem($0, $1) }
        .described(
          """
          Moves an item with those below it beside another one, of any section and on its level, but not \
          beside one of those.
          """),
      Variant("reloadItems", items) { .reloadItems($0) }
        .described(
          """
          Replaces items whole: members left out are gone, and a `type` left out is `catalogItem`. Under \
          one type clients get an update of what differs and draw the row again, even if it is equal: it is in \
          `reloads` of the diff. Another type is a delete and an insert under the same id. The items below \
          stay: an item here has no `children` and is not `isExpanded`.
          """),
      Variant("reconfigureItems", patches) { .reconfigureItems($0) }
        .described(
          """
          Changes the members given and keeps the others; a `null` removes a detail or a badge. Clients keep \
          the view of the row. Another `type` is refused: that is for `reloadItems`.
          """),
      Variant("expandItems", ids) { .expandItems($0) }
        .described(
          """
          Shows the items below some items, each as it was shown last. If they are still to be loaded, a load \
          starts, and they are shown at its end. An item without any stays as it is.
          """),
      Variant("collapseItems", ids) { .collapseItems($0) }
        .described(
          """
          Hides all items below some items. Each of these remembers whether it is expanded itself. Their loads \
          end.
          """),
    ]
  }()

  /// The name by which clients call the operation.
  var name: Text { written.name }

  private var json: JSONValue {
    let (name, members) = written
    return .object(members.merging(["operation": .string(name)]) { $1 })
  }

  private var written: (name: Text, members: [Text: JSONValue]) {
    func list<Value>(_ values: [Value], of type: ValueType<Value>) -> JSONValue {
      .array(values.compactMap(type.write))
    }
    func list(_ sections: [CatalogSection]) -> JSONValue { list(sections, of: .element) }
    func list(_ items: [CatalogItem]) -> JSONValue { list(items, of: .element) }
    func list(_ ids: [ResourceID]) -> JSONValue { list(ids, of: ResourceID.valueType) }
    func at(_ place: Placement, _ members: [Text: JSONValue]) -> [Text: JSONValue] {
      members.merging([place.argument: place.anchor.json]) { $1 }
    }
    return switch self {
    case .appendSections(let sections): ("appendSections", ["sections": list(sections)])
    case .insertSections(let sections, let place):
      ("insertSections", at(place, ["sections": list(sections)]))
    case .deleteSections(let ids): ("deleteSections", ["ids": list(ids)])
    case .moveSection(let id, let place): ("moveSection", at(place, ["id": id.json]))
    case .reloadSections(let sections): ("reloadSections", ["sections": list(sections)])
    case .nameSection(let id, let title?):
      ("renameSection", ["section": id.json, "title": .string(title)])
    case .nameSection(let id, nil): ("clearTitle", ["section": id.json])
    case .appendItems(let items, .section(let id)?):
      ("appendItems", ["items": list(items), "section": id.json])
    case .appendItems(let items, .item(let id)?):
      ("appendItems", ["items": list(items), "to": id.json])
    case .appendItems(let items, nil): ("appendItems", ["items": list(items)])
    case .insertItems(let items, let place): ("insertItems", at(place, ["items": list(items)]))
    case .deleteItems(let ids): ("deleteItems", ["ids": list(ids)])
    case .deleteAllItems: ("deleteAllItems", [:])
    case .moveItem(let id, let place): ("moveItem", at(place, ["id": id.json]))
    case .reloadItems(let items): ("reloadItems", ["items": list(items)])
    case .reconfigureItems(let patches):
      ("reconfigureItems", ["items": list(patches, of: CatalogItemPatch.valueType)])
    case .expandItems(let ids): ("expandItems", ["ids": list(ids)])
    case .collapseItems(let ids): ("collapseItems", ["ids": list(ids)])
    }
  }
}

/// As clients write an operation.
extension CatalogOperation: Codable {
  public init(_ reader: JSONReader) throws(JSONShapeError) {
    self = try Self.valueType.read(reader)
  }

  public init(from decoder: any Decoder) throws { try self.init(JSONReader(from: decoder)) }

  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

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
    case .duplicates(let error): duplicatePlace(error)
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
