public import CanonicalJSON
public import ViewState

/// What is shown of the fields.
extension FormFields {
  /// Returns the value of a row, as the row shows it; `nil` if the row has none.
  public func answer(_ row: FormRow) -> JSONValue? {
    row.input.map { entries[row.id] ?? $0.rule.written($0.initial, in: language) }
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
    Set(zip(outline.rows.entries, areVisible).lazy.filter(\.1).map(\.0.row.id))
  }

  /// Whether each row is visible, in the order of the rows of the outline.
  var areVisible: [Bool] { outline.rows.areVisible(has) }

  /// Returns whether a row has a value of the description.
  private func has(_ row: FormRow, _ value: JSONValue) -> Bool {
    guard let rule = row.input?.rule, let answer = answer(row) else { return false }
    let wanted = rule.written(value, in: language)
    if answer == wanted { return true }
    // A number is the same in other digits, such as 5 and 5.0.
    let submitted = rule.submitted(answer, in: language)
    return submitted != .null && submitted == rule.submitted(wanted, in: language)
  }

  /// The values that are right at the moment, as ``judge()`` returns them, by the ids of their rows. A field whose
  /// value is wrong, or that ``judge()`` leaves out, is absent. A value that the screen has refused counts as right.
  ///
  /// A screen uses them to compare several fields: see ``refuse(_:_:)``.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of rows.
  public var answers: [Text: JSONValue] {
    let (rows, visible) = (outline.rows.entries, areVisible)
    // Rows that are hidden for good, by themselves or with a group, are submitted, like the hidden inputs of HTML.
    // Rows that a condition hides are not submitted.
    var (hidden, answers): ([Bool], [Text: JSONValue]) = ([], [:])
    for (index, isVisible) in visible.enumerated() {
      let (row, group) = (rows[index].row, rows[index].group)
      let isBeneathHidden = group.map { hidden[$0] } ?? false
      let isHidden =
        switch row.visibility {
        case .visible: isBeneathHidden
        case .hidden: isBeneathHidden || group.map { visible[$0] } ?? true
        case .when: false
        }
      hidden.append(isHidden)
      guard isHidden || isVisible, let input = input(of: row),
        let answer = answer(row), !isHidden || input.isFilled(answer),
        input.judge(answer, in: language) == nil
      else { continue }
      answers[row.id.text] = input.rule.submitted(answer, in: language)
    }
    return answers
  }

  /// Returns the row with an id, if it is shown: if it is visible, and in no collapsed group.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows.
  func shown(_ id: ResourceID) -> FormRow? {
    let rows = outline.rows
    guard let index = rows.index(of: id), rows.isVisible(index, has) else { return nil }
    var next = rows.entries[index].group
    while let group = next {
      if isCollapsed(rows.entries[group].row) { return nil }
      next = rows.entries[group].group
    }
    return rows.entries[index].row
  }

  /// The rows that are shown, section by section, with their depths.
  var shown: [[(row: FormRow, depth: Int)]] {
    let (rows, visible) = (outline.rows.entries, areVisible)
    var shown = outline.sections.map { _ in [(row: FormRow, depth: Int)]() }
    // Whether the rows beneath each are shown.
    var areOpen: [Bool] = []
    for index in rows.indices {
      let isShown = visible[index] && rows[index].group.map { areOpen[$0] } ?? true
      if isShown { shown[rows[index].section].append((rows[index].row, rows[index].depth)) }
      areOpen.append(
        isShown && !rows[index].row.children.isEmpty && !isCollapsed(rows[index].row))
    }
    return shown
  }
}
