public import CanonicalJSON

extension CatalogData {
  /// Reads an object with the array `catalogs`.
  ///
  /// - Throws: `JSONShapeError` at the first fault.
  public init(
    _ reader: JSONReader, limits: CatalogLimits = CatalogLimits()
  ) throws(JSONShapeError) {
    self.init(limits: limits)
    for element in try reader.member("catalogs").elements() {
      let catalog = try Catalog(element, limits: limits)
      do throws(CatalogError) {
        try insert(catalog)
      } catch {
        throw element.error("the catalog cannot be added: \(error)")
      }
    }
  }

  /// The catalogs that a server without data of its own starts with.
  public static func demo(limits: CatalogLimits = CatalogLimits()) -> CatalogData {
    do {
      return try CatalogData(
        JSONReader(JSONValue(parsing: PackageResources.catalogs_json)), limits: limits)
    } catch {
      preconditionFailure("the demo data is part of the product: \(error)")
    }
  }
}
