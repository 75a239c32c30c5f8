public import CanonicalJSON
public import Snapshots
public import ViewState

/// The state of a screen with fields: the commands and the rows of the fields follow.
///
/// ```swift
/// struct Address: Screen {
///   struct State: ScreenState, FormState {
///     var fields = FormFields<StandardKinds>(Address.outline)
///   }
///
///   static let name: Text = "address"
///   static let summary = "Where letters go."
///   static let outline = FormKinds.standard.outline([
///     [
///       "id": "to", "title": "Letters go to",
///       "rows": [
///         ["id": "name", "kind": "text", "label": "Name", "required": true],
///         ["id": "abroad", "kind": "switch", "label": "Abroad"],
///         [
///           "id": "country", "kind": "text", "label": "Country",
///           "visibility": ["row": "abroad", "equals": true],
///         ],
///       ],
///     ]
///   ])
/// }
/// ```
///
/// A screen with commands, rows or sections of its own lists those of the form among them: ``formCommands``,
/// ``formRowTypes`` and ``formSections``.
///
/// A client sends back the command `didChange` of a row with a value. A wrong value is kept, and an error row follows
/// it. The library calls the functions below, so that a screen can add its own effects.
public protocol FormState: Sendable {
  /// The kinds of the rows.
  associatedtype Kinds: FormKindSet

  /// The fields with the entered values.
  var fields: FormFields<Kinds> { get set }

  /// Called after a value was entered; does nothing unless defined.
  ///
  /// - Parameters:
  ///   - value: The value that the row now has.
  ///   - row: The row.
  ///   - isNew: Whether the row had another value before.
  mutating func entered(_ value: JSONValue, into row: FormRow, isNew: Bool)

  /// Submits the values, after a tap on a submit button; unless defined, only shows what is wrong.
  ///
  /// ```swift
  /// mutating func submit(as id: Text) {
  ///   guard let answers = fields.judge() else { return }
  ///   try? orders.save(Order(id: id, answers: answers))
  /// }
  /// ```
  ///
  /// If a screen writes the values to a store, this function keeps them in the state, and the screen lists its own
  /// command in place of ``tapCommand``:
  ///
  /// ```swift
  /// var submitted: [Text: JSONValue]?
  ///
  /// mutating func submit(as id: Text) { submitted = fields.judge() }
  /// ```
  ///
  /// ```swift
  /// State.changeCommand
  /// State.selectCommand
  /// State.tapCommand.writing { (state: inout State, transaction: inout Transaction, row) in
  ///   try state.didTap(row, as: transaction.inputID)
  ///   guard let answers = state.submitted.take() else { return }
  ///   try transaction.write(.create(.object(answers)), to: orders)
  /// }
  /// ```
  ///
  /// - Parameter id: The ``ViewState/Transaction/inputID`` of the tap, by which the origin of the data recognises the
  ///   values if they are written twice.
  mutating func submit(as id: Text)

  /// Starts over, after a tap on a reset button; unless defined, only calls ``startOver()``. A state that looks up what
  /// users enter also asks for `nil` here.
  mutating func reset()

  /// Called after the rows were arranged or replaced, or after the form has started over; does nothing unless defined.
  ///
  /// - Parameter rows: The ids of the rows that stay.
  mutating func arranged(keeping rows: Set<ResourceID>)

  /// Called if a user chooses a row that ``rows(behind:depth:)`` has declared; refuses the choice unless defined.
  ///
  /// - Parameters:
  ///   - part: The id of the chosen row, without the id of `row` and the slash.
  ///   - row: The row of the description that the chosen row follows.
  /// - Returns: Whether there is such a row, and it can be chosen.
  mutating func select(_ part: Text, behind row: FormRow) -> Bool

  /// Called if a user taps such a row; see ``select(_:behind:)``.
  mutating func tap(_ part: Text, behind row: FormRow) -> Bool

  /// Declares the rows that follow a row, after its error; none unless defined. Their ids begin with the id of the row
  /// and a slash. In an extension other than the one that declares the conformance, the function needs the attribute
  /// `@ListBuilder<RowPart>`.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - depth: The number of groups around the row.
  @ListBuilder<RowPart> func rows(behind row: FormRow, depth: Int) -> [RowPart]
}

extension FormState {
  public mutating func entered(_ value: JSONValue, into row: FormRow, isNew: Bool) {}
  public mutating func submit(as id: Text) { _ = fields.judge() }
  public mutating func reset() { startOver() }
  public mutating func arranged(keeping rows: Set<ResourceID>) {}
  public mutating func select(_ part: Text, behind row: FormRow) -> Bool { false }
  public mutating func tap(_ part: Text, behind row: FormRow) -> Bool { false }
  public func rows(behind row: FormRow, depth: Int) -> [RowPart] { [] }
}

/// A screen whose state has fields, without commands, rows and sections of its own.
extension Screen where State: FormState {
  /// The commands of the fields.
  public var commands: [AnyCommand<State>] { State.formCommands }

  /// The types of the rows of the fields.
  public var rowTypes: [RowTypeDescriptor] { State.formRowTypes }

  /// Declares the sections of the form, and after them a section for each part that has rows, with its name.
  @ListBuilder<ListSection>
  public func body(_ state: State) -> [ListSection] {
    state.formSections
    ListSection.eachPart
  }
}

// MARK: - Commands

extension FormState {
  /// The command `didChange`, which enters a value.
  public static var changeCommand: Command<Self, ResourceID, JSONValue> {
    FormCommand.didChange(Self.self).writing {
      (state: inout Self, transaction: inout Transaction, row, value) in
      try state.measure(&transaction) { try $0.didChange(row, value) }
    }
  }

  /// The command `didSelect`, which is offered by rows that can be chosen.
  public static var selectCommand: Command<Self, ResourceID> {
    FormCommand.didSelect(Self.self).writing {
      (state: inout Self, transaction: inout Transaction, row) in
      try state.measure(&transaction) { try $0.didSelect(row) }
    }
  }

  /// The command `didTap`, which is offered by rows that can be tapped.
  public static var tapCommand: Command<Self, ResourceID> {
    FormCommand.didTap(Self.self).writing {
      (state: inout Self, transaction: inout Transaction, row) in
      let id = transaction.inputID
      try state.measure(&transaction) { try $0.didTap(row, as: id) }
    }
  }

  /// The commands `didChange`, `didSelect` and `didTap`.
  @CommandBuilder<Self>
  public static var formCommands: [AnyCommand<Self>] {
    changeCommand
    selectCommand
    tapCommand
  }

  /// The command `apply`, with which clients arrange the rows.
  public static var applyCommand: Command<Self, [FormOperation]> {
    let kinds = Kinds.kinds
    let list = ValueType.list(
      of: FormOperation.valueType(kinds), atMost: FormOperation.mostInCommand)
    let operations = ValueType<[FormOperation]>(
      schema: list.schema.mergePatched(with: [
        "description": "What is done, in this order.", "$defs": ["row": kinds.rowSchema],
      ]),
      read: { (json) throws(JSONShapeError) in
        // More would be read whole before they are refused, while other inputs wait.
        guard json.value.rowCount <= FormOutline.mostRows else {
          throw json.error(FormOperation.tooManyRows)
        }
        return try list.read(json)
      }, write: { list.write($0) })
    return Command(
      "apply",
      "Applies a list of operations to the rows in their order, all of them or none, as one change. Rows "
        + "that stay keep their entered values.",
      Argument("operations", operations),
      writing: { (state: inout Self, transaction: inout Transaction, operations) in
        try state.measure(&transaction) { try $0.apply(operations) }
      })
  }

  /// Runs a command of your own that judges the fields or arranges the rows, and counts the memory that this takes: the
  /// server limits that of all states. The commands of this protocol count it.
  ///
  /// ```swift
  /// static let check = Command(
  ///   "check", "Checks all fields.",
  ///   writing: { (state: inout State, transaction: inout Transaction) in
  ///     state.measure(&transaction) { _ = $0.fields.judge() }
  ///   })
  /// ```
  ///
  /// - Parameters:
  ///   - transaction: The transaction of the command.
  ///   - run: What the command does.
  public mutating func measure(
    _ transaction: inout Transaction, _ run: (inout Self) throws -> Void
  ) rethrows {
    let before = fields
    try run(&self)
    transaction.brings(fields.byteCount(since: before))
  }
}

// MARK: - Events

extension FormState {
  /// A row of the description that an event is for.
  private func target(
    _ shown: ResourceID
  ) throws(Refusal) -> (row: FormRow, part: Text, refusal: Refusal) {
    let names = shown.text.utf8.split(
      separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
    // A slash with nothing behind it names no row, least of all the one before it.
    let isPart = names.count == 2 && !names[1].isEmpty
    let id = isPart ? ResourceID(named: Text(Substring(names[0]))) : shown
    guard let row = fields.shown(id) else {
      throw Refusal("row", "no row \(shown) is shown")
    }
    return (
      row, isPart ? Text(Substring(names[1])) : "",
      Refusal("row", "\(shown) does not take this command")
    )
  }

  /// Enters a value into a row that is shown.
  ///
  /// - Throws: `Refusal` if no such row is shown, or if no row of its kind can have the value; nothing has changed
  ///   then.
  public mutating func didChange(_ shown: ResourceID, _ value: JSONValue) throws(Refusal) {
    let target = try target(shown)
    let json = JSONReader(value, pointer: JSONPointer(tokens: ["value"]))
    let isTitle = target.row.field.content(of: SectionHeader.self) != nil
    guard target.part.isEmpty, isTitle || target.row.input != nil else { throw target.refusal }
    do throws(JSONShapeError) {
      if isTitle {
        try fields.rename(sectionOf: target.row.id, SectionHeader.title(json))
      } else {
        try enter(json, into: target.row)
      }
    } catch {
      throw Refusal(error)
    }
  }

  /// Chooses a row that is shown.
  ///
  /// - Throws: `Refusal` if no such row is shown, or if it cannot be chosen; nothing has changed then.
  public mutating func didSelect(_ shown: ResourceID) throws(Refusal) {
    let target = try target(shown)
    if !target.part.isEmpty {
      guard select(target.part, behind: target.row) else { throw target.refusal }
    } else {
      guard target.row.field.group != nil else { throw target.refusal }
      fields.fold(target.row)
    }
  }

  /// Taps on a row that is shown.
  ///
  /// - Parameters:
  ///   - shown: The id of the row.
  ///   - id: The ``ViewState/Transaction/inputID`` of the tap, for ``submit(as:)``.
  /// - Throws: `Refusal` if no such row is shown, or if it cannot be tapped; nothing has changed then.
  public mutating func didTap(_ shown: ResourceID, as id: Text) throws(Refusal) {
    let target = try target(shown)
    let (row, field) = (target.row, target.row.field)
    if !target.part.isEmpty {
      guard tap(target.part, behind: row) else { throw target.refusal }
    } else if let button = field.content(of: FormButton.self) {
      switch button.does {
      case .submit: submit(as: id)
      case .reset: reset()
      }
    } else if let offer = field.content(of: Offer.self)?.entry {
      guard let row = fields.outline.row(offer.row), let rule = row.input?.rule else { return }
      try? enter(JSONReader(rule.written(offer.value, in: fields.language)), into: row)
    } else if field.content(of: SectionHeader.self) != nil {
      // Without a title there is less to record.
      try? fields.rename(sectionOf: row.id, nil)
    } else {
      throw target.refusal
    }
  }

  /// Enters a value, in the form in which users write it, into a row, even if the row is hidden; does nothing if there
  /// is no such row with a value.
  ///
  /// It calls ``entered(_:into:isNew:)``, and an error of the value shows at once, as when a user has entered it. So
  /// fill in a form by the `default`s of its description.
  ///
  /// - Throws: `JSONShapeError` if the row cannot have the value.
  public mutating func enter(_ value: JSONValue, into id: ResourceID) throws(JSONShapeError) {
    guard let row = fields.outline.row(id) else { return }
    try enter(JSONReader(value), into: row)
  }

  private mutating func enter(_ json: JSONReader, into row: FormRow) throws(JSONShapeError) {
    guard let input = fields.input(of: row) else { return }
    let before = fields.answer(row)
    let value = try fields.enter(json, into: row, input)
    entered(value, into: row, isNew: value != before)
  }

  /// Starts over with the rows of the description and their defaults.
  public mutating func startOver() {
    fields.reset()
    arranged(keeping: [])
  }

  /// Applies operations on the rows, all of them or none.
  ///
  /// - Throws: `Refusal` that names the operation at fault; nothing has changed then.
  public mutating func apply(_ operations: [FormOperation]) throws(Refusal) {
    var outline = fields.outline
    do throws(JSONShapeError) {
      try outline.apply(operations)
    } catch {
      throw Refusal(error)
    }
    arranged(keeping: fields.arrange(outline))
  }

  /// Replaces the description by another one. Rows that keep their id and kind keep their entered values, and the
  /// others have the new `default`s; the arrangement of the rows by users is lost.
  public mutating func replace(_ outline: FormOutline) {
    if let kept = fields.replace(outline) { arranged(keeping: kept) }
  }
}
