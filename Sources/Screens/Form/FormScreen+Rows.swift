import CanonicalJSON
import Snapshots
public import ViewState

/// The types of the rows of a form, and how the rows of its description become rows of these types.
extension FormScreen {
  private static let title = RowType(
    "formTitle", of: Text.self, "The title of a form. Its action starts over."
  ) {
    Field("text") { $0 }
    Action(reset, "Start over")
  }
  private static let header = RowType(
    "formHeader", of: FormLine.self, "A line of text above other rows."
  ) {
    Field("text", \.text)
    depth(\.depth)
  }
  private static let group = RowType(
    "formGroup", of: FormLine.self,
    "A row that folds away those beneath it. While it is collapsed, no row beneath it is shown, however "
      + "deep; each group among them remembers whether it is collapsed itself."
  ) {
    Field("text", \.text)
    Field("isCollapsed", \.isCollapsed)
    Action(didSelect, title: { $0.isCollapsed ? "Expand" : "Collapse" }) { $0.id }
    depth(\.depth)
  }
  private static let button = RowType(
    "formButton", of: FormLine.self, "A button that sends the form or starts over."
  ) {
    Field("text", \.text)
    Action(didTap, title: \.text) { $0.id }
    depth(\.depth)
  }
  private static let fieldError = RowType(
    "fieldError", of: FaultLine.self,
    "The error of a value, directly after its field, whose id is in `field`. The text is that of the "
      + "form if the form has one."
  ) {
    Field("field") { $0.field.text }
    Field("code", \.fault.code, .named)
    Field("text", \.fault.text)
    depth(\.depth)
  }

  // MARK: Looking up

  private static let lookingUp = RowType(
    "contentLoading", of: FormLine.self, "A tax number is looked up, or a form is sent."
  ) {
    Field("text", \.text)
    Action(didTap, "Cancel") { $0.id }
    depth(\.depth)
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
    Action(didSelect, "Use", if: { $0.isUseful }) { $0.id }
    depth(\.depth)
  }
  private static let moreCompanies = RowType(
    "moreCompanies", of: FormLine.self,
    "More than \(mostFirms) firms have the tax number. It follows the first \(mostFirms)."
  ) {
    Field("text", \.text)
    depth(\.depth)
  }
  private static let noCompany = RowType(
    "contentEmpty", of: FormLine.self, "There is no activity, or no firm has a tax number."
  ) {
    Field("text", \.text)
    depth(\.depth)
  }
  private static let lookUpFailed = RowType(
    "contentError", of: FailedLine.self,
    "A page of the activity, a tax number or the sending of the form has failed."
  ) {
    LoadFailure.fields.map { $0.of(\.failure) }
    Field("text") { _ in "Couldn't look up the number." as Text }
    Action(didTap, "Retry") { $0.id }
    depth(\.depth)
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

  /// The number of groups around a row, which is left out if there are none.
  static func depth<Line>(_ path: any KeyPath<Line, Int> & Sendable) -> Field<Line> {
    Field(
      "depth", path,
      .integer(1...FormRow.deepest).described(
        "The number of groups around the row; absent if there are none."
      ).usually(0))
  }

  @RowTypeBuilder
  public var rowTypes: [RowTypeDescriptor] {
    Self.title
    Self.header
    FormField.kinds.compactMap { $0.rowType?.descriptor }
    Self.fieldError
    Self.company
    Self.moreCompanies
    Self.group
    Self.button
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

/// What a row shows that belongs to a row of the description.
private struct FormLine: Equatable, Sendable {
  let id: ResourceID
  let text: Text
  let depth: Int
  var isCollapsed = false
}

/// What is wrong with the value of a field.
private struct FaultLine: Equatable, Sendable {
  let field: ResourceID
  let fault: FieldFault
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
    ListSection("form") { Self.title("form/title", state.form.title) }
    for (section, shown) in zip(state.outline.sections, state.shown) {
      ListSection(
        section.id.text, fields: section.title.map { ["title": .string($0)] } ?? [:]
      ) {
        for (row, depth) in shown { Self.rows(row, depth, in: state) }
      }
    }
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

  /// The row, and those that belong directly behind it, whose ids begin with its own and a slash.
  @ListBuilder<RowPart>
  private static func rows(_ row: FormRow, _ depth: Int, in state: State) -> [RowPart] {
    let id = row.id.text
    switch row.field {
    case .header(let field): header(id, FormLine(id: row.id, text: field.text, depth: depth))
    case .button(let field): button(id, FormLine(id: row.id, text: field.text, depth: depth))
    case .group(let field):
      group(
        id,
        FormLine(
          id: row.id, text: field.text, depth: depth,
          isCollapsed: state.isCollapsed[row.id] == true))
    case .input(let field):
      let value = state.entries[row.id] ?? field.initial
      field.rowType(id, InputLine(id: row.id, field: field, value: value, depth: depth))
      if let fault = state.fault(row) {
        fieldError("\(id)/error", FaultLine(field: row.id, fault: fault, depth: depth))
      }
      if case .taxNumber(let rule) = field.kind, let number = field.query(value) {
        rows(
          found: state.registry[id], for: number, after: row.id,
          isUseful: !rule.fills.isEmpty, depth)
      }
    }
  }

  /// The rows for the firms with a tax number, after the field for the number.
  @ListBuilder<RowPart>
  private static func rows(
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
