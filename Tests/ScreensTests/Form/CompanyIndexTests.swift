import CanonicalJSON
import TestSupport
import Testing
import ViewState

@testable import Screens

@Suite("The index of companies")
struct CompanyIndexTests {
  /// Returns where the companies of a number lie.
  private func place(of companies: [Company]) -> UnsafeRawPointer? {
    companies.withUnsafeBytes { $0.baseAddress }
  }

  @Test("is made once for each write, and has the companies of a number in their order")
  func once() async throws {
    let engine = Engine(environment: ScreenEnvironment(scheduler: ManualScheduler()))
    let store = CompanyStore(
      "companies", try CompanyData(JSONReader(FormFixture.companies)), in: engine)
    let (index, mills) = (CompanyIndex(), try TaxNumber(parsing: "DE136695976"))
    func companies(of number: TaxNumber) -> [Company] {
      index.companies(of: number, in: engine.stores[store])
    }
    let before = companies(of: mills)
    #expect(before.map(\.id) == [1, 2])
    #expect(try companies(of: TaxNumber(parsing: "DE115235681")).map(\.id) == [3])
    #expect(place(of: companies(of: mills)) == place(of: before))
    for name: Text in ["Mill", "New"] {
      let change = ResourceChange(.patch(["name": .string(name)]))
      try await store.write(.change(1, change))
      #expect(companies(of: mills).map(\.name) == [name, "Mill South"])
      #expect((place(of: companies(of: mills)) == place(of: before)) == (name == "Mill"))
    }
    try await store.write(.delete(2))
    #expect(companies(of: mills).map(\.id) == [1])
    #expect(companies(of: .none).isEmpty)
  }
}
