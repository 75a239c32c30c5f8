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
    var members = content
    members["id"] = .string(id.text)
    members["type"] = .string(type.rawValue)
    return .object(members)
  }

  /// The row that shows the item, under the item's own id.
  var row: Row {
    var fields = content
    fields["action"] = CatalogCommand.apply.descriptor.action(
      title: "Remove",
      arguments: ["operations": [["operation": "deleteItems", "ids": [.string(id.text)]]]])
    return Row(id: id.text, type: type.rawValue, fields: fields)
  }

  /// What is left out is not there, so that its going is an `unset` of the row.
  private var content: [Text: JSONValue] {
    var members: [Text: JSONValue] = ["title": .string(title)]
    members["detail"] = detail.map(JSONValue.string)
    members["badge"] = badge.map(JSONValue.string)
    return members
  }
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

/// As `init(_:)` reads it.
extension CatalogItem: Codable {
  public init(from decoder: any Decoder) throws { try self.init(JSONReader(from: decoder)) }
}
