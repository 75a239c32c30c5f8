public import CanonicalJSON
public import ViewState

/// What is shown of the fields.
extension FormFields {
  /// Returns the value of a row, as the row shows it; `nil` if the row has none.
  public func answer(_ row: FormRow) -> JSONValue? {
    row.input.map { entries[row.id] ?? $0.rule.written($0.initial, in: language) }
  }

  /// Returns what is wrong with the value of a row; `nil` if the value is right, or if it was not entered, judged or
  /// refused yet.
  public func fault(_ row: FormRow) -> FieldFault? {
    if let refusal = refusals[row.id] { return refusal }
    guard isTouched(row.id), let answer = answer(row) else { return nil }
    return input(of: row)?.judge(answer, in: language)
  }

  /// Whether the value of a row was entered or judged.
  func isTouched(_ row: ResourceID) -> Bool { entries[row] != nil || judged.contains(row) }

  /// The field of a row, with the options that the screen has set; `nil` if the row has no value.
  func input(of row: FormRow) -> InputField? {
    options[row.id].flatMap { row.input?.offering($0) } ?? row.input
  }

  /// Whether a row is a group that is collapsed.
  func isCollapsed(_ row: FormRow) -> Bool { folds[row.id] ?? row.isCollapsed }

  /// The ids of the rows that are not hidden by themselves, with a group, or by a condition. The rows of collapsed
  /// groups are among them.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of rows.
  public var visible: Set<ResourceID> {
    var search = VisibleRows(of: self)
    return Set(search.rows.keys.filter { search.contains($0) })
  }

  /// The values that are right at the moment, as ``judge()`` returns them, by the ids of their rows. A field whose
  /// value is wrong, or that ``judge()`` leaves out, is absent. A value that the screen has refused counts as right.
  ///
  /// A screen uses them to compare several fields: see ``refuse(_:_:)``.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of rows.
  public var answers: [Text: JSONValue] {
    let visible = visible
    // Rows that are hidden for good, by themselves or with a group, are submitted, like the hidden inputs of HTML.
    // Rows that a condition hides are not submitted.
    var (hidden, answers): (Set<ResourceID>, [Text: JSONValue]) = ([], [:])
    // Groups come before the rows beneath them.
    for (row, _, group) in outline.allRows {
      let isBeneathHidden = group.map(hidden.contains) ?? false
      let isHidden =
        switch row.visibility {
        case .visible: isBeneathHidden
        case .hidden: isBeneathHidden || group.map(visible.contains) ?? true
        case .when: false
        }
      if isHidden { hidden.insert(row.id) }
      guard isHidden || visible.contains(row.id), let input = input(of: row),
        let answer = answer(row), !isHidden || input.isFilled(answer),
        input.judge(answer, in: language) == nil
      else { continue }
      answers[row.id.text] = input.rule.submitted(answer, in: language)
    }
    return answers
  }

  /// Returns the row with an id, if it is shown: if it is visible, and in no collapsed group.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of rows.
  func shown(_ id: ResourceID) -> FormRow? {
    var search = VisibleRows(of: self)
    guard let (row, parent) = search.rows[id], search.contains(id) else { return nil }
    var next = parent
    while let id = next, let (row, parent) = search.rows[id] {
      if isCollapsed(row) { return nil }
      next = parent
    }
    return row
  }

  /// The rows that are shown, section by section, with their depths.
  var shown: [[(element: FormRow, depth: Int)]] {
    let visible = visible
    return outline.sections.map { section in
      section.rows.unfolded {
        visible.contains($0.id)
      } isCollapsed: {
        isCollapsed($0)
      }
    }
  }
}

/// Finds which rows are visible, each row once.
private struct VisibleRows<Kinds: FormKindSet> {
  /// All rows by their ids, each with the id of its group.
  let rows: [ResourceID: (row: FormRow, group: ResourceID?)]
  private let fields: FormFields<Kinds>
  private var known: [ResourceID: Bool] = [:]

  init(of fields: FormFields<Kinds>) {
    (rows, self.fields) = (fields.outline.byID, fields)
  }

  /// Returns whether there is a row with an id, which is visible.
  mutating func contains(_ id: ResourceID) -> Bool {
    if let answer = known[id] { return answer }
    guard let (row, group) = rows[id] else { return false }
    let answer =
      (group.map { contains($0) } ?? true) && isAllowed(row.visibility)
      && row.field.content(of: Offer.self).map { isOpen($0.entry) } ?? true
    known[id] = answer
    return answer
  }

  private func has(_ value: RowValue) -> Bool {
    guard let row = rows[value.row]?.row, let rule = row.input?.rule,
      let answer = fields.answer(row)
    else { return false }
    let wanted = rule.written(value.value, in: fields.language)
    if answer == wanted { return true }
    // A number is the same in other digits, such as 5 and 5.0.
    let submitted = rule.submitted(answer, in: fields.language)
    return submitted != .null && submitted == rule.submitted(wanted, in: fields.language)
  }

  private mutating func isAllowed(_ visibility: Visibility) -> Bool {
    switch visibility {
    case .visible: true
    case .hidden: false
    case .when(let condition): contains(condition.row) && has(condition)
    }
  }

  private mutating func isOpen(_ offer: RowValue) -> Bool { contains(offer.row) && !has(offer) }
}
