import CanonicalJSON
import ViewState

extension FormOutline {
  /// The ids of the rows that may be shown: neither hidden, nor in a group that is, nor bound to a
  /// row that is hidden or has another value. Whether a group is collapsed does not count.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of rows.
  var visible: Set<ResourceID> {
    let rows = byID { ($0.row, $0.group) }
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

  /// The ids of the rows that are never shown and whose values are sent all the same, as those of
  /// HTML's hidden inputs are: hidden for good, themselves or with a group, and filled in with
  /// something right. What is hidden only while another row has some value is not among them.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of rows.
  func carried(beside visible: Set<ResourceID>) -> Set<ResourceID> {
    var hidden: Set<ResourceID> = []
    var carried: Set<ResourceID> = []
    // Groups come before the rows beneath them.
    for (row, _, group) in allRows {
      let isBeneathHidden = group.map(hidden.contains) ?? false
      let isBeneathVisible = group.map(visible.contains) ?? true
      let isHidden =
        switch row.generator.frame.visibility {
        case .visible: isBeneathHidden
        case .hidden: isBeneathHidden || isBeneathVisible
        case .when: false
        }
      if isHidden { hidden.insert(row.id) }
      if isHidden, row.generator.isFilled, row.generator.isValid { carried.insert(row.id) }
    }
    return carried
  }

  /// The rows that are shown, section by section, with how deep they stand.
  var shown: [[(element: FormRow, depth: Int)]] {
    let visible = visible
    return sections.map { $0.rows.unfolded { visible.contains($0.id) } }
  }
}
