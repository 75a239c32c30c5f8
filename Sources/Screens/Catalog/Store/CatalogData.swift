import CScreens
public import CanonicalJSON
public import OrderedCollections
import Snapshots
public import ViewState

/// The catalogs as a value: every rule that a write must hold, without locks, time or observers.
public struct CatalogData: Equatable, Sendable {
  /// What the store may turn out not to have.
  public enum Missing: Codable, Hashable, Sendable {
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

/// How much the store of catalogs takes, so that its clients cannot fill the memory.
public struct CatalogLimits: Codable, Hashable, Sendable {
  /// A catalog beyond this many is refused.
  public var catalogs: Int
  /// A section beyond this many in one catalog is refused.
  public var sectionsPerCatalog: Int
  /// An item beyond this many in one catalog is refused.
  public var itemsPerCatalog: Int
  /// An item beyond this many in all catalogs is refused.
  public var items: Int
  /// This many deleted catalogs are remembered as deleted; older ones become unknown.
  public var deletedCatalogs: Int

  /// The defaults, where nothing else is said.
  public init(
    catalogs: Int = 1_000, sectionsPerCatalog: Int = 1_000, itemsPerCatalog: Int = 10_000,
    items: Int = 100_000, deletedCatalogs: Int = 10_000
  ) {
    self.catalogs = catalogs
    self.sectionsPerCatalog = sectionsPerCatalog
    self.itemsPerCatalog = itemsPerCatalog
    self.items = items
    self.deletedCatalogs = deletedCatalogs
  }
}

extension CatalogLimits {
  /// No limits: what a store holds has been checked against those of its time.
  static let none = CatalogLimits(
    catalogs: .max, sectionsPerCatalog: .max, itemsPerCatalog: .max, items: .max,
    deletedCatalogs: .max)
}

/// Each write is done whole or, where it throws, not at all. One that changes nothing leaves the
/// value equal.
extension CatalogData {
  /// Applies a batch of operations to a catalog, in their order.
  ///
  /// - Returns: the number of ids that were ignored, because what they should have deleted was not
  ///   there.
  @discardableResult
  public mutating func apply(
    _ operations: [CatalogOperation], to id: ResourceID
  ) throws(CatalogFault) -> Int {
    guard let catalog = catalogs[id] else {
      throw CatalogFault(["type"], "there is no catalog \(id) any more")
    }
    var (content, ignored) = (catalog.content, 0)
    for (index, operation) in operations.enumerated() {
      do throws(CatalogFault) {
        ignored += try operation.apply(to: &content)
      } catch {
        throw error.within("operations", "\(index)")
      }
    }
    // What a batch only passes through is nobody's concern.
    do throws(CatalogFault) {
      try content.check(against: limits)
    } catch {
      throw CatalogFault(["operations"], error.message)
    }
    if itemCount - catalog.content.numberOfItems + content.numberOfItems > limits.items {
      throw CatalogFault(
        ["operations"], "all catalogs together have at most \(limits.items) items")
    }
    keep(content, of: catalog)
    return ignored
  }

  /// Adds a catalog.
  @discardableResult
  public mutating func insert(_ catalog: Catalog) throws(Failure) -> Versioned<Catalog> {
    guard catalogs[catalog.id] == nil else { throw .duplicateID(catalog.id) }
    guard catalogs.count < limits.catalogs,
      itemCount + catalog.content.numberOfItems <= limits.items
    else { throw .full }
    ids.use(catalog.id)
    return keep(catalog)
  }

  /// Puts the catalog in the place of the one with its id.
  ///
  /// - Parameter expected: where it is given, only if the present one is of this version.
  public mutating func replace(
    _ catalog: Catalog, expecting expected: Int?
  ) throws(Failure) -> Versioned<Catalog> {
    let current = try self.catalog(catalog.id)
    try Failure.check(current.version, against: expected)
    let others = itemCount - current.content.numberOfItems
    guard others + catalog.content.numberOfItems <= limits.items else { throw .full }
    return keep(catalog.content, of: current)
  }

  /// Takes a catalog away.
  ///
  /// - Parameter expected: where it is given, only if it is of this version.
  public mutating func remove(
    _ id: ResourceID, expecting expected: Int? = nil
  ) throws(Failure) {
    try Failure.check(catalog(id).version, against: expected)
    version += 1
    catalogs.removeValue(forKey: id)
    ids.delete(id, remembering: limits.deletedCatalogs)
  }

  @discardableResult
  private mutating func keep(_ content: Snapshot, of catalog: Catalog) -> Versioned<Catalog> {
    guard content != catalog.content else { return catalog.versioned }
    var changed = catalog
    changed.content = content
    return keep(changed)
  }

  private mutating func keep(_ catalog: Catalog) -> Versioned<Catalog> {
    version += 1
    var kept = catalog
    kept.version = version
    catalogs[kept.id] = kept
    return kept.versioned
  }
}

extension CatalogData {
  /// Reads an object with the array `catalogs`.
  ///
  /// - Throws: `JSONShapeError` at the first fault.
  public init(
    _ reader: JSONReader, limits: CatalogLimits = CatalogLimits()
  ) throws(JSONShapeError) {
    self.init(limits: limits)
    for element in try reader.nullableMember("catalogs")?.elements() ?? [] {
      let catalog = try Catalog(element, limits: limits)
      try element.storing { () throws(Failure) in _ = try insert(catalog) }
    }
  }

  /// The catalogs that a server without data of its own starts with.
  public static func demo(limits: CatalogLimits = CatalogLimits()) -> CatalogData {
    DemoData.read(viewdelta_catalog_data) { data throws(JSONShapeError) in
      try CatalogData(data, limits: limits)
    }
  }
}

/// With all that no client sees: versions, and which ids were given.
extension CatalogData: Codable {
  private enum CodingKeys: CodingKey {
    case catalogs
    case version
    case ids
    case limits
  }

  public init(from decoder: any Decoder) throws {
    let reader = try JSONReader(from: decoder)
    self.init(limits: try reader.member("limits").decode(CatalogLimits.self))
    catalogs = try reader.member("catalogs").resourcesByID()
    version = try reader.member("version").count()
    ids = try reader.member("ids").decode(IDLedger.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Array(catalogs.values), forKey: .catalogs)
    try container.encode(version, forKey: .version)
    try container.encode(ids, forKey: .ids)
    try container.encode(limits, forKey: .limits)
  }
}
