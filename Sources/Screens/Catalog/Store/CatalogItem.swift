public import CanonicalJSON
public import Snapshots
public import ViewState

/// An item of a catalog.
public struct CatalogItem: Hashable, Sendable {
  /// Unique among all items of the catalog, whatever their section.
  public let id: ResourceID
  /// How clients show it.
  public var type: Kind
  /// The name shown.
  public var title: Text
  /// A line beneath the title, where there is one.
  public var detail: Text?
  /// A word that makes the item stand out, where there is one.
  public var badge: Text?

  /// How an item is shown; the raw value is the type of its row.
  public enum Kind: Text, CaseIterable, Codable, Sendable {
    case plain = "catalogItem"
    case feature = "catalogFeature"
  }

  static let members: Set<Text> = ["id", "type", "title", "detail", "badge"]
}

extension CatalogItem {
  /// Reads an item; `detail` and `badge` may be left out, and so may `type`, which is `catalogItem`
  /// then.
  ///
  /// - Throws: `JSONShapeError` for unknown members, a wrong one, and texts out of their limits.
  public init(_ reader: JSONReader) throws(JSONShapeError) {
    try reader.object()
    try reader.rejectUnknownMembers(allowed: Self.members)
    id = try ResourceID(reader.member("id"))
    type = try reader.nullableMember("type")?.catalogKind() ?? .plain
    title = try reader.member("title").shownText()
    detail = try reader.nullableMember("detail")?.shownText()
    badge = try reader.nullableMember("badge")?.shownText()
  }

  /// The item that a row shows.
  public init(_ row: Row) {
    id = ResourceID(named: row.id)
    type = Kind(rawValue: row.type) ?? .plain
    title = row.text("title") ?? ""
    detail = row.text("detail")
    badge = row.text("badge")
  }

  /// The item as `init(_:)` reads it.
  public var json: JSONValue {
    var members: [Text: JSONValue] = ["title": .string(title)]
    members["id"] = .string(id.text)
    members["type"] = .string(type.rawValue)
    members["detail"] = detail.map(JSONValue.string)
    members["badge"] = badge.map(JSONValue.string)
    return .object(members)
  }

  /// The members that its row shows. What is left out is not there, so that its going is an `unset` of
  /// the row.
  static let content = [
    Field("title", \CatalogItem.title, .shownText),
    Field("detail", \CatalogItem.detail, ValueType.shownText.optional),
    Field("badge", \CatalogItem.badge, ValueType.shownText.optional),
  ]
}

extension Row {
  fileprivate func text(_ field: Text) -> Text? {
    guard case .string(let text)? = fields[field] else { return nil }
    return text
  }
}

extension JSONReader {
  func catalogKind() throws(JSONShapeError) -> CatalogItem.Kind {
    guard let kind = CatalogItem.Kind(rawValue: try string()) else {
      let known = CatalogItem.Kind.allCases.map(\.rawValue.string)
      throw error("expected \(known.joined(separator: " or "))")
    }
    return kind
  }
}

extension CatalogItem: FieldValue {
  /// As `init(_:)` reads it.
  public static var valueType: ValueType<CatalogItem> {
    ValueType(
      schema: schema(required: ["id", "title"]),
      read: { (json) throws(JSONShapeError) in try CatalogItem(json) }, write: \.json)
  }

  /// The schema of an item in a body, of which these members have to be there.
  fileprivate static func schema(required: JSONValue) -> JSONValue {
    [
      "type": "object", "additionalProperties": false, "required": required,
      "properties": [
        "id": ResourceID.valueType.described("The id of an item.").schema,
        "type": ["enum": .array(Kind.allCases.map { .string($0.rawValue) })],
        "title": JSONReader.shownTextSchema, "detail": removableText, "badge": removableText,
      ],
    ]
  }

  fileprivate static let removableText = JSONReader.shownTextSchema.mergePatched(
    with: ["type": ["string", "null"]])
}

/// As `json`.
extension CatalogItem: Codable {
  public init(from decoder: any Decoder) throws { try self.init(JSONReader(from: decoder)) }

  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

/// A section of a catalog with its items, as clients write it.
public struct CatalogSection: Hashable, Sendable {
  /// Unique among the sections of the catalog.
  public let id: ResourceID
  /// The heading, where there is one.
  public var title: Text?
  /// The items in order.
  public var items: [CatalogItem]

  /// A section without a title.
  init(id: ResourceID, items: [CatalogItem]) {
    self.id = id
    self.items = items
  }

  /// Reads a section; `title` and `items` may be left out.
  ///
  /// - Throws: `JSONShapeError` for unknown members, a wrong one, and texts out of their limits.
  public init(_ reader: JSONReader) throws(JSONShapeError) {
    try reader.object()
    try reader.rejectUnknownMembers(allowed: ["id", "title", "items"])
    id = try ResourceID(reader.member("id"))
    title = try reader.nullableMember("title")?.shownText()
    items = []
    for element in try reader.nullableMember("items")?.elements() ?? [] {
      items.append(try CatalogItem(element))
    }
  }

  /// The section of the view model, under the section's own id.
  var shown: Section {
    Section(
      id: id.text, fields: title.map { ["title": .string($0)] } ?? [:], rows: items.map(\.row))
  }
}

extension CatalogSection: FieldValue {
  /// As `init(_:)` reads it.
  public static var valueType: ValueType<CatalogSection> {
    ValueType(
      schema: [
        "type": "object", "additionalProperties": false, "required": ["id"],
        "properties": [
          "id": ResourceID.valueType.described("The id of a section.").schema,
          "title": CatalogItem.removableText,
          "items": ["type": "array", "items": CatalogItem.valueType.schema],
        ],
      ],
      read: { (json) throws(JSONShapeError) in try CatalogSection(json) }, write: \.json)
  }

  private var json: JSONValue {
    var members: [Text: JSONValue] = ["id": id.json, "items": .array(items.map(\.json))]
    members["title"] = title.map(JSONValue.string)
    return .object(members)
  }
}

/// New content for some members of an item; the others stay as they are.
public struct CatalogItemPatch: Hashable, Sendable {
  /// The item.
  public let id: ResourceID
  /// The type that the sender takes the item to have, where it says so. It cannot be changed.
  var type: CatalogItem.Kind?
  var title: Text?
  /// Both may be taken away: `.some(nil)`.
  var detail: Text??
  var badge: Text??

  /// A patch of the title alone.
  init(id: ResourceID, title: Text) {
    self.id = id
    self.title = title
  }

  /// Reads a patch: an item of which all but the id may be left out. A `null` takes a detail or a
  /// badge away.
  ///
  /// - Throws: `JSONShapeError` for unknown members, a wrong one, and texts out of their limits.
  public init(_ reader: JSONReader) throws(JSONShapeError) {
    try reader.object()
    try reader.rejectUnknownMembers(allowed: CatalogItem.members)
    id = try ResourceID(reader.member("id"))
    type = try reader.optionalMember("type")?.catalogKind()
    title = try reader.optionalMember("title")?.shownText()
    detail = try reader.removableText("detail")
    badge = try reader.removableText("badge")
  }

  /// The row of the item with the new content.
  ///
  /// - Parameter row: the present one; where there is none the result serves to be refused.
  func applied(to row: Row?) -> Row {
    guard let row else { return Row(id: id.text, type: CatalogItem.Kind.plain.rawValue) }
    var item = CatalogItem(row)
    if let type { item.type = type }
    if let title { item.title = title }
    if let detail { item.detail = detail }
    if let badge { item.badge = badge }
    return item.row
  }
}

extension JSONReader {
  fileprivate func removableText(_ name: Text) throws(JSONShapeError) -> Text?? {
    guard let member = try optionalMember(name) else { return nil }
    return .some(member.isNull ? nil : try member.shownText())
  }
}

extension CatalogItemPatch: FieldValue {
  /// As `init(_:)` reads it.
  public static var valueType: ValueType<CatalogItemPatch> {
    ValueType(
      schema: CatalogItem.schema(required: ["id"]),
      read: { (json) throws(JSONShapeError) in try CatalogItemPatch(json) }, write: \.json)
  }

  /// The patch as `init(_:)` reads it: what is taken away is null, and what stays as it is absent.
  private var json: JSONValue {
    var members: [Text: JSONValue] = ["id": id.json]
    members["type"] = type.map { .string($0.rawValue) }
    members["title"] = title.map(JSONValue.string)
    if let detail { members["detail"] = detail.map(JSONValue.string) ?? .null }
    if let badge { members["badge"] = badge.map(JSONValue.string) ?? .null }
    return .object(members)
  }
}
