public import CanonicalJSON
import Snapshots
public import ViewState

/// An item of a catalog.
public struct CatalogItem: Hashable, Sendable {
  /// The id, unique among all items of the catalog.
  public let id: ResourceID
  /// The kind, by which clients choose how to show the item.
  public var type = Kind.plain
  public var title: Text
  /// A line beneath the title.
  public var detail: Text?
  /// A word that makes the item stand out.
  public var badge: Text?
  /// Whether the items below it are loaded when a client expands it, and shown only then.
  public var loadsChildren = false
  /// The items below it, in a body.
  public var children: [CatalogItem] = []
  /// Whether the items below it are shown.
  public var isExpanded = false
  /// How many items are above it, in a row.
  var level = 0
  /// Whether there are items below it, in a row.
  var hasChildren = false

  /// The kind of an item; the raw value is the type of its row.
  public enum Kind: Text, CaseIterable, FieldValue {
    case plain = "catalogItem"
    case feature = "catalogFeature"

    public static let valueType = ValueType<Kind>.choice()
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
    Field(
      "loadsChildren", \.loadsChildren,
      flag(
        "Whether the items below it are still to be loaded, as soon as a client expands it; absent if not."
      )),
  ]

  /// The members of an item without its place among the others.
  static let contentFields =
    [Field("type", \CatalogItem.type, Kind.valueType.defaulting(to: .plain))] + shownFields

  public static let fields =
    contentFields + [
      Field("children", \CatalogItem.children, childrenType),
      Field(
        "isExpanded", \.isExpanded,
        flag(
          """
          Whether the items below it are shown; absent if not, or if there are none. While they are still to be \
          loaded it is ignored.
          """)),
    ]

  /// The members of a row beside those of an item.
  static let placeFields = [
    Field<CatalogItem>("level", "The number of items above it; absent on the first level.") {
      $0.level == 0 ? nil : $0.level
    },
    Field<CatalogItem>(
      "isExpanded",
      "Whether the items below it are shown; absent if there are none, and none are to be loaded."
    ) { $0.canExpand ? $0.isExpanded : nil },
  ]

  private static let childrenType = ValueType<[CatalogItem]>(
    schema: [
      "type": "array", "items": ["$ref": "#/components/schemas/CatalogItem"],
      "description": "The items below it; absent if there are none.",
    ],
    input: ["type": "array", "items": ["$ref": "#/components/schemas/CatalogItemInput"]],
    absent: [],
    read: { (json) throws(JSONShapeError) in
      var children: [CatalogItem] = []
      for element in try json.elements() { children.append(try CatalogItem(element)) }
      return children
    }, write: { $0.isEmpty ? nil : .array($0.map(\.json)) })

  private static func flag(_ description: String) -> ValueType<Bool> {
    ValueType(
      schema: ["type": "boolean", "description": .string(Text(description))],
      input: ["type": "boolean"], absent: false,
      read: { (json) throws(JSONShapeError) in try json.bool() }, write: { $0 ? .bool(true) : nil })
  }

  public init(id: ResourceID) { self.init(id: id, title: "") }

  /// Whether there are items below it, or some are still to be loaded.
  var canExpand: Bool { hasChildren || loadsChildren }

  /// Returns the row that shows the item, under the id of the item.
  func row(in language: Language) -> Row { type.rowType(in: language).row(id.text, self) }
}

extension Row {
  /// Whether the items below the item are still to be loaded.
  var loadsChildren: Bool { fields["loadsChildren"] == true }

  /// The item that the row shows, as a document.
  var item: JSONValue {
    var members = fields
    for name: Text in ["action", "level", "isExpanded"] { members[name] = nil }
    members["id"] = .string(id)
    members["type"] = .string(type)
    return .object(members)
  }
}

/// A section of a catalog with its items, as clients write it.
public struct CatalogSection: Hashable, Sendable {
  /// The id, unique among the sections of the catalog.
  public let id: ResourceID
  public var title: Text?
  public var items: [CatalogItem] = []
}

/// The place to which items are appended.
public enum CatalogTarget: Hashable, Sendable {
  /// A section, on the first level.
  case section(ResourceID)
  /// An item, below it.
  case item(ResourceID)
}

extension CatalogSection: Resource {
  public static let summary = "A section with its items."
  public static let refusesUnknownMembers = true

  public static let fields = [
    Field("title", \CatalogSection.title, ValueType.shownText.optional),
    Field("items", \.items, .list(of: .element, atMost: nil).defaulting(to: [])),
  ]

  public init(id: ResourceID) { self.init(id: id, title: nil) }
}

/// New content for some members of an item; the others stay as they are.
public struct CatalogItemPatch: Hashable, Sendable {
  /// The item.
  public let id: ResourceID
  /// The members with their new values; null removes a detail or a badge.
  private let changes: [Text: JSONValue]

  // Once, because a batch may have thousands of patches.
  private static let members: Set<Text> = Set(CatalogItem.contentFields.map(\.name) + ["id"])

  /// Reads a patch: an item of which all but the id may be left out.
  ///
  /// - Throws: `JSONShapeError` for unknown members, an invalid one, and null for a type or a title.
  public init(_ body: JSONReader) throws(JSONShapeError) {
    id = try ResourceID(body.member("id"))
    changes = try body.omitting("id").object()
    try body.rejectUnknownMembers(allowed: Self.members)
    if let type = try body.optionalMember("type") { _ = try CatalogItem.Kind.valueType.read(type) }
    if let title = try body.optionalMember("title") { _ = try ValueType.shownText.read(title) }
    let whole = JSONValue.object(["title": "T"]).mergePatched(with: body.value)
    _ = try CatalogItem(JSONReader(whole, pointer: body.pointer))
  }

  /// Returns the row of the item with the new content.
  ///
  /// - Parameters:
  ///   - row: The row of the item; if there is none, the result has a type and an id alone, for the operation
  ///     that is refused then.
  ///   - language: The language of the catalog.
  func applied(to row: Row?, in language: Language) -> Row {
    let present = row?.item ?? CatalogItem(id: id).json
    let item = try? CatalogItem(JSONReader(present.mergePatched(with: .object(changes))))
    return item?.row(in: language) ?? Row(id: id.text, type: CatalogItem.Kind.plain.rawValue)
  }
}

extension CatalogItemPatch: FieldValue {
  public static let valueType = ValueType<CatalogItemPatch>(
    schema: ValueType<CatalogItem>.element.inputSchema.mergePatched(with: [
      "required": ["id"],
      "description": "New content for an item; null removes a detail or a badge.",
      "properties": [
        "children": nil, "isExpanded": nil,
        "title": CatalogItem.shownFields[0].schema, "type": CatalogItem.fields[0].schema,
      ],
    ]),
    read: { (json) throws(JSONShapeError) in try CatalogItemPatch(json) },
    write: { .object($0.changes.merging(["id": $0.id.json]) { $1 }) })
}
