public import CanonicalJSON
public import Forms
public import ViewState

extension FormScreen {
  /// The kinds of the rows of forms: those of the library, and fields for tax numbers, which are looked up.
  public enum Kinds: FormKindSet {
    public static let kinds = FormKinds.standard.adding(TaxNumberRule.self)
      .reserving("form", "submission", "activity", "entry")
  }

  /// The rows with what was entered into them, what is being sent, and what has happened with the form.
  public struct State: Codable, Equatable, Sendable {
    /// The title in the store.
    private(set) var title: Text
    public var fields: FormFields<Kinds>
    /// The companies found for tax numbers, by the ids of their rows.
    var registry = Lookups<TaxNumber, [Company]>()
    /// The answers that were sent last, and the entry that they became.
    var submission = Lookups<JSONValue, ResourceID>()
    /// What has happened with the form, page by page.
    var activity = PagingState<ActivityEntry>()

    /// A form that is not filled in.
    init(form: Form, language: Language = .en) {
      (title, fields) = (form.title, FormFields(form.outline, language: language))
    }
  }
}

extension FormScreen.State: FormState {
  /// Looks up a tax number. If the value is new, the form is no longer shown as sent or as failed.
  public mutating func entered(_ value: JSONValue, into row: FormRow, isNew: Bool) {
    registry.ask((row.input?.rule as? TaxNumberRule)?.query(value), for: row.id.text)
    if isNew, !submission[].isLoading { submission.ask(nil) }
  }

  /// Judges the visible fields, and sends the answers if all values are right.
  public mutating func submit(as id: Text) {
    if submission[].isLoading { return }
    if let answers = fields.judge() { submission.ask(.object(answers)) }
  }

  /// Ends the look-ups of rows that are gone.
  public mutating func arranged(keeping rows: Set<ResourceID>) {
    registry.keep { rows.contains(ResourceID(named: $0)) }
  }

  /// Enters a company into other fields.
  public mutating func select(_ part: Text, behind row: FormRow) -> Bool {
    guard let rule = row.input?.rule as? TaxNumberRule,
      let company = registry[row.id.text].value?.prefix(FormScreen.mostFirms)
        .first(where: { $0.part == part })
    else { return false }
    for (id, text) in rule.texts(of: company) { try? enter(.string(text), into: id) }
    return true
  }

  /// Cancels a look-up, or tries it again.
  public mutating func tap(_ part: Text, behind row: FormRow) -> Bool {
    switch (part, registry[row.id.text]) {
    case ("loading", .isLoading): registry.cancel(row.id.text)
    case ("failed", .failed): registry.retry(row.id.text)
    default: return false
    }
    return true
  }

  /// Starts over, and drops the submission.
  public mutating func reset() {
    startOver()
    submission.ask(nil)
  }

  /// Takes over the form in the store after a write.
  mutating func follow(_ form: Form) {
    title = form.title
    replace(form.outline)
  }
}

extension Company {
  /// The name of its row among those behind a field.
  var part: Text { "company/\(id)" }
}
