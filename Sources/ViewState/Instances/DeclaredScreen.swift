import CanonicalJSON
import OrderedCollections
public import Snapshots
import Synchronization

/// A ``Screen`` with tables of its commands and parts.
final class DeclaredScreen<Declaration: Screen>: EngineScreen {
  typealias State = Declaration.State

  let descriptor: ScreenDescriptor
  private let screen: Declaration
  private let commands: [Text: AnyCommand<State>]
  private let parts: OrderedDictionary<Text, any RunningPart<State>>
  /// The parts that have rows.
  private let shownAsRows: [any RunningPart<State>]
  /// Whether there are parts. Each input asks for it, and the list looks up the type of a part to tell.
  private let hasParts: Bool
  private let faults: Store<ScriptedFaults>?
  private let latencies: Latencies
  let shownStores: [ShownStore]
  let stateMachines: [StateMachine]
  #if DEBUG
    /// The name of a store that an initial state depends on, although the screen does not show it.
    private let unshownStore = Mutex<Text?>(nil)
  #endif

  /// Reads the declarations of a screen.
  ///
  /// - Parameters:
  ///   - faults: The fault scripts of its parts.
  ///   - latencies: The latencies of its parts.
  /// - Precondition: No two commands and no two parts have one name, no two parts have one place in the state, and each
  ///   part that is a property of the screen is among its parts.
  init(
    _ screen: Declaration, faults: Store<ScriptedFaults>? = nil, latencies: Latencies = Latencies()
  ) {
    self.screen = screen
    (self.faults, self.latencies) = (faults, latencies)
    let parts = screen.parts.map { part in
      guard let part = part as? any RunningPart<State> else {
        fatalError("the part \(part.name) of the screen \(Declaration.name) is none of the library")
      }
      return part
    }
    self.parts = OrderedDictionary(parts.map { ($0.name, $0) }) { one, _ in
      fatalError("two parts of the screen \(Declaration.name) are named \(one.name)")
    }
    let places = parts.map { ($0.place, $0.name) }
    _ = Dictionary(places) { one, other in
      fatalError(
        "the parts \(one) and \(other) of the screen \(Declaration.name) have one place in its state"
      )
    }
    Self.checkProperties(of: screen, parts)
    hasParts = !parts.isEmpty
    shownAsRows = parts.filter { !$0.rowTypes.isEmpty }
    let shown = screen.shownStores
    shownStores = shown + parts.flatMap { $0.shownStores }.filter { !shown.contains($0) }
    stateMachines = parts.map { $0.stateMachine } + screen.stateMachines
    var commands = screen.commands + parts.flatMap { $0.commands }
    if screen.opening == Appear<State>.name,
      !commands.contains(where: { $0.descriptor.type == Appear<State>.name })
    {
      commands.insert(Appear.command(parts).erased, at: 0)
    }
    self.commands = Dictionary(commands.map { ($0.descriptor.type, $0) }) { one, _ in
      fatalError(
        "two commands of the screen \(Declaration.name) are named \(one.descriptor.type)")
    }
    let own = screen.rowTypes
    let others = parts.flatMap { $0.rowTypes }
    let missing = Set((own + others).flatMap(\.commands)).subtracting(
      commands.map(\.descriptor.type))
    if !missing.isEmpty {
      fatalError(
        "rows of the screen \(Declaration.name) send these commands, which it does not have: "
          + missing.sorted().map(\.string).joined(separator: ", ")
          + ". Add them to its commands, those of a form by State.formCommands")
    }
    let rowTypes = Self.joined(own + others)
    descriptor = ScreenDescriptor(
      name: Declaration.name, keyName: Declaration.keyName, summary: Declaration.summary,
      commands: commands.map(\.descriptor), sources: parts.map { $0.name }, opening: screen.opening,
      opened: parts.filter { $0.isOpened }.map { $0.name },
      rowTypes: rowTypes, isPersonal: Declaration.isPersonal, failures: screen.failures,
      language: screen.language)
  }

  /// Joins the schemas of types with one name, such as the error rows of two parts, whose commands differ.
  private static func joined(_ types: [RowTypeDescriptor]) -> [RowTypeDescriptor] {
    var schemas: OrderedDictionary<Text, (summary: String, schemas: [JSONValue])> = [:]
    for type in types where schemas[type.name]?.schemas.contains(type.schema) != true {
      schemas[type.name, default: (type.summary, [])].schemas.append(type.schema)
    }
    return schemas.map { name, type in
      let schema = type.schemas.count > 1 ? ["anyOf": .array(type.schemas)] : type.schemas[0]
      return RowTypeDescriptor(name: name, summary: type.summary, schema: schema)
    }
  }

  func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> AnyState {
    #if DEBUG
      let reads = StoreReads()
      var stores = stores
      stores.reads = reads
      defer { noteUnshown(reads) }
    #endif
    do {
      return AnyState(try screen.initialState(for: key, in: stores))
    } catch {
      throw error as? ScreenLookupError ?? .unknownKey
    }
  }

  #if DEBUG
    private func noteUnshown(_ reads: StoreReads) {
      for (index, name) in reads.all where !shownStores.contains(where: { $0.index == index }) {
        unshownStore.withLock { $0 = name }
      }
    }
  #endif

  func checkInitial(_ state: AnyState) throws(ScreenMistake) {
    #if DEBUG
      if let name = unshownStore.withLock({ $0 }) {
        throw ScreenMistake(
          "the initial state of the screen \(descriptor.name) reads the store \(name), "
            + "whose changes it would not show: add the store to shownStores")
      }
    #endif
    let state = state.value(as: State.self)
    #if DEBUG
      if let name = Self.memberWithoutPart(state, Array(parts.values)) {
        throw ScreenMistake(
          "nothing would load or write \(name) of the state of the screen \(descriptor.name): add a part "
            + "with the path to it to parts")
      }
    #endif
    guard let part = parts.values.first(where: { !$0.running(in: state).isEmpty }) else { return }
    throw ScreenMistake(
      "the initial state of the screen \(descriptor.name) is loading \(part.name), and nothing has "
        + "started the load: begin with notRequested, and load by the opening command")
  }

  func check(_ command: SentCommand) throws(Refusal) {
    guard let declared = commands[command.type] else {
      throw command.unknown(besides: descriptor.commands)
    }
    try command.check(against: declared.descriptor)
  }

  func run(
    _ command: SentCommand, on state: inout AnyState, isInitial: Bool,
    in transaction: inout Transaction
  ) throws(Refusal) -> (effects: [Effect], incident: ScreenIncident.Kind?) {
    guard let declared = commands[command.type] else { return ([], nil) }
    return try change(&state, isInitial: isInitial) { (state) throws(Refusal) in
      try declared.run(command, &state, &transaction)
    }
  }

  func follow(
    _ stores: Stores, on state: inout AnyState, for key: Text
  ) throws(ScreenLookupError) -> [Effect] {
    try change(&state) { (state) throws(ScreenLookupError) in
      do { try screen.follow(stores, on: &state, for: key) } catch {
        throw error as? ScreenLookupError ?? .unknownKey
      }
      return nil
    }.effects
  }

  func hasPart(_ name: Text) -> Bool { parts[name] != nil }

  func start(_ work: PartWork, for key: Text, in transaction: inout Transaction) -> Work {
    let usual = unscripted(work, for: key, in: transaction.stores)
    return faults?.next(work.part, for: key, in: &transaction, usually: usual) ?? usual
  }

  func unscripted(_ work: PartWork, for key: Text, in stores: Stores) -> Work {
    guard let part = parts[work.part] else { return .hanging }
    return latencies.apply(to: part.start(work, for: key, in: stores), of: work.part)
  }

  func end(
    _ work: PartWork, _ token: LoadToken, bringing result: JSONValue?,
    failing failure: inout LoadFailure?, on state: inout AnyState, for key: Text,
    in transaction: inout Transaction
  ) -> (effects: [Effect], incident: ScreenIncident.Kind?) {
    guard let part = parts[work.part] else { return ([], nil) }
    return change(&state) { state in
      part.end(
        work, token, bringing: result, failing: &failure, on: &state, for: key, in: &transaction)
    }
  }

  func incident(_ failure: LoadFailure, of work: PartWork) -> ScreenIncident.Kind {
    parts[work.part]?.incident(failure, of: work) ?? .loadFailure(source: work.part, failure)
  }

  func refresh(
    _ work: PartWork, with value: JSONValue, on state: inout AnyState, for key: Text
  ) -> [Effect] {
    change(&state) { (state) throws(Never) in
      parts[work.part]?.refresh(value, on: &state, for: key)
      return nil
    }.effects
  }

  func refreshes(in state: AnyState) -> [(work: PartWork, interval: Duration)] {
    if !hasParts { return [] }
    let state = state.value(as: State.self)
    return parts.values.compactMap { part in
      part.interval(in: state).map { (PartWork(part: part.name), $0) }
    }
  }

  func running(in state: AnyState) -> [(work: PartWork, token: LoadToken)] {
    let state = state.value(as: State.self)
    return parts.values.flatMap { $0.running(in: state) }
  }

  func assemble(_ state: AnyState, rows: inout RowCache) throws -> Snapshot {
    let snapshot = try snapshot(of: state.value(as: State.self), rows: &rows)
    #if DEBUG
      try checkTypes(of: snapshot)
      try checkStates(of: snapshot)
    #endif
    rows.endAssembly(of: snapshot)
    return snapshot
  }

  private func snapshot(of state: State, rows: inout RowCache) throws -> Snapshot {
    let body = try screen.body(state)
    let states = Dictionary(
      parts.map { ($0, Text($1.stateName(in: state))) } + screen.machineStates(state)
    ) { part, _ in part }
    if body.count == 1, case .made(let whole) = body[0].content {
      return whole.with(states: states)
    }
    var sections: [Section] = []
    for section in body {
      switch section.content {
      case .declared(let id, let fields, let generation, let parts):
        sections.append(rows.section(id, fields: fields, generation: generation, parts))
      case .made(let snapshot): sections += snapshot.sections
      case .eachPart: sections += shownAsRows.map { rows.section($0.name, $0.rows(state)) }
      }
    }
    if let mistake = rows.mistake { throw mistake }
    return try Snapshot(states: states, sections: sections, reusing: rows.snapshot)
  }

  #if DEBUG
    /// Checks that the screen lists the types of the first rows of each section.
    ///
    /// Release builds leave this out: it looks at rows that have not changed.
    private func checkTypes(of snapshot: Snapshot) throws(ScreenMistake) {
      let known = Set(descriptor.rowTypes.map(\.name))
      for section in snapshot.sections {
        for row in section.rows.prefix(100) where !known.contains(row.type) {
          throw ScreenMistake(
            "the row \(row.id) has the type \(row.type): add the type to rowTypes of the screen "
              + "\(descriptor.name)")
        }
      }
    }

    /// Checks that each state is one of the machine of its name, and that only sources have states of sources,
    /// for which clients send the opening command or show a load.
    private func checkStates(of snapshot: Snapshot) throws(ScreenMistake) {
      for (name, state) in snapshot.states where parts[name] == nil {
        let machine = stateMachines.first { $0.name == name.string }
        let sourceStates: [Text] = ["notRequested", "isLoading", "loaded", "failed"]
        guard machine?.states.contains(state.string) == true, !sourceStates.contains(state) else {
          throw ScreenMistake(
            "the screen \(descriptor.name) has no state machine \(name) with a state \(state) "
              + "that is none of a source")
        }
      }
    }
  #endif

  /// Changes a state.
  ///
  /// - Parameters:
  ///   - isInitial: Whether no input has made the state, so that none of its work was started.
  ///   - change: Changes the state, and returns the incident to log; `nil` if there is none.
  /// - Returns: The effects of the change, and the incident.
  private func change<Failure: Error>(
    _ state: inout AnyState, isInitial: Bool = false,
    _ change: (inout State) throws(Failure) -> ScreenIncident.Kind?
  ) throws(Failure) -> (effects: [Effect], incident: ScreenIncident.Kind?) {
    let before = state.value(as: State.self)
    var after = before
    let incident = try change(&after)
    screen.changed(&after, from: before)
    state = AnyState(after)
    return (hasParts ? effects(before, after, isInitial: isInitial) : [], incident)
  }

  /// Returns the effects of a change of the state: they end the work that runs only before it, and start the
  /// work that runs only after it.
  ///
  /// - Parameter isInitial: Whether no work was started in the state before.
  private func effects(
    _ before: State, _ after: State, isInitial: Bool
  ) -> [Effect] {
    var effects: [Effect] = []
    for part in parts.values {
      let (old, new) = (isInitial ? [] : part.running(in: before), part.running(in: after))
      if old.isEmpty && new.isEmpty { continue }
      // If a command has replaced the state of the part, its tokens begin anew, and the same one may be of other work.
      let former = Dictionary(old.map { ($0.token, $0.work) }) { one, _ in one }
      let next = Dictionary(new.map { ($0.token, $0.work) }) { one, _ in one }
      for (work, token) in old where next[token] != work { effects.append(.end(work, token)) }
      for (work, token) in new where former[token] != work { effects.append(.start(work, token)) }
    }
    return effects
  }
}

/// A mistake in the code of a screen that only shows while the screen runs.
struct ScreenMistake: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension Screen {
  /// The description of the screen for client developers: its commands, row types and sources.
  ///
  /// ```swift
  /// Groceries().descriptor.commands.map(\.type)  // ["add", "buy"]
  /// ```
  public var descriptor: ScreenDescriptor { DeclaredScreen(self).descriptor }

  /// Returns the view model of a state, for tests.
  ///
  /// - Throws: Any error of ``body(_:)``, `SnapshotError` if two sections or two rows have the same id, and in
  ///   debug builds an error if a row has a type that the screen does not list.
  public func snapshot(of state: State) throws -> Snapshot {
    var rows = RowCache()
    return try DeclaredScreen(self).assemble(AnyState(state), rows: &rows)
  }
}
