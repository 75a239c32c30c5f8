import CScreens
public import CanonicalJSON
import OrderedCollections
import ViewState

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
