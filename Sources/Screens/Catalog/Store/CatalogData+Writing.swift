import OrderedCollections
import Snapshots

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
  ) throws(CatalogError) -> Int {
    let catalog = try catalog(id)
    var (content, ignored) = (catalog.content, 0)
    do throws(CatalogFault) {
      for (index, operation) in operations.enumerated() {
        do throws(CatalogFault) {
          ignored += try operation.apply(to: &content)
        } catch {
          throw error.within("operations", String(index))
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
    } catch {
      throw .refused(error)
    }
    keep(content, of: catalog)
    return ignored
  }

  /// Adds a catalog.
  public mutating func insert(_ catalog: Catalog) throws(CatalogError) {
    guard catalogs[catalog.id] == nil else { throw .duplicateID(catalog.id) }
    guard catalogs.count < limits.catalogs,
      itemCount + catalog.content.numberOfItems <= limits.items
    else { throw .full }
    version += 1
    catalogs[catalog.id] = catalog
    catalogs[catalog.id]?.version = version
    deleted.remove(catalog.id)
    nextID = ScoreboardData.next(nextID, after: catalog.id)
  }

  /// Puts the catalog in the place of the one with its id.
  ///
  /// - Parameter expected: where it is given, only if the present one is of this version.
  public mutating func replace(
    _ catalog: Catalog, expecting expected: Int?
  ) throws(CatalogError) {
    let current = try self.catalog(catalog.id)
    if let expected, expected != current.version { throw .changedMeanwhile }
    let others = itemCount - current.content.numberOfItems
    guard others + catalog.content.numberOfItems <= limits.items else { throw .full }
    keep(catalog.content, of: current)
  }

  /// Takes a catalog away.
  ///
  /// - Parameter expected: where it is given, only if it is of this version.
  public mutating func remove(
    _ id: ResourceID, expecting expected: Int? = nil
  ) throws(CatalogError) {
    let current = try catalog(id)
    if let expected, expected != current.version { throw .changedMeanwhile }
    version += 1
    catalogs.removeValue(forKey: id)
    deleted.append(id)
    if deleted.count > limits.deletedCatalogs { deleted.removeFirst() }
  }

  private mutating func keep(_ content: Snapshot, of catalog: Catalog) {
    guard content != catalog.content else { return }
    version += 1
    var changed = catalog
    changed.content = content
    changed.version = version
    catalogs[catalog.id] = changed
  }
}
