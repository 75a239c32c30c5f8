public import CanonicalJSON
public import ViewState

/// A company in the registry of companies.
public struct Company: Hashable, Sendable {
  /// The id, unique among the companies.
  public let id: ResourceID
  /// The registered name.
  public var name: Text = ""
  /// The city of its registered office.
  public var city: Text = ""
  /// Several companies, such as branches, may have one number.
  public var taxNumber = TaxNumber.none
}

extension Company: Resource {
  public static let summary = "A company in the registry."
  public static let refusesUnknownMembers = true
  public static let fields = [
    Field("name", \Company.name, .shownText), Field("city", \.city, .shownText),
    Field("taxNumber", \.taxNumber),
  ]

  public init(id: ResourceID) { self.id = id }
}

/// The registry of companies as a value.
public typealias CompanyData = ResourceCollection<Company>

/// The registry of companies in memory.
public typealias CompanyStore = Store<CompanyData>

extension CompanyData {
  /// The largest number of companies, unless an application says otherwise.
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

  /// The made-up companies that a server starts with.
  public static func demo() -> CompanyData {
    DemoData.read(FormFeature.demo) { data throws(JSONShapeError) in try CompanyData(data) }
  }
}
