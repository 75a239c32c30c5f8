import CanonicalJSON
public import Forms
public import Snapshots
public import ViewState

/// The types of the rows of a form, and how the rows of its description become rows of these types.
extension FormScreen {
  /// The types of the rows that are not those of the library, with their texts in a language.
  struct Rows: Sendable {
    let title: RowType<Text>
    let lookingUp: RowType<FormLine>
    let company: RowType<CompanyLine>
    let moreCompanies: RowType<FormLine>
    let noCompany: RowType<FormLine>
    let lookUpFailed: RowType<FailedLine>
    let sending: RowType<NoFields>
    let sent: RowType<NoFields>
    let sendingFailed: RowType<LoadFailure>
    /// An entry of the activity; its id is `entry/` and that of the entry.
    let entry: RowType<ActivityEntry>
    let activityHeader: RowType<Bool>

    /// The command that loads the activity.
    static let loadActivity: Text = "loadActivity"

    /// Returns the types of a language, of which there is one set.
    static func of(_ language: Language) -> Rows {
      switch language {
      case .en: english
      case .de: german
      }
    }

    private static let english = Rows(.en)
    private static let german = Rows(.de)

    private init(_ language: Language) {
      let startOver = Localized(en: "Start over", de: "Von vorn beginnen")[language]
      title = RowType("formTitle", of: Text.self, "The title of a form. Its action starts over.") {
        Field("text") { $0 }
        Action(reset, startOver)
      }
      lookingUp = RowType(
        "contentLoading", of: FormLine.self, "A tax number is looked up, or a form is sent."
      ) {
        Field("text", \.text)
        Action(State.tapCommand, Localized.cancel[language]) { $0.id }
        Field.depth(\.depth)
      }
      company = RowType(
        "company", of: CompanyLine.self,
        "A company with the tax number. Its action enters its name and city into other fields, if the form "
          + "has such fields."
      ) {
        Field("detail", "The city and the tax number in one line, for people.") {
          "\($0.company.city) · \($0.company.taxNumber)" as Text
        }
        Company.fields.map { $0.of(\.company) }
        Action(
          State.selectCommand, Localized(en: "Use", de: "Übernehmen")[language],
          if: { $0.isUseful }
        ) { $0.id }
        Field.depth(\.depth)
      }
      moreCompanies = RowType(
        "moreCompanies", of: FormLine.self,
        "More than \(mostFirms) companies have the tax number. It follows the first \(mostFirms)."
      ) {
        Field("text", \.text)
        Field.depth(\.depth)
      }
      noCompany = RowType(
        "contentEmpty", of: FormLine.self, "There is no activity, or no company has a tax number."
      ) {
        Field("text", \.text)
        Field.depth(\.depth)
      }
      lookUpFailed = RowType(
        "contentError", of: FailedLine.self,
        "A page of the activity, a tax number or the sending of the form has failed."
      ) {
        LoadFailure.fields(in: language).map { $0.of(\.failure) }
        Field("text") { _ in
          Localized(
            en: "Couldn't look up the number.",
            de: "Die Nummer konnte nicht nachgeschlagen werden.")[language]
        }
        Action(State.tapCommand, Localized.retry[language]) { $0.id }
        Field.depth(\.depth)
      }
      sending = RowType("contentLoading", of: NoFields.self, "A form is sent.") {
        Field("text") { _ in Localized(en: "Sending…", de: "Wird gesendet …")[language] }
        Action(cancelSubmit, Localized.cancel[language])
      }
      sent = RowType("formNotice", of: NoFields.self, "The form was sent.") {
        Field("text") { _ in Localized(en: "Sent. Thank you!", de: "Gesendet. Danke!")[language] }
        Action(reset, startOver)
      }
      sendingFailed = RowType.failure(
        "contentError", "The form could not be sent.",
        Localized(
          en: "Couldn't send the form.", de: "Das Formular konnte nicht gesendet werden.")[
            language],
        retry: submit, in: language)
      entry = RowType(
        "activityEntry", of: ActivityEntry.self, "An entry of the activity of a form."
      ) {
        Field("text", \.text)
        Field("date", \.date)
        Field("dateText", "The day of `date` in UTC, for people: `1 March 2026`.") {
          language.date($0.date)
        }
      }
      let load = Command<State>(Self.loadActivity, "Loads the activity.")
      activityHeader = RowType(
        "contentHeader", "The title above the activity, which the action loads."
      ) {
        Field("text") { _ in Localized(en: "Activity", de: "Aktivität")[language] }
        Action(
          load,
          title: {
            ($0 ? Localized(en: "Reload", de: "Neu laden") : Localized(en: "Load", de: "Laden"))[
              language]
          }
        ) { _ in () }
      }
    }
  }

  @RowTypeBuilder
  public var rowTypes: [RowTypeDescriptor] {
    rows.title
    State.formRowTypes
    rows.company
    rows.moreCompanies
    rows.sent
    rows.entry
    rows.activityHeader
    rows.lookingUp
    rows.sending
    rows.noCompany
    rows.lookUpFailed
    rows.sendingFailed
  }
}

/// What a row behind a field shows.
struct FormLine: Equatable, Sendable {
  let id: ResourceID
  let text: Text
  let depth: Int
}

/// A company that was found.
struct CompanyLine: Equatable, Sendable {
  let id: ResourceID
  let company: Company
  /// Whether there are fields to enter it into.
  let isUseful: Bool
  let depth: Int
}

/// A look-up that has failed.
struct FailedLine: Equatable, Sendable {
  let id: ResourceID
  let failure: LoadFailure
  let depth: Int
}

// MARK: - Layout

extension FormScreen {
  /// The rows of the fields, section by section, between the title and the state of the submission.
  @ListBuilder<ListSection>
  public func body(_ state: State) -> [ListSection] {
    ListSection("form") { rows.title("form/title", state.title) }
    state.formSections
    ListSection("submission") {
      switch state.submission[] {
      case .notRequested: []
      case .isLoading: rows.sending("submission/loading")
      case .loaded: rows.sent("submission/sent")
      case .failed(let failure, _): rows.sendingFailed("submission/failed", failure)
      }
    }
    ListSection("activity") {
      rows.activityHeader("activity/header", activity.stateName(in: state) != "notRequested")
      activity.rows(state)
    }
  }
}

extension FormScreen.State {
  /// The rows for the companies with the tax number of a field.
  @ListBuilder<RowPart>
  public func rows(behind row: FormRow, depth: Int) -> [RowPart] {
    if let rule = row.input?.rule as? TaxNumberRule,
      let number = fields.answer(row).flatMap(rule.query)
    {
      FormScreen.Rows.of(fields.language).rows(
        found: registry[row.id.text], for: number, after: row.id, isUseful: !rule.fills.isEmpty,
        depth, in: fields.language)
    }
  }
}

extension FormScreen.Rows {
  /// The rows for the companies with a tax number, after the field for the number.
  @ListBuilder<RowPart>
  fileprivate func rows(
    found companies: Loadable<[Company]>, for number: TaxNumber, after field: ResourceID,
    isUseful: Bool, _ depth: Int, in language: Language
  ) -> [RowPart] {
    let line = { (type: RowType<FormLine>, name: Text, text: Localized) in
      let id: Text = "\(field)/\(name)"
      return type(id, FormLine(id: ResourceID(named: id), text: text[language], depth: depth))
    }
    switch companies {
    case .notRequested: []
    case .isLoading:
      line(
        lookingUp, "loading",
        Localized(en: "Looking up \(number)…", de: "\(number) wird nachgeschlagen …"))
    case .loaded([]):
      line(
        noCompany, "empty",
        Localized(en: "No firm has this number.", de: "Keine Firma hat diese Nummer."))
    case .loaded(let companies):
      for found in companies.prefix(FormScreen.mostFirms) {
        let id: Text = "\(field)/\(found.part)"
        company(
          id,
          CompanyLine(
            id: ResourceID(named: id), company: found, isUseful: isUseful, depth: depth))
      }
      if companies.count > FormScreen.mostFirms {
        line(
          moreCompanies, "more",
          Localized(
            en: "Only the first \(FormScreen.mostFirms) firms are shown.",
            de: "Nur die ersten \(FormScreen.mostFirms) Firmen werden gezeigt."))
      }
    case .failed(let failure, _):
      let id: Text = "\(field)/failed"
      lookUpFailed(id, FailedLine(id: ResourceID(named: id), failure: failure, depth: depth))
    }
  }
}
