public import CanonicalJSON
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
