public import CanonicalJSON
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

  /// The operations by the names that clients call them.
  public enum Name: Text, CaseIterable, Codable, Sendable {
    case appendSections
    case insertSections
    case deleteSections
    case moveSection
    case reloadSections
    case appendItems
    case insertItems
    case deleteItems
    case deleteAllItems
    case moveItem
    case reloadItems
    case reconfigureItems

    /// The members beside `operation`.
    var members: Set<Text> {
      switch self {
      case .appendSections, .reloadSections: ["sections"]
      case .insertSections: ["sections", "before", "after"]
      case .deleteSections, .deleteItems: ["ids"]
      case .moveSection, .moveItem: ["id", "before", "after"]
      case .appendItems: ["items", "section"]
      case .insertItems: ["items", "before", "after"]
      case .deleteAllItems: []
      case .reloadItems, .reconfigureItems: ["items"]
      }
    }
  }
}
