import CanonicalJSON
import OrderedCollections
public import ViewState

/// The registry of firms as a value: every rule that a write must hold, without locks, time or
/// observers.
public struct CompanyData: Equatable, Sendable {
  /// What the registry may turn out not to have.
  public enum Missing: Codable, Hashable, Sendable {
    case company
  }

  /// Why a write was not done.
  public typealias Failure = StoreError<Missing>

  private var stored: OrderedDictionary<ResourceID, Stored> = [:]
  private var byNumber: [TaxNumber: OrderedSet<ResourceID>] = [:]
  private(set) var version = 0
  private var ids = IDLedger()
  private let limit: Int

  private struct Stored: Codable, Equatable, Sendable {
    let company: Company
    let version: Int
    var versioned: Versioned<Company> { Versioned(resource: company, version: version) }
  }

  /// No companies yet.
  ///
  /// - Parameter limit: a company beyond this many is refused.
  public init(limit: Int = 10_000) {
    self.limit = limit
  }
}

extension CompanyData {
  /// A part of the companies, in the order in which they were created; `nil` where there is none of
  /// the id that the part begins behind.
  public func companies(_ range: CollectionRange) -> CollectionPart<Company>? {
    stored.part(range, version: version, \.company)
  }

  /// The id that a new company gets: the least whole number above all that were in use.
  public var nextID: ResourceID { ids.free { stored[$0] != nil } }

  /// The company of this id.
  public func company(_ id: ResourceID) throws(Failure) -> Versioned<Company> {
    guard let stored = stored[id] else { throw .missing(.company) }
    return stored.versioned
  }

  /// The companies that have a number, in the order in which they got it.
  ///
  /// - Complexity: O(*m*) expected, where *m* is the number of companies that have it.
  func companies(with number: TaxNumber) -> [Company] {
    (byNumber[number] ?? []).compactMap { stored[$0]?.company }
  }
}

/// Each write is done whole or, where it throws, not at all.
extension CompanyData {
  /// Adds a company.
  public mutating func insert(_ company: Company) throws(Failure) -> Versioned<Company> {
    guard stored[company.id] == nil else { throw .duplicateID(company.id) }
    guard stored.count < limit else { throw .full }
    ids.use(company.id)
    return keep(company)
  }

  /// Puts the company in the place of the one with its id.
  ///
  /// - Parameter expected: where it is given, only if the present one is of this version.
  public mutating func replace(
    _ company: Company, expecting expected: Int?
  ) throws(Failure) -> Versioned<Company> {
    let current = try self.company(company.id)
    try Failure.check(current.version, against: expected)
    if current.resource == company { return current }
    if current.resource.taxNumber != company.taxNumber { forget(current.resource) }
    return keep(company)
  }

  /// Takes a company away.
  ///
  /// - Parameter expected: where it is given, only if it is of this version.
  public mutating func remove(_ id: ResourceID, expecting expected: Int?) throws(Failure) {
    let current = try company(id)
    try Failure.check(current.version, against: expected)
    version += 1
    forget(current.resource)
    stored[id] = nil
  }

  private mutating func keep(_ company: Company) -> Versioned<Company> {
    version += 1
    let new = Stored(company: company, version: version)
    stored[company.id] = new
    byNumber[company.taxNumber, default: []].append(company.id)
    return new.versioned
  }

  private mutating func forget(_ company: Company) {
    byNumber[company.taxNumber]?.remove(company.id)
    if byNumber[company.taxNumber]?.isEmpty == true { byNumber[company.taxNumber] = nil }
  }
}

/// With all that no client sees: versions, which ids were given, and the order in which companies got
/// their numbers.
extension CompanyData: Codable {
  private enum CodingKeys: CodingKey {
    case companies
    case byNumber
    case version
    case ids
    case limit
  }

  public init(from decoder: any Decoder) throws {
    let reader = try JSONReader(from: decoder)
    self.init(limit: try reader.member("limit").decode(Int.self))
    let companies = try reader.member("companies")
    for element in try companies.elements() {
      let company = try element.decode(Stored.self)
      guard stored.updateValue(company, forKey: company.company.id) == nil else {
        throw element.error("the id \(company.company.id) is used twice")
      }
    }
    let numbers = try reader.member("byNumber")
    byNumber = try numbers.decode([TaxNumber: OrderedSet<ResourceID>].self)
    let isComplete = byNumber.values.reduce(0) { $0 + $1.count } == stored.count
    let isRight = byNumber.allSatisfy { number, ids in
      !ids.isEmpty && ids.allSatisfy { stored[$0]?.company.taxNumber == number }
    }
    guard isComplete, isRight else {
      throw numbers.error("expected each company once, with its number")
    }
    version = try reader.member("version").count()
    ids = try reader.member("ids").decode(IDLedger.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Array(stored.values), forKey: .companies)
    try container.encode(byNumber, forKey: .byNumber)
    try container.encode(version, forKey: .version)
    try container.encode(ids, forKey: .ids)
    try container.encode(limit, forKey: .limit)
  }
}
