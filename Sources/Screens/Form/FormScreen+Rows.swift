import CanonicalJSON
public import Forms
public import Snapshots
public import ViewState

/// The types of the rows of a form, and how the rows of its description become rows of these types.
extension FormScreen {
  private static let title = RowType(
    "formTitle", of: Text.self, "The title of a form. Its action starts over."
  ) {
    Field("text") { $0 }
    Action(reset, "Start over")
  }

  // MARK: Looking up

  private static let lookingUp = RowType(
    "contentLoading", of: FormLine.self, "A tax number is looked up, or a form is sent."
  ) {
    Field("text", \.text)
    Action(State.tapCommand, "Cancel") { $0.id }
    Field.depth(\.depth)
  }
  private static let company = RowType(
    "company", of: CompanyLine.self,
    "A firm with the tax number. Its action enters its name and city into other fields, if the form has "
      + "such fields."
  ) {
    Field("detail", "The city and the tax number in one line, for people.") {
      "\($0.company.city) · \($0.company.taxNumber)" as Text
    }
    Company.fields.map { $0.of(\.company) }
    Action(State.selectCommand, "Use", if: { $0.isUseful }) { $0.id }
    Field.depth(\.depth)
  }
  private static let moreCompanies = RowType(
    "moreCompanies", of: FormLine.self,
    "More than \(mostFirms) firms have the tax number. It follows the first \(mostFirms)."
  ) {
    Field("text", \.text)
    Field.depth(\.depth)
  }
  private static let noCompany = RowType(
    "contentEmpty", of: FormLine.self, "There is no activity, or no firm has a tax number."
  ) {
    Field("text", \.text)
    Field.depth(\.depth)
  }
  private static let lookUpFailed = RowType(
    "contentError", of: FailedLine.self,
    "A page of the activity, a tax number or the sending of the form has failed."
  ) {
    LoadFailure.fields.map { $0.of(\.failure) }
    Field("text") { _ in "Couldn't look up the number." as Text }
    Action(State.tapCommand, "Retry") { $0.id }
    Field.depth(\.depth)
  }

  // MARK: Sending

  private static let sending = RowType(
    "contentLoading", of: NoFields.self, "A form is sent."
  ) {
    Field("text") { _ in "Sending…" as Text }
    Action(cancelSubmit, "Cancel")
  }
  private static let sent = RowType("formNotice", of: NoFields.self, "The form was sent.") {
    Field("text") { _ in "Sent. Thank you!" as Text }
    Action(reset, "Start over")
  }
  private static let sendingFailed = RowType.failure(
    "contentError", "The form could not be sent.", "Couldn't send the form.", retry: submit)

  /// An entry of the activity; its id is `entry/` and that of the entry.
  static let entry = RowType(
    "activityEntry", of: ActivityEntry.self, "An entry of the activity of a form."
  ) {
    Field("text", \.text)
    Field("date", \.date)
    Field("dateText", "The day of `date` in UTC, for people: `1 March 2026`.") {
      Language.en.date($0.date)
    }
  }

  @RowTypeBuilder
  public var rowTypes: [RowTypeDescriptor] {
    Self.title
    State.formRowTypes
    Self.company
    Self.moreCompanies
    Self.sent
    Self.entry
    activityHeader
    Self.lookingUp
    Self.sending
    Self.noCompany
    Self.lookUpFailed
    Self.sendingFailed
  }
}

/// What a row behind a field shows.
private struct FormLine: Equatable, Sendable {
  let id: ResourceID
  let text: Text
  let depth: Int
}

/// A firm that was found.
private struct CompanyLine: Equatable, Sendable {
  let id: ResourceID
  let company: Company
  /// Whether there are fields to enter it into.
  let isUseful: Bool
  let depth: Int
}

/// A look-up that has failed.
private struct FailedLine: Equatable, Sendable {
  let id: ResourceID
  let failure: LoadFailure
  let depth: Int
}

// MARK: - Layout

extension FormScreen {
  /// The rows of the fields, section by section, between the title and the state of the submission.
  @ListBuilder<ListSection>
  public func body(_ state: State) -> [ListSection] {
    ListSection("form") { Self.title("form/title", state.title) }
    state.formSections
    ListSection("submission") {
      switch state.submission[] {
      case .notRequested: [Row]()
      case .isLoading: Self.sending("submission/loading")
      case .loaded: Self.sent("submission/sent")
      case .failed(let failure, _): Self.sendingFailed("submission/failed", failure)
      }
    }
    ListSection("activity") {
      activityHeader("activity/header", activity.stateName(in: state) != "notRequested")
      activity.rows(state)
    }
  }
}

extension FormScreen.State {
  /// The rows for the firms with the tax number of a field.
  @ListBuilder<RowPart>
  public func rows(behind row: FormRow, depth: Int) -> [RowPart] {
    if let rule = row.input?.rule as? TaxNumberRule,
      let number = fields.answer(row).flatMap(rule.query)
    {
      FormScreen.rows(
        found: registry[row.id.text], for: number, after: row.id, isUseful: !rule.fills.isEmpty,
        depth)
    }
  }
}

extension FormScreen {
  /// The rows for the firms with a tax number, after the field for the number.
  @ListBuilder<RowPart>
  fileprivate static func rows(
    found companies: Loadable<[Company]>, for number: TaxNumber, after field: ResourceID,
    isUseful: Bool, _ depth: Int
  ) -> [RowPart] {
    switch companies {
    case .notRequested: [Row]()
    case .isLoading:
      let id: Text = "\(field)/loading"
      lookingUp(
        id,
        FormLine(id: ResourceID(named: id), text: "Looking up \(number)…", depth: depth))
    case .loaded([]):
      let id: Text = "\(field)/empty"
      noCompany(
        id, FormLine(id: ResourceID(named: id), text: "No firm has this number.", depth: depth))
    case .loaded(let companies):
      for found in companies.prefix(mostFirms) {
        let id: Text = "\(field)/\(found.part)"
        company(
          id,
          CompanyLine(
            id: ResourceID(named: id), company: found, isUseful: isUseful, depth: depth))
      }
      if companies.count > mostFirms {
        let id: Text = "\(field)/more"
        moreCompanies(
          id,
          FormLine(
            id: ResourceID(named: id), text: "Only the first \(mostFirms) firms are shown.",
            depth: depth))
      }
    case .failed(let failure, _):
      let id: Text = "\(field)/failed"
      lookUpFailed(id, FailedLine(id: ResourceID(named: id), failure: failure, depth: depth))
    }
  }
}
