import Snapshots
import Synchronization
import ViewState

/// The companies by their tax numbers, as of the last look-up. Each write to the companies looks up the numbers of all
/// forms again, so that only the first of these look-ups goes through all companies.
final class CompanyIndex: Sendable {
  private struct Known {
    let version: Int
    let elements: KeyedSequence<Company>
    let companies: [TaxNumber: [Company]]
  }

  private let known = Mutex<Known?>(nil)

  /// Returns the companies of a number, in their order.
  func companies(of number: TaxNumber, in data: CompanyData) -> [Company] {
    known.withLock { known in
      // Also the elements, because an input that is taken back gives its version to another one. Copies are compared
      // at once.
      if let known, known.version == data.version, known.elements == data.elements {
        return known.companies[number] ?? []
      }
      let companies = Dictionary(grouping: data.elements, by: \.taxNumber)
      known = Known(version: data.version, elements: data.elements, companies: companies)
      return companies[number] ?? []
    }
  }
}
