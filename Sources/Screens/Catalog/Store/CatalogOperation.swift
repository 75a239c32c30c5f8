public import CanonicalJSON
import Snapshots
public import ViewState

/// What can be done to the sections and items of a catalog, by the names that a diffable data
/// source's snapshot has for it. A place is named by the id of a neighbour, never by a number.
public enum CatalogOperation: Hashable, Sendable {
  /// Adds sections at the end.
  case appendSections([CatalogSection])
  case insertSections([CatalogSection], Placement)
  /// Deletes sections with their items; ids that are not there are ignored.
  case deleteSections([ResourceID])
  case moveSection(ResourceID, Placement)
  /// Replaces sections, their titles and items, by those of the same ids.
  case reloadSections([CatalogSection])
  /// Adds items at the end of a section, or of the last one.
  case appendItems([CatalogItem], toSection: ResourceID?)
  case insertItems([CatalogItem], Placement)
  /// Deletes items; ids that are not there are ignored.
  case deleteItems([ResourceID])
  /// Deletes all items; the sections stay.
  case deleteAllItems
  /// Moves an item beside another one, perhaps of another section.
  case moveItem(ResourceID, Placement)
  /// Replaces items whole by those of the same ids, which may be of another type: with another type
  /// it is a delete and an insert for clients, else an update.
  case reloadItems([CatalogItem])
  /// Gives items new content for the members named; the type stays.
  case reconfigureItems([CatalogItemPatch])
}

/// How clients write operations.
extension CatalogOperation: FieldValue {
  public static let valueType = ValueType.variants("operation", variants, write: \.json)

  /// The names by which clients call the operations.
  static var names: [Text] { variants.map(\.name) }

  private static let variants: [Variant<CatalogOperation>] = {
    let sections = Argument("sections", .list(of: CatalogSection.valueType, atMost: nil))
    let items = Argument("items", .list(of: CatalogItem.valueType, atMost: nil))
    let patches = Argument("items", .list(of: CatalogItemPatch.valueType, atMost: nil))
    let ids = Argument("ids", .list(of: ResourceID.valueType, atMost: nil))
    return [
      Variant("appendSections", sections) { .appendSections($0) },
      Variant("insertSections", sections, .place) { .insertSections($0, $1) },
      Variant("deleteSections", ids) { .deleteSections($0) },
      Variant("moveSection", .id("id"), .place) { .moveSection($0, $1) },
      Variant("reloadSections", sections) { .reloadSections($0) },
      Variant("appendItems", items, .optional(.id("section"))) {
        .appendItems($0, toSection: $1)
      },
      Variant("insertItems", items, .place) { .insertItems($0, $1) },
      Variant("deleteItems", ids) { .deleteItems($0) },
      Variant("deleteAllItems") { .deleteAllItems },
      Variant("moveItem", .id("id"), .place) { .moveItem($0, $1) },
      Variant("reloadItems", items) { .reloadItems($0) },
      Variant("reconfigureItems", patches) { .reconfigureItems($0) },
    ]
  }()

  /// The name by which clients call the operation.
  var name: Text { written.name }

  private var json: JSONValue {
    let (name, members) = written
    return .object(members.merging(["operation": .string(name)]) { $1 })
  }

  private var written: (name: Text, members: [Text: JSONValue]) {
    func list<Value: FieldValue>(_ values: [Value]) -> JSONValue {
      .array(values.compactMap(Value.valueType.write))
    }
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
    case .appendItems(let items, let section?):
      ("appendItems", ["items": list(items), "section": section.json])
    case .appendItems(let items, nil): ("appendItems", ["items": list(items)])
    case .insertItems(let items, let place): ("insertItems", at(place, ["items": list(items)]))
    case .deleteItems(let ids): ("deleteItems", ["ids": list(ids)])
    case .deleteAllItems: ("deleteAllItems", [:])
    case .moveItem(let id, let place): ("moveItem", at(place, ["id": id.json]))
    case .reloadItems(let items): ("reloadItems", ["items": list(items)])
    case .reconfigureItems(let patches): ("reconfigureItems", ["items": list(patches)])
    }
  }
}

/// As clients write it.
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
  /// - Returns: the number of ids that were ignored.
  /// - Throws: `CatalogFault`; nothing has changed then.
  func apply(to content: inout Snapshot) throws(CatalogFault) -> Int {
    do throws(SnapshotOperationError) {
      return try perform(on: &content)
    } catch {
      throw CatalogFault(place(of: error), "\(error)")
    }
  }

  private func perform(on content: inout Snapshot) throws(SnapshotOperationError) -> Int {
    switch self {
    case .appendSections(let sections):
      try content.appendSections(sections.map(\.shown))
    case .insertSections(let sections, .before(let anchor)):
      try content.insertSections(sections.map(\.shown), beforeSection: anchor.text)
    case .insertSections(let sections, .after(let anchor)):
      try content.insertSections(sections.map(\.shown), afterSection: anchor.text)
    case .deleteSections(let ids):
      return content.deleteSections(ids.map(\.text))
    case .moveSection(let id, .before(let anchor)):
      try content.moveSection(id.text, beforeSection: anchor.text)
    case .moveSection(let id, .after(let anchor)):
      try content.moveSection(id.text, afterSection: anchor.text)
    case .reloadSections(let sections):
      try content.reloadSections(sections.map(\.shown))
    case .appendItems(let items, let section):
      try content.appendItems(items.map(\.row), toSection: section?.text)
    case .insertItems(let items, .before(let anchor)):
      try content.insertItems(items.map(\.row), beforeItem: anchor.text)
    case .insertItems(let items, .after(let anchor)):
      try content.insertItems(items.map(\.row), afterItem: anchor.text)
    case .deleteItems(let ids):
      return content.deleteItems(ids.map(\.text))
    case .deleteAllItems:
      content.deleteAllItems()
    case .moveItem(let id, .before(let anchor)):
      try content.moveItem(id.text, beforeItem: anchor.text)
    case .moveItem(let id, .after(let anchor)):
      try content.moveItem(id.text, afterItem: anchor.text)
    case .reloadItems(let items):
      try content.reloadItems(items.map(\.row))
    case .reconfigureItems(let patches):
      let rows = patches.map { patch in
        patch.applied(to: content.path(ofRow: patch.id.text).map { content[$0] })
      }
      try content.reconfigureItems(rows)
    }
    return 0
  }
}
