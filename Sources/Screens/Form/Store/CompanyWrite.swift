public import CanonicalJSON
public import ViewState

/// The registry of firms in memory.
public typealias CompanyStore = Store<CompanyData>

/// What clients can do to the registry of firms.
public enum CompanyWrite: Codable, Sendable {
  /// Creates the company in a document, with the next free id if it names none.
  case create(JSONValue)
  /// Replaces the company of the same id; if a version is given, only that one.
  case replace(Company, expecting: Int?)
  case remove(ResourceID, expecting: Int?)
}

extension CompanyData: StoreValue {
  /// - Returns: The company as it is now; `nil` if it is gone.
  public mutating func apply(
    _ write: CompanyWrite, at time: Timestamp
  ) throws(Failure) -> Written<Versioned<Company>?> {
    let before = version
    switch write {
    case .create(let body):
      let company: Company
      do { company = try Company(JSONReader(body), assigned: nextID) } catch {
        throw .malformed(error)
      }
      return Written(try insert(company), creating: [company.id.text], of: Self.name)
    case .replace(let company, let expected):
      let replaced = try replace(company, expecting: expected)
      if version == before { return Written(unchanged: replaced) }
      return Written(replaced, changing: [company.id.text], of: Self.name)
    case .remove(let id, let expected):
      try remove(id, expecting: expected)
      return Written(nil, removing: [id.text], of: Self.name)
    }
  }

  /// The name of the store, and of the source in the causes of revisions.
  static var name: Text { "companies" }
}
