import ViewDelta

struct SignUp: Screen {
  /// What the directory of users says of a name.
  struct Verdict: Codable, Equatable, Sendable {
    let isTaken: Bool
    let suggestions: [Text]
  }

  struct Account: Codable, Equatable, Sendable {
    /// The key with which the directory creates the account once, even if it is asked twice.
    let id: Text
    let name: Text
    let email: Text
  }

  enum Kinds: FormKindSet {
    static let kinds = FormKinds.standard.refusing("taken", "differs").reserving("account")
  }

  struct State: ScreenState, FormState {
    var fields = FormFields<Kinds>(SignUp.outline)
    var names = Lookups<Text, Verdict>()
    /// The answers of a form that is right, until it is known whether the name is taken.
    var answers: [Text: JSONValue]?
    var accounts = SaveState<JSONValue>()
    var isDone = false
  }

  static let name: Text = "signup"
  static let summary = "A form that creates an account."
  static let isPersonal = true

  static let outline = Kinds.kinds.outline([
    [
      "id": "you", "title": "Your account",
      "rows": [
        [
          "id": "name", "kind": "text", "label": "User name", "required": true, "minLength": 3,
          "maxLength": 20, "characters": "lettersAndDigits",
        ],
        ["id": "email", "kind": "text", "inputType": "email", "label": "Email", "required": true],
        ["id": "again", "kind": "text", "inputType": "email", "label": "Repeat", "required": true],
        ["id": "send", "kind": "button", "text": "Sign up", "does": "submit"],
      ],
    ]
  ])

  let names: LookingUp<State, Text, Verdict>
  let accounts: Saving<State, JSONValue>

  init(
    check: @escaping @Sendable (_ name: Text) async throws -> Verdict,
    create: @escaping @Sendable (Account) async throws -> Void
  ) {
    names = LookingUp("names", \.names) { _, name in try await check(name) }
    accounts = Saving(
      "account", \.accounts,
      to: { _, answers in try await create(answers.decode(Account.self)) },
      failure: { _ in "Couldn't create the account." }
    ) { state, _, _ in
      state.reset()
      state.isDone = true
    }
  }

  var parts: [any ScreenPart<State>] { [names, accounts] }

  static let checking = RowType(text: "checking", "A name is being checked.")
  static let unchecked = RowType("unchecked", of: LoadFailure.self, "A name that is not checked.") {
    LoadFailure.fields
    Action(State.tapCommand, "Retry") { _ in "name/failed" }
  }
  static let suggestion = RowType("suggestion", of: Text.self, "A name that is free.") {
    Field("text") { $0 }
    Action(State.selectCommand, "Use") { "name/\($0)" }
  }
  static let welcome = RowType(text: "welcome", "The account was created.")

  var rowTypes: [RowTypeDescriptor] {
    State.formRowTypes
    Self.checking
    Self.unchecked
    Self.suggestion
    Self.welcome
  }

  func body(_ state: State) -> [ListSection] {
    state.formSections
    ListSection("account") {
      accounts.rows(state)
      if state.isDone { Self.welcome("account/welcome", "Welcome!") }
    }
  }
}

extension SignUp.State {
  /// Checks a name that the field itself takes.
  mutating func entered(_ value: JSONValue, into row: FormRow, isNew: Bool) {
    if isNew { (answers, isDone) = (nil, false) }
    guard row.id == "name" else { return }
    if case .string(let name) = value { names.ask(fields.error(row) == nil ? name : nil) }
  }

  /// Keeps the answers with the id of the tap if all fields are right, unless an account is being created. If the name
  /// could not be checked, checks it again.
  mutating func submit(as id: Text) {
    guard let right = fields.judge(), accounts.pending.isEmpty else { return }
    answers = right.merging(["id": .string(id)]) { $1 }
    names.retry()
  }

  /// Starts over, without a name to check.
  mutating func reset() {
    startOver()
    names.ask(nil)
    answers = nil
  }

  /// The rows below the name.
  @ListBuilder<RowPart>
  func rows(behind row: FormRow, depth: Int) -> [RowPart] {
    if row.id == "name" {
      switch names[] {
      case .notRequested: []
      case .isLoading: SignUp.checking("name/checking", "Checking the name…")
      case .loaded(let verdict):
        ForEach(verdict.suggestions, as: SignUp.suggestion) { "name/\($0)" }
      case .failed(let failure, _): SignUp.unchecked("name/failed", failure)
      }
    }
  }

  /// Enters a suggestion.
  mutating func select(_ part: Text, behind row: FormRow) -> Bool {
    guard names[].value?.suggestions.contains(part) == true else { return false }
    try? enter(.string(part), into: row.id)
    return true
  }

  /// Checks the name again.
  mutating func tap(_ part: Text, behind row: FormRow) -> Bool {
    guard part == "failed", names[].error != nil else { return false }
    names.retry()
    return true
  }
}

extension SignUp {
  static let taken = FieldError("taken", en: "This name is taken.", de: "Der Name ist vergeben.")
  static let differs = FieldError(
    "differs", en: "The addresses differ.", de: "Die Adressen sind verschieden.")

  func changed(_ state: inout State, from before: State) {
    // Removes the error as soon as both addresses are equal, whichever was corrected.
    let right = state.fields.answers
    let differ = right["email"] != nil && right["again"] != nil && right["email"] != right["again"]
    state.fields.refuse("again", differ ? Self.differs : nil)
    let name = state.names[]
    state.fields.refuse("name", name.value?.isTaken == true ? Self.taken : nil)
    if let answers = state.answers, !name.isLoading {
      state.answers = nil
      if name.value?.isTaken == false { try? state.accounts.save(.object(answers)) }
    }
    // Another person has taken the name meanwhile. The user may have entered another one since, so that is checked.
    if state.accounts.failure?.code == Self.taken.code {
      state.accounts.discard()
      state.names.reload()
    }
  }
}
