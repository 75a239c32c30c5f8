import CanonicalJSON
import ViewState

extension FormScreen {
  /// The rows with what was entered into them, what is being sent, and what has happened with the form.
  public struct State: Codable, Equatable, Sendable {
    /// As it is described.
    private(set) var form: Form
    /// The rows as users have filled them in and arranged them.
    private(set) var outline: FormOutline
    /// The firms found for tax numbers, by the ids of their rows.
    var registry = Lookups<TaxNumber, [Company]>()
    /// The answers that were sent last, and the entry that they became.
    var submission = Lookups<JSONValue, ResourceID>()
    /// What has happened with the form, page by page.
    var activity = PagingState<ActivityEntry>()

    /// A form that is not filled in.
    init(form: Form) {
      self.form = form
      outline = form.outline
    }
  }
}

// MARK: - Events

extension FormScreen.State {
  /// Enters a value into a field.
  mutating func didChange(_ shown: ResourceID, _ value: JSONValue) throws(Refusal) {
    let event = try find(shown)
    guard case .input(var input) = event.field, event.part.isEmpty else { throw event.refusal }
    do throws(JSONShapeError) {
      try input.enter(JSONReader(value, pointer: JSONPointer.root.appending("value")))
    } catch {
      throw Refusal(error)
    }
    take(input, for: event.row)
  }

  /// Chooses a row: folds a group, or enters a firm into other fields.
  mutating func didSelect(_ shown: ResourceID) throws(Refusal) {
    let event = try find(shown)
    switch (event.field, event.part) {
    case (.group(var group), ""):
      group.isCollapsed.toggle()
      outline[field: event.row] = .group(group)
    case (.input(let input), _):
      guard case .taxNumber(let rule) = input.kind,
        let company = registry[event.row.text].value?.first(where: { $0.part == event.part })
      else { throw event.refusal }
      for (row, text) in rule.texts(of: company) {
        guard var input = outline.field(row)?.input else { continue }
        try? input.enter(JSONReader(.string(text)))
        take(input, for: row)
      }
    default: throw event.refusal
    }
  }

  /// Taps on a button, or on a row that has to do with a look-up.
  mutating func didTap(_ shown: ResourceID) throws(Refusal) {
    let event = try find(shown)
    switch (event.field, event.part, registry[event.row.text]) {
    case (.button(let button), "", _): button.does == .submit ? submit() : reset()
    case (.input, "loading", .isLoading): registry.cancel(event.row.text)
    case (.input, "failed", .failed): registry.retry(event.row.text)
    default: throw event.refusal
    }
  }

  /// A row of the description that an event is for.
  private struct Event {
    let shown: ResourceID
    let row: ResourceID
    /// Which of the rows behind it is meant; empty if it is the row itself.
    let part: Text
    let field: FormField

    /// Rows of its kind have no such event, or the row behind it that is named is not there.
    var refusal: Refusal { Refusal("row", "\(shown) has no such event") }
  }

  /// Finds the row of the description that is shown.
  ///
  /// - Parameter shown: The id of a row. That of a row behind another one begins with the other's and a
  ///   slash, which no id of a description can have.
  private func find(_ shown: ResourceID) throws(Refusal) -> Event {
    let names = shown.text.utf8.split(
      separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
    // A slash with nothing behind it names no row, least of all the one before it.
    let isPart = names.count == 2 && !names[1].isEmpty
    let row = isPart ? ResourceID(named: Text(Substring(names[0]))) : shown
    guard let found = outline.shown.joined().first(where: { $0.element.id == row }) else {
      throw Refusal("row", "no row \(shown) is shown")
    }
    return Event(
      shown: shown, row: row, part: isPart ? Text(Substring(names[1])) : "",
      field: found.element.field)
  }

  /// Takes what was entered into a field. If the value is another one, what was said of the last sending
  /// does not hold any more.
  private mutating func take(_ input: InputField, for row: ResourceID) {
    let isSame = outline.field(row)?.input?.answer == input.answer
    outline[field: row] = .input(input)
    registry.ask(input.query, for: row.text)
    if !isSame, !submission[].isLoading { submission.ask(nil) }
  }
}

// MARK: - The whole form

extension FormScreen.State {
  /// Checks what can be seen, and sends the answers if all of it is right.
  ///
  /// What is in a collapsed group counts, and the groups around a wrong value unfold, so that the user finds
  /// it. What is hidden does not count, and is not sent, except what the form itself brings along.
  mutating func submit() {
    if submission[].isLoading { return }
    let visible = outline.visible
    var (answers, wrong): ([Text: JSONValue], [ResourceID]) = ([:], [])
    let carried = outline.carried(beside: visible)
    outline.changeAll { row in
      guard case .input(var input) = row.field else { return }
      if visible.contains(row.id) {
        input.validate()
        row.field = .input(input)
        if !input.isValid { wrong.append(row.id) }
      } else if !carried.contains(row.id) {
        return
      }
      answers[row.id.text] = input.answer
    }
    if wrong.isEmpty { submission.ask(.object(answers)) } else { unfold(around: wrong) }
  }

  /// Starts over.
  mutating func reset() {
    outline = form.outline
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

  /// Takes over what a write made of the description. What was entered into rows that stay what they are is
  /// kept; how users had arranged them is not.
  mutating func replace(_ form: Form) {
    if form == self.form { return }
    self.form = form
    arrange(form.outline)
  }

  /// Puts other rows in the place of these. A row with the id and the kind of one that was there is the same
  /// row; what other rows look up ends.
  private mutating func arrange(_ new: FormOutline) {
    let old = outline.byID(\.row.field)
    var same: Set<Text> = []
    outline = new
    outline.changeAll { row in
      if let previous = old[row.id], row.field.adopt(previous) { same.insert(row.id.text) }
    }
    registry.keep { same.contains($0) }
  }

  private mutating func unfold(around rows: [ResourceID]) {
    let groups = outline.byID(\.group)
    var (open, rest): (Set<ResourceID>, [ResourceID]) = ([], rows)
    while let row = rest.popLast() {
      if let group = groups[row], open.insert(group).inserted { rest.append(group) }
    }
    outline.changeAll { row in
      guard case .group(var group) = row.field, open.contains(row.id) else { return }
      group.isCollapsed = false
      row.field = .group(group)
    }
  }
}

extension Company {
  /// The name of its row among those behind a field.
  var part: Text { "company/\(id)" }
}
