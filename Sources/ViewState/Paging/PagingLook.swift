import CanonicalJSON
package import Snapshots

/// How a long list looks that is loaded page by page.
package struct PagingLook<Item: Pageable>: Sendable {
  /// What stands before all else; `isRequested` tells whether anybody has asked for the list yet.
  let lead: @Sendable (_ isRequested: Bool, _ rows: inout RowCache) -> [Row]
  let item: @Sendable (_ item: Item, _ rows: inout RowCache) -> Row
  /// What is said where the list has no items.
  let empty: String
  /// What is said where a page could not be loaded.
  let failure: String
  /// What is said at the end of so many items.
  let end: @Sendable (_ count: Int) -> String

  /// Declares the rows and texts. The row of a failure has the stable code of the failure, and an
  /// action that asks for the same page again.
  package init(
    lead: @escaping @Sendable (_ isRequested: Bool, _ rows: inout RowCache) -> [Row],
    item: @escaping @Sendable (_ item: Item, _ rows: inout RowCache) -> Row,
    empty: String, failure: String, end: @escaping @Sendable (_ count: Int) -> String
  ) {
    self.lead = lead
    self.item = item
    self.empty = empty
    self.failure = failure
    self.end = end
  }
}

extension PagingChild {
  /// The rows of a state: the lead; what is shown; and at its end what is going on there: a row for
  /// the page on its way or to come, for one that did not come, or for the end of the list.
  @ListBuilder<Row>
  package func rows(_ state: PagingState<Item>, _ rows: inout RowCache) -> [Row] {
    let paging = state.paging
    look.lead(paging.isRequested, &rows)
    for item in paging.shown?.items ?? [] { look.item(item, &rows) }
    switch paging {
    case .notRequested: []
    case .isLoading: [progress(isLoading: true, "Loading…", cancel.action(title: "Cancel"), &rows)]
    case .loaded(let page): [tail(of: page, &rows)]
    case .failed(let failure, _, _): [errorRow(failure, &rows)]
    }
  }

  private func tail(of page: Page<Item>, _ rows: inout RowCache) -> Row {
    let count = page.items.count
    if page.end != nil {
      return progress(
        isLoading: false, "\(count) shown", loadNext.action(title: "Load more"), &rows)
    }
    return count == 0
      ? text("\(source)/empty", type: "contentEmpty", look.empty, &rows)
      : text("\(source)/end", type: "pageEnd", look.end(count), &rows)
  }

  private func progress(
    isLoading: Bool, _ text: String, _ action: JSONValue, _ rows: inout RowCache
  ) -> Row {
    let id: Text = "\(source)/progress"
    let fields: [Text: JSONValue] = [
      "isLoading": .bool(isLoading), "text": .string(text), "action": action,
    ]
    return rows.row(id, for: fields) { Row(id: id, type: "pageProgress", fields: $0) }
  }

  private func text(
    _ id: Text, type: Text, _ text: String, _ rows: inout RowCache
  ) -> Row {
    rows.row(id, for: Text(text)) { Row(id: id, type: type, fields: ["text": .string($0)]) }
  }

  private func errorRow(_ failure: LoadFailure, _ rows: inout RowCache) -> Row {
    let id: Text = "\(source)/error"
    return rows.row(id, for: failure) { failure in
      Row(
        id: id, type: "contentError",
        fields: [
          "code": .string(failure.code), "text": .string(look.failure),
          "action": retry.action(title: "Retry"),
        ])
    }
  }
}

extension Paging {
  fileprivate var isRequested: Bool {
    guard case .notRequested = self else { return true }
    return false
  }
}
