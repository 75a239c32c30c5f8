public import CanonicalJSON
public import ViewState

/// A firm as the registry of firms has it.
public struct Company: Hashable, Sendable {
  /// Unique among the companies.
  public let id: ResourceID
  /// The name it is registered under.
  public var name: Text = ""
  /// The city of its registered office.
  public var city: Text = ""
  /// Several firms, such as branches, may have one number.
  public var taxNumber = TaxNumber.none
}

extension Company: Resource {
  public static let summary = "A firm in the registry."
  public static let refusesUnknownMembers = true
  public static let fields = [
    Field("name", \Company.name, .shownText), Field("city", \.city, .shownText),
    Field("taxNumber", \.taxNumber),
  ]

  public init(id: ResourceID) { self.id = id }
}

/// The registry of firms as a value.
public typealias CompanyData = ResourceCollection<Company>

/// The registry of firms in memory.
public typealias CompanyStore = Store<CompanyData>

extension CompanyData {
  /// The largest number of firms, unless an application says otherwise.
  private static var usual: CollectionLimits { CollectionLimits(count: 10_000) }

  /// Creates an empty registry.
  public init(limits: CollectionLimits? = nil) {
    self.init("company", plural: "companies", limits: limits ?? Self.usual)
  }

  /// Reads an object with the array `companies`.
  ///
  /// - Throws: `JSONShapeError` at the first fault.
  public init(_ reader: JSONReader) throws(JSONShapeError) {
    try self.init(
      "company", plural: "companies", limits: Self.usual,
      reading: reader.nullableMember("companies"))
  }

  /// The made-up firms that a server starts with.
  public static func demo() -> CompanyData {
    DemoData.read(FormFeature.demo) { data throws(JSONShapeError) in try CompanyData(data) }
  }
}
