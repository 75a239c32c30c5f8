public import CanonicalJSON
public import ViewState

/// One form: its rows come from generators, and so does all that users can do with them; behind
/// them stands what became of sending it, and a long list of what has happened with it.
public struct FormScreen: ScreenMachine {
  let store: FormStore
  let companies: CompanyStore
  let limits: FormLimits
  let activity: PagingChild<ActivityEntry>

  /// - Parameters:
  ///   - store: where forms come from, and where they are sent to.
  ///   - companies: where tax numbers are looked up.
  public init(
    store: FormStore, companies: CompanyStore,
    limits: FormLimits = FormLimits()
  ) {
    self.store = store
    self.companies = companies
    self.limits = limits
    activity = .activity()
  }

  /// The types of its rows.
  private static let rowTypes = DemoDocument.rowTypes(
    [
      "FormTitleRow", "FormHeaderRow", "FormTextRow", "FormPhoneRow", "FormDateRow",
      "FormDropdownRow", "FormSwitchRow", "FormTaxNumberRow", "FieldErrorRow", "CompanyRow",
      "FormGroupRow", "FormButtonRow", "FormNoticeRow", "ActivityEntryRow", "FormContentHeaderRow",
      "FormContentLoadingRow", "FormContentEmptyRow", "FormContentErrorRow", "PageProgressRow",
      "PageEndRow",
    ], in: DemoDocument.form)

  public var descriptor: ScreenDescriptor {
    ScreenDescriptor(
      name: "form", keyName: "formID",
      summary: "A form to fill in, checked while it is, and what has happened with it.",
      commands: FormCommand.allCases.map(\.descriptor) + activity.commands,
      sources: FormSource.Name.allCases.map(\.rawValue),
      rowTypes: Self.rowTypes)
  }

  /// The codes that the error rows of fields can have.
  public static var fieldErrorCodes: Set<Text> {
    Set(RowKinds.all.flatMap { $0.codes.map(\.rawValue) })
  }

  public var shownPart: StorePart? { .element(of: store.store) }

  public func initialState(
    for key: Text, in stores: Stores
  ) throws(ScreenLookupError) -> FormState {
    FormState(form: try store.find(key, in: stores).resource)
  }
}
