public import CanonicalJSON
public import ViewState

/// The fields of a screen: the rows, and the values that users have entered, as a part of the state of the screen.
///
/// A state that conforms to ``FormState`` has the commands and rows for the fields.
///
/// The rows are recorded with the state, because users may arrange them. So if you change the description of a form
/// in the program, increase ``ViewState/ScreenState/version`` and call ``FormState/replace(_:)`` in the migration:
///
/// ```swift
/// static let version = 2
///
/// static func migrate(_ recorded: JSONReader, from version: Int) throws -> State? {
///   var state = try recorded.decode(State.self)
///   state.replace(outline)
///   return state
/// }
/// ```
public struct FormFields<Kinds: FormKindSet>: Equatable, Sendable {
  /// The language of the texts that the library puts into rows, and of the numbers that users write.
  public let language: Language
  /// The rows from which a reset starts.
  private var initial: FormOutline
  /// The rows as users have arranged them.
  public private(set) var outline: FormOutline
  /// The values that were entered, by the ids of their rows.
  private(set) var entries: [ResourceID: JSONValue] = [:]
  /// The ids of the rows whose values were judged and not entered. So they have the defaults of the present description.
  private(set) var judged: Set<ResourceID> = []
  /// What the screen has refused of the values, by the ids of their rows.
  private(set) var refusals: [ResourceID: FieldError] = [:]
  /// The options that the screen has set, by the ids of the rows of choices.
  private(set) var options: [ResourceID: [DropdownRule.Option]] = [:]
  /// Whether a group is collapsed, by the id of each that a user or an error has folded. Other groups are as they begin.
  private(set) var folds: [ResourceID: Bool] = [:]
  /// What is wrong with the values that were entered or judged, by the ids of their rows. It follows from the rest, and
  /// is kept because the rows of all fields are made after each input.
  private var errors: [ResourceID: FieldError] = [:]

  /// Creates fields that are not filled in.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows.
  public init(_ outline: FormOutline, language: Language = .en) {
    (initial, self.outline, self.language) = (outline, outline, language)
  }
}

extension FormFields: Codable {
  private struct Coded: Codable {
    let language: Language
    let initial: JSONValue
    let outline: JSONValue
    let entries: [ResourceID: JSONValue]
    /// Absent if empty, as the two that follow.
    let judged: Set<ResourceID>?
    let refusals: [ResourceID: FieldError]?
    let options: [ResourceID: JSONValue]?
    /// Only of groups that were folded.
    let isCollapsed: [ResourceID: Bool]
  }

  public init(from decoder: any Decoder) throws {
    DeclaredNames.current?.insertNames(of: Kinds.self) { .object(Kinds.kinds.schemas) }
    let coded = try Coded(from: decoder)
    initial = try CommonParts.value(of: coded.initial, as: Kinds.self, Kinds.kinds.reading)
    outline = try CommonParts.value(of: coded.outline, as: Kinds.self, Kinds.kinds.reading)
    (language, entries) = (coded.language, coded.entries)
    folds = coded.isCollapsed
    judged = coded.judged ?? []
    refusals = coded.refusals ?? [:]
    options = try (coded.options ?? [:]).mapValues(DropdownRule.recorded)
    updateErrors()
  }

  public func encode(to encoder: any Encoder) throws {
    try Coded(
      language: language, initial: CommonParts.json(of: initial, \.json),
      outline: CommonParts.json(of: outline, \.json), entries: entries,
      judged: judged.isEmpty ? nil : judged,
      refusals: refusals.isEmpty ? nil : refusals,
      options: options.isEmpty ? nil : options.mapValues(DropdownRule.record),
      isCollapsed: folds
    ).encode(to: encoder)
  }
}

extension FormFields {
  /// The estimated memory that these fields take beside what they share with earlier ones, in bytes. New rows are shared
  /// with no other state.
  func byteCount(since before: FormFields) -> Int {
    (outline == before.outline ? 0 : outline.json.canonicalByteCount + outline.rows.byteCount)
      + max(0, touchedCount - before.touchedCount) * Self.entryByteCount
  }

  private var touchedCount: Int { entries.count + judged.count }

  /// The memory of an entry in tables that are copied as they grow, and of the error that it may show, as measured.
  private static var entryByteCount: Int { 160 }
}

// MARK: - Changes

extension FormFields {
  /// Enters a value into a field.
  ///
  /// - Returns: The value as the row has it.
  mutating func enter(
    _ json: JSONReader, into row: FormRow, _ input: InputField
  ) throws(JSONShapeError) -> JSONValue {
    let value = try input.enter(json, in: language)
    entries[row.id] = value
    judged.remove(row.id)
    refusals[row.id] = nil
    updateError(of: row)
    return value
  }

  /// Shows an error that the kind of the field cannot find, such as for a name that is taken, or for a value that does
  /// not fit another field. The error stays until `nil` removes it, a value is entered into the field, or the form
  /// starts over; while it shows, ``judge()`` returns `nil`. The groups around the field unfold. Does nothing if there
  /// is no such field, or if it has the same error already.
  ///
  /// A screen calls this function in ``ViewState/Screen/changed(_:from:)``, after a look-up or to compare fields:
  ///
  /// ```swift
  /// static let differs = FieldError(
  ///   "differs", en: "The addresses differ.", de: "Die Adressen sind verschieden.")
  ///
  /// func changed(_ state: inout State, from before: State) {
  ///   let right = state.fields.answers
  ///   let differ = right["email"] != nil && right["again"] != nil && right["email"] != right["again"]
  ///   state.fields.refuse("again", differ ? Self.differs : nil)
  /// }
  /// ```
  ///
  /// Call it with the error or `nil` after each input, as here, and not only while the other field has a value: the
  /// other field may become empty or hidden, and then nothing would remove the error.
  ///
  /// - Parameters:
  ///   - id: The id of the row of the field.
  ///   - error: The error, whose code is one of those that ``FormKinds/refusing(_:)`` lists, or of a kind; `nil`
  ///     removes the error that this function has set. With another code a debug build cannot show the screen.
  /// - Complexity: O(*n*) expected, where *n* is the number of rows.
  public mutating func refuse(_ id: ResourceID, _ error: FieldError?) {
    guard refusals[id] != error, let index = outline.rows.index(of: id),
      outline.rows.entries[index].row.input != nil
    else { return }
    refusals[id] = error
    if error != nil { unfold([index]) }
  }

  /// Sets the options of a choice, in place of those of the description, such as the rooms of a hotel that a store has.
  ///
  /// A chosen option that is gone stays the value. An error with the code `not-offered` follows the field, and
  /// ``judge()`` returns `nil`, until another option or none is chosen, or the option is offered again. The options
  /// stay when the form starts over. They have no effect while the form has no choice of this id.
  ///
  /// A screen calls this function for its initial state and after each write to the store:
  ///
  /// ```swift
  /// var shownStores: [ShownStore] { [.whole(of: rooms)] }
  ///
  /// func follow(_ stores: Stores, on state: inout State, for key: Text) {
  ///   let options = stores[rooms].elements.map { (id: $0.id.text, title: $0.name) }
  ///   state.fields.setOptions(options, of: "room")
  /// }
  /// ```
  ///
  /// This `follow` replaces the one by which parts follow stores. In a screen with parts, call `follow` of each part in it.
  ///
  /// The description of such a choice has no `options`. So a `default` or a condition cannot name one of them.
  ///
  /// - Parameters:
  ///   - options: The options in their order. If an id is empty or comes twice, the screen cannot be shown, as with a
  ///     row id that comes twice, and the log names the option. An option with an empty title has its id as its title.
  ///     The row of the field has all options, and states with equal options share them. For more than a few hundred,
  ///     show a search in place of a choice.
  ///   - id: The id of the row of the choice.
  /// - Complexity: O(*n*), where *n* is the number of options.
  public mutating func setOptions(_ options: [(id: Text, title: Text)], of id: ResourceID) {
    let options = options.map {
      DropdownRule.Option(id: $0.id, title: $0.title.isEmpty ? $0.id : $0.title)
    }
    if options == self.options[id] { return }
    self.options[id] = CommonParts.shared(options)
    if let row = outline.row(id) { updateError(of: row) }
  }

  /// Folds a group up or down.
  mutating func fold(_ group: FormRow) { folds[group.id] = !isCollapsed(group) }

  /// Gives the section of a row another title, or takes it away.
  ///
  /// - Throws: `JSONShapeError` if a record of the rows would be too large to be read again.
  mutating func rename(sectionOf row: ResourceID, _ title: Text?) throws(JSONShapeError) {
    guard let index = outline.rows.index(of: row) else { return }
    var renamed = outline
    renamed.sections[outline.rows.entries[index].section].title = title
    try renamed.checkSize(at: ["value"])
    outline = renamed
  }

  /// Checks the values of all fields that are not hidden, and shows what is wrong from then on. A value is also wrong
  /// while the field has an error that ``refuse(_:_:)`` has set.
  ///
  /// Fields in collapsed groups are checked, too, and the groups around a wrong value unfold. Hidden fields are not
  /// checked. A hidden field is submitted only if it is hidden by itself or with a group, not by a condition, and has a
  /// right value.
  ///
  /// A switch has a boolean, a number field a number, a choice the id of the option, and each other field a text. An
  /// empty field has null, except for a text without an `inputType`, which has `""`, and a switch, which has `false`.
  /// A ``LineRule`` or ``InputRule`` of your own may submit something else.
  ///
  /// - Returns: The submitted values, by the ids of their rows; `nil` if a value is wrong.
  /// - Complexity: O(*n*) expected, where *n* is the number of rows.
  public mutating func judge() -> [Text: JSONValue]? {
    let rows = outline.rows.entries
    var wrong: [Int] = []
    for (index, isVisible) in areVisible.enumerated() where isVisible {
      let row = rows[index].row
      guard row.input != nil else { continue }
      if entries[row.id] == nil, judged.insert(row.id).inserted { updateError(of: row) }
      if error(row) != nil { wrong.append(index) }
    }
    if wrong.isEmpty { return answers }
    unfold(wrong)
    return nil
  }

  /// Expands the groups around rows.
  ///
  /// - Parameters:
  ///   - indices: The indices of the rows.
  ///   - isForced: Whether to expand also the groups that a user has collapsed.
  private mutating func unfold(_ indices: [Int], isForced: Bool = true) {
    let rows = outline.rows.entries
    for index in indices {
      var next = rows[index].group
      while let index = next {
        let group = rows[index].row
        if isCollapsed(group), isForced || folds[group.id] == nil { folds[group.id] = false }
        next = rows[index].group
      }
    }
  }

  /// Starts over, with the rows of the description.
  mutating func reset() {
    let options = options
    self = Self(initial, language: language)
    self.options = options
  }

  /// Replaces the description.
  ///
  /// - Returns: The ids of the rows that stay, see `arrange`; `nil` if it is the same description.
  mutating func replace(_ outline: FormOutline) -> Set<ResourceID>? {
    if OutlineChange.from(initial, to: outline).isNone { return nil }
    initial = outline
    return arrange(outline)
  }

  /// Replaces the rows. A row with the id and the kind of a previous one keeps its value, which is read by the
  /// new rules.
  ///
  /// - Returns: The ids of the rows that stay.
  mutating func arrange(_ new: FormOutline) -> Set<ResourceID> {
    let kept = OutlineChange.from(outline, to: new).kept
    let rows = new.rows
    func same(_ id: ResourceID) -> FormRow? { kept.contains(id) ? rows[id] : nil }
    // A group that nothing has folded follows the new rows, as a field without an entry takes its new default.
    folds = folds.filter { same($0.key)?.field.group != nil }
    outline = new
    entries = entries.reduce(into: [:]) { entries, entry in
      guard let row = same(entry.key), let input = input(of: row) else { return }
      // An option that the screen does not offer, or not yet, stays chosen, with its error.
      let choice = input.rule as? DropdownRule
      let isKept = choice != nil && (choice?.options.isEmpty == true || options[row.id] != nil)
      entries[row.id] =
        (try? input.enter(JSONReader(entry.value), in: language)) ?? (isKept ? entry.value : nil)
    }
    judged = judged.filter { same($0)?.input != nil }
    refusals = refusals.filter { same($0.key)?.input != nil }
    updateErrors()
    // New rows hide no error that is shown.
    let wrong = judged.union(entries.keys).union(refusals.keys).compactMap { rows.index(of: $0) }
      .filter { error(rows.entries[$0].row) != nil }
    if !wrong.isEmpty {
      let visible = areVisible
      unfold(wrong.filter { visible[$0] }, isForced: false)
    }
    return kept
  }
}

// MARK: - Judging

extension FormFields {
  /// Returns what is wrong with the value of a row; `nil` if the value is right, or if it was not entered, judged or
  /// refused yet.
  public func error(_ row: FormRow) -> FieldError? { refusals[row.id] ?? errors[row.id] }

  /// Judges the value of a row if it was entered or judged.
  private mutating func updateError(of row: FormRow) {
    let answer = isTouched(row.id) ? answer(row) : nil
    errors[row.id] = answer.flatMap { input(of: row)?.judge($0, in: language) }
  }

  /// Judges all values that were entered or judged.
  private mutating func updateErrors() {
    errors = [:]
    for id in judged.union(entries.keys) { if let row = outline.row(id) { updateError(of: row) } }
  }
}
