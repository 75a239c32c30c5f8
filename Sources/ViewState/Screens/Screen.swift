public import CanonicalJSON
public import Snapshots

/// A kind of view model: its state, its commands, and the rows that show it.
///
/// A screen does not keep a state: its functions are pure, and the ``Engine`` calls them for one input at a
/// time. A screen can show data of three kinds:
///
/// - Its own state, which its commands change.
/// - A ``Store``, which several screens may show: see ``shownStores``.
/// - The value of a ``Source``, which a ``Loading`` part loads, and which may fail.
///
/// ```swift
/// struct Groceries: Screen {
///   struct Item: Codable, Equatable, Sendable {
///     let id: Int
///     let name: Text
///     var isBought = false
///   }
///   struct State: ScreenState { var items: [Item] = [] }
///
///   static let name: Text = "groceries"
///   static let summary = "A shopping list."
///
///   static let add = Command("add", "Puts something on the list.", .text("name", 1...80)) {
///     (state: inout State, name) in
///     state.items.append(Item(id: state.items.count + 1, name: name))
///   }
///   static let buy = Command("buy", "Ticks something off the list.", .integer("item")) {
///     (state: inout State, id) in
///     guard let index = state.items.firstIndex(where: { $0.id == id }) else {
///       throw Refusal.unknown("item", id)
///     }
///     state.items[index].isBought = true
///   }
///   var commands: [AnyCommand<State>] {
///     Self.add
///     Self.buy
///   }
///
///   static let grocery = RowType("grocery", of: Item.self) {
///     Field("name", \.name)
///     Field("isBought", \.isBought)
///     Action(buy, "Buy") { $0.id }
///   }
///   var rowTypes: [RowTypeDescriptor] { Self.grocery }
///
///   func body(_ state: State) -> [ListSection] {
///     ListSection("items") { ForEach(state.items, as: Self.grocery) { "item/\($0.id)" } }
///   }
/// }
/// ```
public protocol Screen: Sendable {
  associatedtype State: Codable & Equatable & Sendable

  /// The first part of the names of its view models: `profile` in `profile/1`. It has ASCII letters, digits, `-`, `_` and
  /// `.`, and begins with a letter or a digit.
  static var name: Text { get }
  /// One sentence on the content of the screen, for client developers.
  static var summary: String { get }
  /// The name of the key in the path template: `userID` in `profile/{userID}`; `key` unless defined.
  static var keyName: String { get }
  /// Whether each session has a state of its own; `false` unless defined.
  ///
  /// A client names a session in the key of a personal screen: `form/1@hT7c-0VqRk2mZ5xEo9sYwA` is the view model
  /// of the key `1` for all who know the session, which has 22 to 128 letters, digits, `-` and `_`. The functions
  /// of the screen get the key `1`. If no client reads or changes the state of a session for
  /// ``ScreenEnvironment/sessionLifetime``, the engine forgets the state.
  /// All clients that name no session share the view model `form/1`.
  static var isPersonal: Bool { get }

  /// The language of the texts that the screen itself makes, for clients; `nil` unless defined, which names no
  /// language.
  var language: Language? { get }

  /// The commands that clients may send, other than those of the parts; none unless defined.
  @CommandBuilder<State> var commands: [AnyCommand<State>] { get }

  /// The parts, such as those that are loaded; none unless defined. A part that the screen keeps as a property is among
  /// them: otherwise, the program ends at its start, because the part would never load.
  var parts: [any ScreenPart<State>] { get }

  /// The types of the rows in `body`, other than those of the parts. A type with the same name as a type of a part
  /// replaces that one.
  @RowTypeBuilder var rowTypes: [RowTypeDescriptor] { get }

  /// The failures of the sources other than those of ``LoadFailure``, for client developers, who branch on their
  /// codes; none unless defined.
  ///
  /// ```swift
  /// static let unknownCountry = LoadFailure(
  ///   code: "unknown-country", message: "There are no holidays for this country.")
  /// var failures: [LoadFailure] { [Self.unknownCountry] }
  /// ```
  var failures: [LoadFailure] { get }

  /// The name of the command that a client sends when the screen comes into view and one of the parts that the command
  /// loads is `notRequested`; `nil` if the screen needs no such command.
  ///
  /// Unless defined, it is `appear`, which loads all parts whose ``ScreenPart/isOpened`` is `true`, or `nil` if there
  /// are no such parts.
  var opening: Text? { get }

  /// The state machines other than those of the parts; none unless defined.
  var stateMachines: [StateMachine] { get }

  /// Returns the current states of ``stateMachines``, by the names of the machines; none unless defined. The `states`
  /// of the view model have them beside the states of the parts. Leave out a machine that runs several times in a view
  /// model, such as once for each row of a type.
  func machineStates(_ state: State) -> [Text: Text]

  /// The stores that a view model shows beside those that its parts read; none unless defined.
  ///
  /// After each write that changes what is shown of one of these stores, the engine calls ``follow(_:on:for:)``. If a
  /// key names an element that can be removed and created again, list the store with that element first: the creation
  /// of the element begins another history.
  var shownStores: [ShownStore] { get }

  /// Returns the state of a view model before any input. Nothing is loading in this state: only inputs start loads.
  ///
  /// - Throws: Any error, such as `ScreenLookupError.unknownKey`, if there is no view model with the key.
  func initialState(for key: Text, in stores: Stores) throws -> State

  /// Changes the state after a write to the shown stores. The first start of a new build also calls it for each
  /// recorded state, because the build may read the stores in another way.
  ///
  /// A screen with parts that defines it calls ``ScreenPart/follow(_:on:for:)`` of each part that is to take over its
  /// value. Unless defined, the parts take over their values; the state of a screen without parts becomes its
  /// initial state, so it loses what commands have changed in it. So these screens must define it:
  ///
  /// - a personal screen that shows a store and has no parts, because it keeps what its users choose,
  /// - a screen with parts whose initial state has more of a store than the parts show. If a state is not to follow the
  ///   store, the function calls only those of the parts.
  ///
  /// Otherwise, a debug build ends the process when a write would take away a choice, or would not be shown. An example:
  ///
  /// ```swift
  /// struct State: Codable, Equatable {
  ///   var todos: [Todo]
  ///   var filter: Text = ""
  /// }
  ///
  /// func follow(_ stores: Stores, on state: inout State, for key: Text) throws {
  ///   state.todos = try initialState(for: key, in: stores).todos
  /// }
  /// ```
  ///
  /// - Throws: Any error if there is no longer a view model with the key, which then ends.
  func follow(_ stores: Stores, on state: inout State, for key: Text) throws

  /// Changes the state after an input for the view model, so that it fits what the input has brought; does nothing unless
  /// defined.
  ///
  /// Inputs are commands, the ends of loads, look-ups and writes, values that the clock has loaded, and writes to the shown
  /// parts of stores. What the state then loads, looks up or writes is started, as after a command:
  ///
  /// ```swift
  /// func changed(_ state: inout State, from before: State) {
  ///   // A name is refused as soon as it is known that it is taken.
  ///   if state.names[].value?.isTaken == true { state.fields.refuse("name", Self.taken) }
  ///   // The members are looked up once the team is loaded, and if it is another one.
  ///   let team = state.team.loadable.value?.id
  ///   if team != before.team.loadable.value?.id { state.members.ask(team) }
  ///   // A change that waits no longer was written, or discarded although it may have been written.
  ///   if state.changes.pending.count < before.changes.pending.count { state.todos.reload() }
  /// }
  /// ```
  ///
  /// The function must depend only on the two states. It may be called several times for one input, once for each
  /// change that the input makes, such as one by a command and one by what the command has written to a store.
  ///
  /// It is not called for a state that ``initialState(for:in:)`` returns. Until an input for the view model has given it
  /// another state, each write to a store makes the initial state again, so the function is not called.
  ///
  /// Let it load only if something else has changed. ``Lookups/ask(_:for:)``, for example, also starts a look-up that
  /// has failed, so a function that calls it each time repeats the look-up without end.
  ///
  /// - Parameters:
  ///   - state: The state after the change.
  ///   - before: The state before the change.
  func changed(_ state: inout State, from before: State)

  /// Declares the sections that show a state; unless defined, each part is a section with its name.
  ///
  /// The function runs with a command and with the end of work for the view model. With a write to a store it runs if a
  /// client waits for the change, or if the write changes few view models and a client has read the state before.
  /// Otherwise it runs when a client first asks, on any thread.
  ///
  /// If it throws, if two sections or two rows have one id, or if a row cannot be written, the view model
  /// answers with a 500 until another input changes its state, and the log says why.
  @ListBuilder<ListSection> func body(_ state: State) throws -> [ListSection]
}

/// A state whose initial value is the same for every key.
///
/// A recorded state carries the version of its form. A program with another ``version`` migrates the
/// recorded state, or starts over:
///
/// ```swift
/// struct State: ScreenState {
///   var items: [Item] = []
///   var lastID = 0  // since version 2
///
///   static let version = 2
///
///   static func migrate(_ recorded: JSONReader, from version: Int) throws -> State? {
///     guard version == 1 else { return nil }
///     var state = State()
///     state.items = try recorded.member("items").decode([Item].self)
///     state.lastID = state.items.map(\.id).max() ?? 0
///     return state
///   }
/// }
/// ```
public protocol ScreenState: Codable, Equatable, Sendable {
  /// The version of the JSON form of the state; 1 unless defined.
  ///
  /// Give a new number to each form that cannot be read from the previous form, such as one with a new member.
  static var version: Int { get }

  /// Creates the state of a key before any input.
  ///
  /// The start of a program also calls it once, so that a mistake in it, such as a wrong description of a form, shows
  /// then.
  init()

  /// Returns the state that a program with another version has recorded, converted to the form of this program. It sees
  /// no stores: if the screen shows parts of stores, ``Screen/follow(_:on:for:)`` is called after it.
  ///
  /// - Parameters:
  ///   - recorded: The state as JSON.
  ///   - version: The version of the program that recorded the state; larger than ``version`` if that
  ///     program is newer than this one.
  /// - Returns: The state; `nil`, as unless defined, to start over from the initial state.
  /// - Throws: Any error if the state cannot be migrated: the server does not start then, and shows the error.
  static func migrate(_ recorded: JSONReader, from version: Int) throws -> Self?
}

extension ScreenState {
  public static var version: Int { 1 }

  public static func migrate(_ recorded: JSONReader, from version: Int) throws -> Self? { nil }
}

extension Screen where State: ScreenState {
  public func initialState(for key: Text, in stores: Stores) -> State { State() }
}

extension Screen {
  public static var keyName: String { "key" }

  public static var isPersonal: Bool { false }
  public var language: Language? { nil }
  public var commands: [AnyCommand<State>] { [] }
  public var parts: [any ScreenPart<State>] { [] }
  public var rowTypes: [RowTypeDescriptor] { [] }
  public var failures: [LoadFailure] { [] }
  public var opening: Text? {
    parts.contains { $0.isOpened } ? Appear<State>.name : nil
  }
  public var stateMachines: [StateMachine] { [] }
  public func machineStates(_ state: State) -> [Text: Text] { [:] }
  public var shownStores: [ShownStore] { [] }

  public func follow(_ stores: Stores, on state: inout State, for key: Text) throws {
    // Throws if the key names nothing any longer.
    let initial = try initialState(for: key, in: stores)
    let parts = parts
    if parts.isEmpty {
      assert(
        !Self.isPersonal,
        "a write puts the initial state of the personal screen \(Self.name) in place of what a user has chosen: define "
          + "follow(_:on:for:), or read the store by a part")
      state = initial
    }
    for part in parts { part.follow(stores, on: &state, for: key) }
    #if DEBUG
      guard !parts.isEmpty, let former = stores.former.first,
        var followed = try? initialState(for: key, in: former)
      else { return }
      for part in parts { part.follow(stores, on: &followed, for: key) }
      assert(
        followed == initial,
        "a write changes the initial state of the screen \(Self.name), and no state that an input has made: define "
          + "follow(_:on:for:), which calls only those of the parts if a state is not to change")
    #endif
  }

  public func changed(_ state: inout State, from before: State) {}

  public func body(_ state: State) -> [ListSection] { [.eachPart] }
}

/// The command that loads all parts of a screen.
enum Appear<State> {
  static var name: Text { "appear" }

  static func command(_ parts: [any ScreenPart<State>]) -> Command<State> {
    let names = parts.filter { $0.isOpened }.map { $0.name.string }.joined(separator: ", then ")
    return Command(name, "The screen comes into view: loads \(names).") { (state: inout State) in
      for part in parts { part.load(&state) }
    }
  }
}

/// Builds the list of the types of the rows of a screen.
public typealias RowTypeBuilder = ListBuilder<RowTypeDescriptor>

extension ListBuilder<RowTypeDescriptor> {
  /// Adds a type of rows.
  public static func buildExpression<Model>(_ type: RowType<Model>) -> [RowTypeDescriptor] {
    [type.descriptor]
  }
}
