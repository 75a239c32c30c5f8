public import CanonicalJSON
import Snapshots
public import ViewState

/// An item of a catalog.
public struct CatalogItem: Hashable, Sendable {
  /// Unique among all items of the catalog, whatever their section.
  public let id: ResourceID
  /// How clients show the item.
  public var type = Kind.plain
  public var title: Text
  /// A line beneath the title.
  public var detail: Text?
  /// A word that makes the item stand out.
  public var badge: Text?

  /// How an item is shown; the raw value is the type of its row.
  public enum Kind: Text, CaseIterable, FieldValue {
    case plain = "catalogItem"
    case feature = "catalogFeature"

    public static let valueType = ValueType<Kind>.choice(named: { $0.rawValue.string })
  }
}

extension CatalogItem: Resource {
  public static let summary = "An item; without `type` it is a `catalogItem`."
  public static let refusesUnknownMembers = true

  /// The members that the row of an item shows.
  static let shownFields = [
    Field("title", \CatalogItem.title, .shownText),
    Field("detail", \.detail, ValueType.shownText.optional),
    Field("badge", \.badge, ValueType.shownText.optional),
  ]

  public static let fields =
    [Field("type", \CatalogItem.type, Kind.valueType.defaulting(to: .plain))] + shownFields

  public init(id: ResourceID) { self.init(id: id, title: "") }

  /// The row that shows the item, under the id of the item.
  var row: Row { type.rowType.row(id.text, self) }
}

extension Row {
  /// The item that the row shows, as a document.
  var item: JSONValue {
    var members = fields
    members["action"] = nil
    members["id"] = .string(id)
    members["type"] = .string(type)
    return .object(members)
  }
}

/// A section of a catalog with its items, as clients write it.
public struct CatalogSection: Hashable, Sendable {
  /// Unique among the sections of the catalog.
  public let id: ResourceID
  public var title: Text?
  public var items: [CatalogItem] = []
}

extension CatalogSection: Resource {
  public static let summary = "A section with its items."
  public static let refusesUnknownMembers = true

  public static let fields = [
    Field("title", \CatalogSection.title, ValueType.shownText.optional),
    Field("items", \.items, .list(of: .element, atMost: nil).defaulting(to: [])),
  ]

  public init(id: ResourceID) { self.init(id: id, title: nil) }

  /// The section of the view model, under the id of the section.
  var shown: Section {
    Section(
      id: id.text, fields: title.map { ["title": .string($0)] } ?? [:], rows: items.map(\.row))
  }
}

/// New content for some members of an item; the others stay as they are.
public struct CatalogItemPatch: Hashable, Sendable {
  /// The item.
  public let id: ResourceID
  /// The members with their new values; null removes a detail or a badge.
  private let changes: [Text: JSONValue]

  /// Reads a patch: an item of which all but the id may be left out.
  ///
  /// - Throws: `JSONShapeError` for unknown members, an invalid one, and null for a type or a title.
  public init(_ body: JSONReader) throws(JSONShapeError) {
    id = try ResourceID(body.member("id"))
    changes = try body.omitting("id").object()
    if let type = try body.optionalMember("type") { _ = try CatalogItem.Kind.valueType.read(type) }
    if let title = try body.optionalMember("title") { _ = try ValueType.shownText.read(title) }
    let whole = JSONValue.object(["title": "T"]).mergePatched(with: body.value)
    _ = try CatalogItem(JSONReader(whole, pointer: body.pointer))
  }

  /// Returns the row of the item with the new content.
  ///
  /// - Parameter row: The row of the item; if there is none, the result has a type and an id alone, for the
  ///   operation that is refused then.
  func applied(to row: Row?) -> Row {
    let present = row?.item ?? CatalogItem(id: id).json
    let item = try? CatalogItem(JSONReader(present.mergePatched(with: .object(changes))))
    return item?.row ?? Row(id: id.text, type: CatalogItem.Kind.plain.rawValue)
  }
}

extension CatalogItemPatch: FieldValue {
  public static let valueType = ValueType<CatalogItemPatch>(
    schema: ValueType<CatalogItem>.element.inputSchema.mergePatched(with: [
      "required": ["id"],
      "description": "New content for an item; null removes a detail or a badge.",
      "properties": [
        "title": CatalogItem.shownFields[0].schema, "type": CatalogItem.fields[0].schema,
      ],
    ]),
    read: { (json) throws(JSONShapeError) in try CatalogItemPatch(json) },
    write: { .object($0.changes.merging(["id": $0.id.json]) { $1 }) })
}
