public import CanonicalJSON
public import ViewState

/// A firm as the registry of firms has it.
public struct Company: Hashable, Sendable {
  /// Unique among the companies.
  public let id: ResourceID
  /// Several firms, such as branches, may have one number.
  public let taxNumber: TaxNumber
  /// The name it is registered under.
  public let name: Text
  /// Where it has its seat.
  public let city: Text
}

extension Company: StoredResource {
  /// Reads a company.
  ///
  /// - Parameter assigned: the id to use where the object has none.
  /// - Throws: `JSONShapeError` for unknown members, a missing or wrong one, and a tax number that
  ///   is none.
  public init(_ reader: JSONReader, assigned: ResourceID? = nil) throws(JSONShapeError) {
    try reader.object()
    try reader.rejectUnknownMembers(allowed: ["id", "taxNumber", "name", "city"])
    id = try reader.resourceID("id", assigned: assigned)
    name = try reader.member("name").shownText()
    city = try reader.member("city").shownText()
    let member = try reader.member("taxNumber")
    guard let number = try? TaxNumber(parsing: member.string()) else {
      throw member.error("expected a tax number: DE and nine digits, the last one a check digit")
    }
    taxNumber = number
  }

  /// The company as `init(_:assigned:)` reads it.
  public var json: JSONValue {
    .object([
      "id": id.json, "taxNumber": .string(taxNumber.text), "name": .string(name),
      "city": .string(city),
    ])
  }
}

/// As `json`.
extension Company: Codable {
  public init(from decoder: any Decoder) throws { try self.init(JSONReader(from: decoder)) }
}
