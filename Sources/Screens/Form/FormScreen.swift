public import CanonicalJSON
import Forms
public import Snapshots
public import ViewState

/// One form: its rows with the values that users enter, the state of its submission, and its activity, page by
/// page.
public struct FormScreen: Screen {
  public static let name: Text = "form"
  public static let keyName = "formID"
  public static let isPersonal = true
  public static let summary =
    "A form to fill in, whose values are checked at once, and its activity."

  /// The largest number of companies that are shown for one tax number.
  static let mostFirms = 20

  public let language: Language?

  private let store: FormStore
  private let registry: LookingUp<State, TaxNumber, [Company]>
  private let submission: LookingUp<State, JSONValue, ResourceID>
  let activity: LoadingPages<State, ActivityEntry>
  let rows: Rows

  /// - Parameters:
  ///   - store: The forms with their entries.
  ///   - companies: The companies that are looked up by their tax numbers.
  ///   - language: The language of the texts that are not those of the forms.
  public init(
    store: FormStore, companies: CompanyStore, language: Language = .en
  ) {
    self.store = store
    self.language = language
    let rows = Rows.of(language)
    self.rows = rows
    // While a row is hidden, its look-up does not count for the state of the part.
    let (change, tap) = (State.changeCommand.name, State.tapCommand.name)
    let index = CompanyIndex()
    registry = LookingUp(
      "registry", \.registry, reading: companies, commands: (change, change, tap, tap),
      isShown: { state in
        let visible = state.fields.visible
        return { visible.contains(ResourceID(named: $0)) }
      }
    ) { companies, _, number in
      // One more than is shown says that there are more.
      Array(index.companies(of: number, in: companies).prefix(Self.mostFirms + 1))
    }
    submission = LookingUp(
      "submission", \.submission,
      commands: (Self.submit.name, Self.reset.name, nil, Self.cancelSubmit.name)
    ) { transaction, key, answers in
      try store.send(answers, to: ResourceID(named: key), in: language, &transaction)
    }
    activity = LoadingPages(
      "activity", \.activity,
      from: PageSource(size: 20, reading: store) { $0.children(of: $1) },
      commands: (
        Rows.loadActivity, "loadNextPage", "retryPage", "cancelPage"
      ), as: rows.entry,
      id: { "entry/\($0.id)" },
      empty: Localized(en: "No activity yet", de: "Noch keine Aktivität")[language],
      failure: Localized(
        en: "Couldn't load activity.", de: "Die Aktivität konnte nicht geladen werden.")[language],
      end: {
        let count = language.count($0, en: ("entry", "entries"), de: ("Eintrag", "Einträge"))
        return Localized(en: "That is all: \(count)", de: "Das ist alles: \(count)")[language]
      }, language: language)
  }

  public var parts: [any ScreenPart<State>] { [activity, registry, submission] }

  static let storeFull = LoadFailure(
    code: "store-full",
    message: Localized(
      en: "The store takes no more.", de: "Der Speicher nimmt nichts mehr auf."))

  public var failures: [LoadFailure] { [Self.storeFull] }

  /// There is no opening command, because the activity is loaded only at the request of a user.
  public var opening: Text? { nil }

  /// Returns the state of a form that exists.
  public func initialState(
    for key: Text, in stores: Stores
  ) throws(ScreenLookupError) -> State {
    State(form: try stores[store].parent(for: key), language: language ?? .en)
  }

  public func follow(
    _ stores: Stores, on state: inout State, for key: Text
  ) throws(ScreenLookupError) {
    state.follow(try stores[store].parent(for: key))
    activity.follow(stores, on: &state, for: key)
    registry.follow(stores, on: &state, for: key)
  }
}

// MARK: - Commands

extension FormScreen {
  static let submit = Command(
    "submit",
    "Checks all fields that can be seen, those in collapsed groups too, and sends the answers if they "
      + "are right, and the values of permanently hidden rows. Ignored while they are being sent, and if "
      + "they have been.",
    writing: { (state: inout State, transaction: inout Transaction) in
      let id = transaction.inputID
      state.measure(&transaction) { $0.submit(as: id) }
    })

  static let cancelSubmit = Command(
    "cancelSubmit", "Cancels the sending. Ignored if nothing is being sent."
  ) { (state: inout State) in state.submission.cancel() }

  static let reset = Command(
    "reset", "Starts over: with the rows of the form's description, and their defaults."
  ) { (state: inout State) in state.reset() }

  @CommandBuilder<State>
  public var commands: [AnyCommand<State>] {
    State.formCommands
    Self.submit
    Self.cancelSubmit
    Self.reset
    State.applyCommand
  }

  public var stateMachines: [StateMachine] { Self.machines }
  /// They are found by running code, so once.
  private static let machines = State.formMachines(submit: submit.name)
}
