public import CanonicalJSON
import Snapshots
public import ViewState

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

/// As `init(_:)` reads it.
extension CatalogSection: Codable {
  public init(from decoder: any Decoder) throws { try self.init(JSONReader(from: decoder)) }
}
