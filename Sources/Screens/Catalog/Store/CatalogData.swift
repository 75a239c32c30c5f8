public import CanonicalJSON
import Snapshots
public import ViewState

/// The catalogs in memory.
public typealias CatalogStore = Store<CatalogData>

/// Catalogs, within limits on their sections and items.
///
/// A copy costs O(1). A batch of operations costs what it changes; a write of a whole catalog, and in a catalog with levels
/// each operation on items, also of a section without levels, costs O(*n*), where *n* is the number of its items.
public struct CatalogData: Codable, Equatable, Sendable {
  /// The catalogs in the order in which they were created.
  public private(set) var catalogs: ResourceCollection<Catalog>
  /// The number of sections and items of all catalogs.
  private var itemCount = 0
  private let limits: CatalogLimits
  private var language = Language.en

  /// Creates a store without catalogs.
  public init(limits: CatalogLimits = CatalogLimits()) {
    self.limits = limits
    catalogs = ResourceCollection(
      "catalog",
      limits: CollectionLimits(count: limits.catalogs, deletedCount: limits.deletedCatalogs))
  }
}

/// Coded without the number of all sections and items, which follows.
extension CatalogData {
  private enum CodingKeys: CodingKey {
    case catalogs
    case limits
    case language
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    catalogs = try container.decode(ResourceCollection<Catalog>.self, forKey: .catalogs)
    limits = try container.decode(CatalogLimits.self, forKey: .limits)
    language = try container.decode(Language.self, forKey: .language)
    itemCount = catalogs.elements.reduce(0) { $0 + Self.itemCount($1) }
  }
}

/// The limits of the store of catalogs, so that clients cannot fill the memory.
public struct CatalogLimits: Codable, Hashable, Sendable {
  /// The largest number of catalogs. One more is refused.
  public var catalogs: Int
  /// The largest number of sections of one catalog. One more is refused. One operation has no more than the default,
  /// whatever the limit is.
  public var sectionsPerCatalog: Int
  /// The largest number of items of one catalog. One more is refused. One operation has no more than the default,
  /// whatever the limit is.
  public var itemsPerCatalog: Int
  /// The largest number of sections and items of all catalogs. One more is refused.
  public var items: Int
  /// The largest number of rows that one batch may make in a catalog with levels. A batch with more is refused, because
  /// all other inputs wait for its end.
  public var rowsPerBatch: Int
  /// The number of deleted catalogs that are remembered. View models of older ones are unknown, not deleted.
  public var deletedCatalogs: Int

  public init(
    catalogs: Int = 1_000, sectionsPerCatalog: Int = 1_000, itemsPerCatalog: Int = 10_000,
    items: Int = 100_000, rowsPerBatch: Int = 20_000, deletedCatalogs: Int = 10_000
  ) {
    self.catalogs = catalogs
    self.sectionsPerCatalog = sectionsPerCatalog
    self.itemsPerCatalog = itemsPerCatalog
    self.items = items
    self.rowsPerBatch = rowsPerBatch
    self.deletedCatalogs = deletedCatalogs
  }
}

extension CatalogData {
  /// Reads an object with the array `catalogs`.
  ///
  /// - Throws: `JSONShapeError` for an invalid catalog, an id that is used twice, and more than the limits
  ///   allow.
  public init(
    _ file: JSONReader, limits: CatalogLimits = CatalogLimits()
  ) throws(JSONShapeError) {
    self.init(limits: limits)
    let array = try file.nullableMember("catalogs")
    catalogs = try ResourceCollection("catalog", limits: catalogs.limits, reading: array)
    for (catalog, element) in zip(catalogs.elements, try array?.elements() ?? []) {
      itemCount += Self.itemCount(catalog)
      if let excess = excess(of: catalog) { throw try element.member("sections").error(excess) }
      if itemCount > limits.items { throw element.error("this is more than the store allows") }
    }
  }

  /// Returns the same catalogs with the titles of their rows in a language.
  func translated(to language: Language) -> CatalogData {
    var data = self
    data.language = language
    for catalog in catalogs.elements where catalog.whole.language != language {
      // A translation has what the catalog has, so that no limit refuses it.
      _ = try? data.catalogs.apply(
        .replace(catalog.translated(to: language)), at: Timestamp(secondsSince1970: 0))
    }
    return data
  }

  /// What a catalog has too many of.
  private func excess(of catalog: Catalog) -> String? {
    if catalog.content.numberOfSections > limits.sectionsPerCatalog {
      return "a catalog has at most \(limits.sectionsPerCatalog) sections"
    }
    if catalog.whole.numberOfItems > limits.itemsPerCatalog {
      return "a catalog has at most \(limits.itemsPerCatalog) items"
    }
    if catalog.whole.depth > CatalogContent.deepest {
      return "an item is below at most \(CatalogContent.deepest) others"
    }
    return nil
  }
}

/// A write of a client to the catalogs.
public enum CatalogWrite: Codable, Sendable {
  /// Applies operations to a catalog in their order, all of them or none.
  case batch([CatalogOperation], of: ResourceID)
  /// Shows the items below an item of a catalog, which have been loaded.
  case show(below: ResourceID, of: ResourceID)
  /// Creates, replaces or deletes a catalog.
  case catalog(ResourceCollection<Catalog>.Write)

  /// The answer to a write.
  public struct Output: Codable, Sendable {
    /// The catalog as it is after the write, or was before it was deleted.
    public let catalog: Versioned<Catalog>
    /// The number of ids that a batch could not delete.
    public let ignored: Int
  }
}

extension CatalogData: StoreValue {
  /// - Throws: `malformed` with the place in the arguments of the command or in the body that is at fault.
  public mutating func apply(
    _ write: CatalogWrite, at time: Timestamp
  ) throws(StoreError) -> Written<CatalogWrite.Output> {
    switch write {
    case .batch(let operations, let id):
      let former = try catalogs.element(id).resource
      var catalog = former
      var ignored = 0
      for (index, operation) in operations.enumerated() {
        do {
          ignored += try operation.apply(to: &catalog.whole)
        } catch {
          throw .malformed(error.within(["operations", "\(index)"]))
        }
        guard catalog.whole.madeRowCount <= limits.rowsPerBatch else {
          throw Self.excessive(
            "the operations show more than \(limits.rowsPerBatch) rows: send fewer at a time",
            "operations")
        }
        guard catalog.whole.readItemCount <= CatalogContent.mostReadItems else {
          throw Self.excessive(
            "the operations change or search sections with more than \(CatalogContent.mostReadItems) items, "
              + "which count for each operation: send fewer at a time", "operations")
        }
      }
      // In between, a batch may go beyond the limits.
      return try keep(catalog, inPlaceOf: former).map { .init(catalog: $0, ignored: ignored) }
    case .show(let item, let id):
      let former = try catalogs.element(id).resource
      var catalog = former
      // One that is not there any more has nothing to show.
      try? catalog.whole.show(below: item.text)
      return try keep(catalog, inPlaceOf: former).map { .init(catalog: $0, ignored: 0) }
    case .catalog(let write):
      return try keep(write, at: "sections").map { .init(catalog: $0, ignored: 0) }
    }
  }

  /// Keeps what operations have made of a catalog.
  private mutating func keep(
    _ catalog: Catalog, inPlaceOf former: Catalog
  ) throws(StoreError) -> Written<Versioned<Catalog>> {
    let made = catalog.whole.madeByteCount(since: former.whole)
    var catalog = catalog
    (catalog.whole.madeRowCount, catalog.whole.readItemCount) = (0, 0)
    return try keep(.replace(catalog), at: "operations").making(made)
  }

  /// - Parameter member: The member at fault if a catalog becomes too large.
  private mutating func keep(
    _ write: ResourceCollection<Catalog>.Write, at member: Text
  ) throws(StoreError) -> Written<Versioned<Catalog>> {
    let before = self
    let written = try catalogs.apply(write) { catalog throws(StoreError) in
      catalog = catalog.translated(to: before.language)
      if let excess = before.excess(of: catalog) { throw Self.excessive(excess, member) }
      let growth = Self.itemCount(catalog) - before.itemCount(of: catalog.id)
      guard growth > 0, before.itemCount + growth > before.limits.items else { return }
      guard member == "operations" else { throw .full }
      throw Self.excessive(
        "all catalogs together have at most \(before.limits.items) sections and items", member)
    }
    let id = written.output.resource.id
    itemCount += itemCount(of: id) - before.itemCount(of: id)
    return written
  }

  private func itemCount(of id: ResourceID) -> Int {
    catalogs.elements[id: id].map(Self.itemCount) ?? 0
  }

  private static func itemCount(_ catalog: Catalog) -> Int {
    catalog.content.numberOfSections + catalog.whole.numberOfItems
  }

  private static func excessive(_ message: String, _ member: Text) -> StoreError {
    .malformed(JSONShapeError([member], message))
  }
}
