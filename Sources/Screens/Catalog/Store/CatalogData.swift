public import OrderedCollections
import Snapshots

/// The catalogs as a value: every rule that a write must hold, without locks, time or observers.
public struct CatalogData: Equatable, Sendable {
  /// The catalogs in the order in which they were created.
  public internal(set) var catalogs: OrderedDictionary<ResourceID, Catalog> = [:]
  /// The ids of catalogs deleted last, oldest first.
  var deleted: OrderedSet<ResourceID> = []
  /// The number of writes so far that changed something.
  var version = 0
  /// The id that comes next.
  var nextID = 1
  /// How much it takes.
  public let limits: CatalogLimits

  /// No catalogs yet.
  public init(limits: CatalogLimits = CatalogLimits()) {
    self.limits = limits
  }
}

extension CatalogData {
  /// The catalog of this id.
  public func catalog(_ id: ResourceID) throws(CatalogError) -> Catalog {
    guard let catalog = catalogs[id] else { throw .unknownCatalog(id) }
    return catalog
  }

  func isDeleted(_ id: ResourceID) -> Bool { deleted.contains(id) }

  /// The id that a new catalog gets: the least whole number above all that were in use.
  public var nextCatalogID: ResourceID { ResourceID(nextID) }

  /// The number of items of all catalogs.
  var itemCount: Int { catalogs.values.reduce(0) { $0 + $1.content.numberOfItems } }
}
