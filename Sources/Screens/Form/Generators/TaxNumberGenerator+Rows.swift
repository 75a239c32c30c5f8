import CanonicalJSON
import Snapshots
import ViewState

extension TaxNumberGenerator {
  func rows(depth: Int, _ rows: inout RowCache) -> [Row] {
    fieldRows(depth: depth, &rows) + lookupRows(depth: depth, &rows)
  }

  /// The name of the row of a company among those behind the field.
  func part(of company: Company) -> Text { "company/\(company.id)" }

  private func lookupRows(depth: Int, _ rows: inout RowCache) -> [Row] {
    guard let number = lookup.query else { return [] }
    switch lookup.load.loadable {
    case .notRequested: return []
    case .isLoading:
      return [
        rows.formRow("\(id)/loading", type: "contentLoading", depth: depth, for: number) {
          [
            "text": .string("Looking up \($0)…"),
            "action": FormCommand.didTap.action(title: "Cancel", row: "\(id)/loading"),
          ]
        }
      ]
    case .loaded(let companies):
      if companies.isEmpty {
        return [
          rows.formRow("\(id)/empty", type: "contentEmpty", depth: depth, for: true) { _ in
            ["text": "No firm has this number."]
          }
        ]
      }
      return companies.map { company($0, depth: depth, &rows) }
    case .failed(let failure, _):
      return [
        rows.formRow("\(id)/failed", type: "contentError", depth: depth, for: failure) {
          [
            "code": .string($0.code), "text": "Couldn't look up the number.",
            "action": FormCommand.didTap.action(title: "Retry", row: "\(id)/failed"),
          ]
        }
      ]
    }
  }

  private func company(_ company: Company, depth: Int, _ rows: inout RowCache) -> Row {
    let row: Text = "\(id)/\(part(of: company))"
    let offer = Offer(company: company, isUseful: !fills.isEmpty)
    return rows.formRow(row, type: "company", depth: depth, for: offer) { offer in
      var fields: [Text: JSONValue] = [
        "name": .string(offer.company.name), "city": .string(offer.company.city),
        "taxNumber": .string(offer.company.taxNumber.text),
      ]
      if offer.isUseful { fields["action"] = FormCommand.didSelect.action(title: "Use", row: row) }
      return fields
    }
  }
}

/// A company that was found, and whether there are fields to enter it into.
private struct Offer: Equatable {
  let company: Company
  let isUseful: Bool
}
