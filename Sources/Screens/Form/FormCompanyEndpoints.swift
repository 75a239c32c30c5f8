import CanonicalJSON
import ViewDeltaServer
import ViewState

/// The firms that forms look up by their tax numbers.
struct FormCompanyEndpoints: Sendable {
  typealias Failure = CompanyData.Failure

  let store: CompanyStore

  var collection: CollectionEndpoints<Company, CompanyData.Missing> {
    CollectionEndpoints(
      path: "/v1/companies",
      part: { (_, range) throws(Failure) in store.value.companies(range) },
      create: { (_, body, key) async throws(Failure) in
        try await company(.create(body.value), once: key)
      },
      resource: ResourceEndpoints(
        read: { (request) throws(Failure) in try store.value.company(request.id()) },
        parse: { (body, current) throws(JSONShapeError) in
          try Company(body, assigned: current.id)
        },
        replace: { (_, company, version) async throws(Failure) in
          try await self.company(.replace(company, expecting: version))
        },
        delete: { (request, version) async throws(Failure) in
          _ = try await store.write(.remove(request.id(), expecting: version))
        }))
  }

  private func company(
    _ write: CompanyWrite, once key: RequestKey? = nil
  ) async throws(Failure) -> Versioned<Company> {
    guard let company = try await store.write(write, once: key) else { throw .missing(.company) }
    return company
  }
}
