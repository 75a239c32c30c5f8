public import CanonicalJSON

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
