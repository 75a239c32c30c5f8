import CanonicalJSON
import OrderedCollections
import Snapshots
public import ViewState

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
