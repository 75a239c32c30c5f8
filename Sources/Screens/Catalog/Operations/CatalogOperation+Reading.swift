public import CanonicalJSON
import ViewState

extension CatalogOperation {
  /// Reads an operation: its name in `operation`, and what it is done with.
  ///
  /// - Throws: `JSONShapeError` for an unknown operation, unknown members, and a wrong one.
  public init(_ reader: JSONReader) throws(JSONShapeError) {
    let member = try reader.member("operation")
    guard let name = Name(rawValue: try member.string()) else {
      let known = Name.allCases.map(\.rawValue.string).joined(separator: ", ")
      throw member.error("there is no such operation: there are \(known)")
    }
    try reader.rejectUnknownMembers(allowed: name.members.union(["operation"]))
    switch name {
    case .appendSections: self = .appendSections(try reader.catalogSections())
    case .insertSections:
      self = .insertSections(try reader.catalogSections(), try reader.requiredPlacement())
    case .deleteSections: self = .deleteSections(try reader.catalogIDs())
    case .moveSection:
      self = .moveSection(try ResourceID(reader.member("id")), try reader.requiredPlacement())
    case .reloadSections: self = .reloadSections(try reader.catalogSections())
    case .appendItems:
      let section = try reader.nullableMember("section")
      self = .appendItems(
        try reader.catalogItems(), toSection: try section.map(ResourceID.init))
    case .insertItems:
      self = .insertItems(try reader.catalogItems(), try reader.requiredPlacement())
    case .deleteItems: self = .deleteItems(try reader.catalogIDs())
    case .deleteAllItems: self = .deleteAllItems
    case .moveItem:
      self = .moveItem(try ResourceID(reader.member("id")), try reader.requiredPlacement())
    case .reloadItems: self = .reloadItems(try reader.catalogItems())
    case .reconfigureItems: self = .reconfigureItems(try reader.catalogPatches())
    }
  }
}

extension JSONReader {
  fileprivate func catalogSections() throws(JSONShapeError) -> [CatalogSection] {
    var sections: [CatalogSection] = []
    for element in try member("sections").elements() {
      sections.append(try CatalogSection(element))
    }
    return sections
  }

  fileprivate func catalogItems() throws(JSONShapeError) -> [CatalogItem] {
    var items: [CatalogItem] = []
    for element in try member("items").elements() { items.append(try CatalogItem(element)) }
    return items
  }

  fileprivate func catalogPatches() throws(JSONShapeError) -> [CatalogItemPatch] {
    var patches: [CatalogItemPatch] = []
    for element in try member("items").elements() {
      patches.append(try CatalogItemPatch(element))
    }
    return patches
  }

  fileprivate func catalogIDs() throws(JSONShapeError) -> [ResourceID] {
    var ids: [ResourceID] = []
    for element in try member("ids").elements() { ids.append(try ResourceID(element)) }
    return ids
  }
}

/// As `init(_:)` reads it.
extension CatalogOperation: Codable {
  private enum CodingKeys: CodingKey {
    case operation
    case sections
    case items
    case ids
    case id
    case section
    case before
    case after
  }

  public init(from decoder: any Decoder) throws { try self.init(JSONReader(from: decoder)) }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    func encode(_ name: Name) throws { try container.encode(name, forKey: .operation) }
    func encode(_ place: Placement) throws {
      switch place {
      case .before(let id): try container.encode(id, forKey: .before)
      case .after(let id): try container.encode(id, forKey: .after)
      }
    }
    switch self {
    case .appendSections(let sections):
      try encode(.appendSections)
      try container.encode(sections, forKey: .sections)
    case .insertSections(let sections, let place):
      try encode(.insertSections)
      try container.encode(sections, forKey: .sections)
      try encode(place)
    case .deleteSections(let ids):
      try encode(.deleteSections)
      try container.encode(ids, forKey: .ids)
    case .moveSection(let id, let place):
      try encode(.moveSection)
      try container.encode(id, forKey: .id)
      try encode(place)
    case .reloadSections(let sections):
      try encode(.reloadSections)
      try container.encode(sections, forKey: .sections)
    case .appendItems(let items, let section):
      try encode(.appendItems)
      try container.encode(items, forKey: .items)
      try container.encodeIfPresent(section, forKey: .section)
    case .insertItems(let items, let place):
      try encode(.insertItems)
      try container.encode(items, forKey: .items)
      try encode(place)
    case .deleteItems(let ids):
      try encode(.deleteItems)
      try container.encode(ids, forKey: .ids)
    case .deleteAllItems:
      try encode(.deleteAllItems)
    case .moveItem(let id, let place):
      try encode(.moveItem)
      try container.encode(id, forKey: .id)
      try encode(place)
    case .reloadItems(let items):
      try encode(.reloadItems)
      try container.encode(items, forKey: .items)
    case .reconfigureItems(let patches):
      try encode(.reconfigureItems)
      try container.encode(patches, forKey: .items)
    }
  }
}
