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
  /// A command with more operations than this is refused.
  public var operationsPerCommand: Int
  /// This many deleted catalogs are remembered as deleted; older ones become unknown.
  public var deletedCatalogs: Int

  /// The defaults, where nothing else is said.
  public init(
    catalogs: Int = 1_000, sectionsPerCatalog: Int = 1_000, itemsPerCatalog: Int = 10_000,
    items: Int = 100_000, operationsPerCommand: Int = 200, deletedCatalogs: Int = 10_000
  ) {
    self.catalogs = catalogs
    self.sectionsPerCatalog = sectionsPerCatalog
    self.itemsPerCatalog = itemsPerCatalog
    self.items = items
    self.operationsPerCommand = operationsPerCommand
    self.deletedCatalogs = deletedCatalogs
  }
}

extension CatalogLimits {
  /// No limits: what a store holds has been checked against those of its time.
  static let none = CatalogLimits(
    catalogs: .max, sectionsPerCatalog: .max, itemsPerCatalog: .max, items: .max,
    operationsPerCommand: .max, deletedCatalogs: .max)
}
