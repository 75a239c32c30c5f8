import CanonicalJSON
import ViewState

extension FormOutline {
  /// The ids of the rows that may be shown: neither hidden, nor in a group that is, nor bound to a
  /// row that is hidden or has another value. Whether a group is collapsed does not count.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of rows.
  var visible: Set<ResourceID> {
    let rows = Dictionary(uniqueKeysWithValues: allRows.map { ($0.row.id, ($0.row, $0.group)) })
    var known: [ResourceID: Bool] = [:]
    func isVisible(_ id: ResourceID) -> Bool {
      if let answer = known[id] { return answer }
      guard let (row, group) = rows[id] else { return false }
      let answer = (group.map(isVisible) ?? true) && isAllowed(row.generator)
      known[id] = answer
      return answer
    }
    func isAllowed(_ generator: any RowGenerator) -> Bool {
      switch generator.frame.visibility {
      case .visible: true
      case .hidden: false
      case .when(let id, let value):
        isVisible(id) && rows[id]?.0.generator.answer == value
      }
    }
    return Set(rows.keys.filter(isVisible))
  }

  /// The rows that are shown, section by section, with how deep they stand.
  var shown: [[(element: FormRow, depth: Int)]] {
    let visible = visible
    return sections.map { $0.rows.unfolded { visible.contains($0.id) } }
  }
}
