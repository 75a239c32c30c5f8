import CanonicalJSON
import ViewState

extension FormScreen {
  /// The rows with what was entered into them, what is being sent, and what has happened with the form.
  public struct State: Codable, Equatable, Sendable {
    /// The description in the store, from which a reset starts.
    private(set) var form: Form
    /// The rows as users have arranged them.
    private(set) var outline: FormOutline
    /// The values of fields, by the ids of their rows, once they were entered or judged.
    private(set) var entries: [ResourceID: JSONValue] = [:]
    /// Whether groups are collapsed, by their ids.
    private(set) var isCollapsed: [ResourceID: Bool]
    /// The firms found for tax numbers, by the ids of their rows.
    var registry = Lookups<TaxNumber, [Company]>()
    /// The answers that were sent last, and the entry that they became.
    var submission = Lookups<JSONValue, ResourceID>()
    /// What has happened with the form, page by page.
    var activity = PagingState<ActivityEntry>()

    /// A form that is not filled in.
    init(form: Form) {
      (self.form, outline) = (form, form.outline)
      isCollapsed = form.outline.byID.compactMapValues(\.row.field.group?.isCollapsed)
    }
  }
}

// MARK: - What is shown

extension FormScreen.State {
  /// The value of a row; `nil` if the row has none.
  func answer(_ row: FormRow) -> JSONValue? {
    row.field.input.map { entries[row.id] ?? $0.initial }
  }

  /// What is wrong with the value of a row, if it was entered or judged.
  func fault(_ row: FormRow) -> FieldFault? {
    entries[row.id].flatMap { row.field.input?.judge($0) }
  }

  /// The ids of the rows that may be shown: neither hidden, nor in a group that is, nor bound to a row that is
  /// hidden or has another value. Whether a group is collapsed does not count.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of rows.
  var visible: Set<ResourceID> {
    let rows = outline.byID
    var known: [ResourceID: Bool] = [:]
    func isVisible(_ id: ResourceID) -> Bool {
      if let answer = known[id] { return answer }
      guard let (row, _, group) = rows[id] else { return false }
      let answer = (group.map(isVisible) ?? true) && isAllowed(row.visibility)
      known[id] = answer
      return answer
    }
    func isAllowed(_ visibility: Visibility) -> Bool {
      switch visibility {
      case .visible: true
      case .hidden: false
      case .when(let id, let value): isVisible(id) && rows[id].flatMap { answer($0.row) } == value
      }
    }
    return Set(rows.keys.filter(isVisible))
  }

  /// The rows that are shown, section by section, with their depths.
  var shown: [[(element: FormRow, depth: Int)]] {
    let visible = visible
    return outline.sections.map { section in
      section.rows.unfolded {
        visible.contains($0.id)
      } isCollapsed: {
        isCollapsed[$0.id] == true
      }
    }
  }
}

// MARK: - Events

extension FormScreen.State {
  /// A row of the description that an event is for.
  private struct Target {
    let row: FormRow
    /// Which of the rows behind it is meant; empty if it is the row itself.
    let part: Text
    /// Rows of its kind have no such event, or the row behind it that is named is not there.
    let refusal: Refusal
  }

  /// Finds the row of the description that is shown.
  ///
  /// - Parameter shown: The id of a row. That of a row behind another one begins with the other's and a
  ///   slash, which no id of a description can have.
  private func target(_ shown: ResourceID) throws(Refusal) -> Target {
    let names = shown.text.utf8.split(
      separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
    // A slash with nothing behind it names no row, least of all the one before it.
    let isPart = names.count == 2 && !names[1].isEmpty
    let id = isPart ? ResourceID(named: Text(Substring(names[0]))) : shown
    guard let row = self.shown.joined().first(where: { $0.element.id == id })?.element else {
      throw Refusal("row", "no row \(shown) is shown")
    }
    return Target(
      row: row, part: isPart ? Text(Substring(names[1])) : "",
      refusal: Refusal("row", "\(shown) has no such event"))
  }

  /// Enters a value into a field.
  mutating func didChange(_ shown: ResourceID, _ value: JSONValue) throws(Refusal) {
    let target = try target(shown)
    guard target.row.field.input != nil, target.part.isEmpty else { throw target.refusal }
    do throws(JSONShapeError) {
      try enter(JSONReader(value, pointer: JSONPointer(tokens: ["value"])), into: target.row)
    } catch {
      throw Refusal(error)
    }
  }

  /// Chooses a row: folds a group, or enters a firm into other fields.
  mutating func didSelect(_ shown: ResourceID) throws(Refusal) {
    let target = try target(shown)
    switch (target.row.field, target.part) {
    case (.group, ""): isCollapsed[target.row.id]?.toggle()
    case (.input(let input), let part):
      guard case .taxNumber(let rule) = input.kind,
        let company = registry[target.row.id.text].value?.prefix(FormScreen.mostFirms)
          .first(where: { $0.part == part })
      else { throw target.refusal }
      let rows = outline.byID
      for (id, text) in rule.texts(of: company) {
        if let row = rows[id]?.row { try? enter(JSONReader(.string(text)), into: row) }
      }
    default: throw target.refusal
    }
  }

  /// Taps on a button, or on a row that has to do with a look-up.
  mutating func didTap(_ shown: ResourceID) throws(Refusal) {
    let target = try target(shown)
    let id = target.row.id.text
    switch (target.row.field, target.part, registry[id]) {
    case (.button(let button), "", _): button.does == .submit ? submit() : reset()
    case (.input, "loading", .isLoading): registry.cancel(id)
    case (.input, "failed", .failed): registry.retry(id)
    default: throw target.refusal
    }
  }

  /// Enters a value into a field. If it is another one, the form is no longer shown as sent, nor as failed.
  private mutating func enter(_ json: JSONReader, into row: FormRow) throws(JSONShapeError) {
    guard let input = row.field.input else { return }
    let (before, value) = (answer(row), try input.enter(json))
    entries[row.id] = value
    registry.ask(input.query(value), for: row.id.text)
    if value != before, !submission[].isLoading { submission.ask(nil) }
  }
}

// MARK: - The whole form

extension FormScreen.State {
  /// Judges what can be seen, and sends the answers if all of it is right.
  ///
  /// What is in a collapsed group counts, and the groups around a wrong value unfold, so that the user finds
  /// it. What is hidden does not count, and is not sent, except what the form itself brings along.
  mutating func submit() {
    if submission[].isLoading { return }
    let (visible, rows) = (visible, outline.allRows)
    var (answers, wrong): ([Text: JSONValue], [ResourceID?]) = ([:], [])
    for (row, _, group) in rows where visible.contains(row.id) {
      guard let answer = answer(row) else { continue }
      entries[row.id] = answer
      answers[row.id.text] = answer
      if fault(row) != nil { wrong.append(group) }
    }
    if wrong.isEmpty {
      submission.ask(.object(answers.merging(carried(rows, beside: visible)) { $1 }))
    } else {
      unfold(wrong)
    }
  }

  /// The answers of the rows that are never shown and whose values are sent all the same, as those of HTML's
  /// hidden inputs are: hidden for good, themselves or with a group, and filled in with something right. What
  /// is hidden only while another row has some value is not among them.
  private func carried(
    _ rows: [PlacedRow], beside visible: Set<ResourceID>
  ) -> [Text: JSONValue] {
    var (hidden, answers): (Set<ResourceID>, [Text: JSONValue]) = ([], [:])
    // Groups come before the rows beneath them.
    for (row, _, group) in rows {
      let isBeneathHidden = group.map(hidden.contains) ?? false
      let isHidden =
        switch row.visibility {
        case .visible: isBeneathHidden
        case .hidden: isBeneathHidden || group.map(visible.contains) ?? true
        case .when: false
        }
      guard isHidden else { continue }
      hidden.insert(row.id)
      if let input = row.field.input, let answer = answer(row), input.isFilled(answer),
        input.judge(answer) == nil
      {
        answers[row.id.text] = answer
      }
    }
    return answers
  }

  private mutating func unfold(_ groups: [ResourceID?]) {
    let rows = outline.byID
    for group in groups {
      var next = group
      while let id = next {
        isCollapsed[id] = false
        next = rows[id]?.group
      }
    }
  }

  /// Starts over.
  mutating func reset() {
    let initial = Self(form: form)
    (outline, entries, isCollapsed) = (initial.outline, [:], initial.isCollapsed)
    registry.keep { _ in false }
    submission.ask(nil)
  }

  /// Arranges the rows anew.
  ///
  /// - Throws: `Refusal` that names the operation at fault; nothing has changed then.
  mutating func apply(_ operations: [FormOperation]) throws(Refusal) {
    var arranged = outline
    do throws(JSONShapeError) {
      try arranged.apply(operations)
    } catch {
      throw Refusal(error)
    }
    arrange(arranged)
  }

  /// Replaces the description of the form after a write. Rows that keep their id and kind keep the values that
  /// were entered; the changes of users to the order of rows are lost.
  mutating func replace(_ form: Form) {
    if form == self.form { return }
    self.form = form
    arrange(form.outline)
  }

  /// Puts other rows in the place of these. A row with the id and the kind of one that was there is the same
  /// row, whose value is read by the new rules; what other rows look up ends.
  private mutating func arrange(_ new: FormOutline) {
    let (old, rows) = (outline.byID, new.byID)
    let same = rows.filter { old[$0]?.row.field.kind == $1.row.field.kind }
    let wereCollapsed = isCollapsed
    outline = new
    entries = entries.reduce(into: [:]) { entries, entry in
      entries[entry.key] = try? same[entry.key]?.row.field.input?.enter(JSONReader(entry.value))
    }
    isCollapsed = rows.reduce(into: [:]) { collapsed, entry in
      guard let group = entry.value.row.field.group else { return }
      let before = same[entry.key] == nil ? nil : wereCollapsed[entry.key]
      collapsed[entry.key] = before ?? group.isCollapsed
    }
    registry.keep { same[ResourceID(named: $0)] != nil }
  }
}

extension Company {
  /// The name of its row among those behind a field.
  var part: Text { "company/\(id)" }
}
