public import OrderedCollections
import Snapshots
public import ViewState

/// The catalogs as a value: every rule that a write must hold, without locks, time or observers.
public struct CatalogData: Equatable, Sendable {
  /// What the store may turn out not to have.
  public enum Missing: Hashable, Sendable {
    case catalog
    case section
    case item
  }

  /// Why a write was not done.
  public typealias Failure = StoreError<Missing>

  /// The catalogs in the order in which they were created.
  public internal(set) var catalogs: OrderedDictionary<ResourceID, Catalog> = [:]
  /// The number of writes so far that changed something.
  var version = 0
  /// The ids given to catalogs.
  var ids = IDLedger()
  /// How much it takes.
  public let limits: CatalogLimits

  /// No catalogs yet.
  public init(limits: CatalogLimits = CatalogLimits()) {
    self.limits = limits
  }
}

extension CatalogData {
  /// The catalog of this id.
  public func catalog(_ id: ResourceID) throws(Failure) -> Catalog {
    guard let catalog = catalogs[id] else { throw .missing(.catalog) }
    return catalog
  }

  /// A part of the catalogs; `nil` where there is none of the id that the part begins behind.
  public func catalogs(_ range: CollectionRange) -> CollectionPart<Catalog>? {
    catalogs.part(range, version: version) { $0 }
  }

  func isDeleted(_ id: ResourceID) -> Bool { ids.isDeleted(id) }

  /// The id that a new catalog gets: the least whole number above all that were in use.
  public var nextCatalogID: ResourceID { ids.free { catalogs[$0] != nil } }

  /// The number of items of all catalogs.
  var itemCount: Int { catalogs.values.reduce(0) { $0 + $1.content.numberOfItems } }
}
