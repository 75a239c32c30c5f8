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
      try element.storing { () throws(Failure) in _ = try insert(catalog) }
    }
  }

  /// The catalogs that a server without data of its own starts with.
  public static func demo(limits: CatalogLimits = CatalogLimits()) -> CatalogData {
    DemoData.read(PackageResources.catalogs_json) { data throws(JSONShapeError) in
      try CatalogData(data, limits: limits)
    }
  }
}
