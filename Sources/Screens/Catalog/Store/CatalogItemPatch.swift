public import CanonicalJSON
import Snapshots
public import ViewState

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

/// As `init(_:)` reads it: what is taken away is null, and what stays as it is absent.
extension CatalogItemPatch: Codable {
  private enum CodingKeys: CodingKey {
    case id
    case type
    case title
    case detail
    case badge
  }

  public init(from decoder: any Decoder) throws { try self.init(JSONReader(from: decoder)) }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encodeIfPresent(type, forKey: .type)
    try container.encodeIfPresent(title, forKey: .title)
    if let detail { try container.encode(detail, forKey: .detail) }
    if let badge { try container.encode(badge, forKey: .badge) }
  }
}
