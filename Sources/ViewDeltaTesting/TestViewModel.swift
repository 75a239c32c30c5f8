@_exported public import CanonicalJSON
@_exported public import Snapshots
import Synchronization
@_exported public import ViewState

/// Runs one view model in a test, without a server: sends commands, answers its sources, moves the clock, and
/// shows the rows.
///
/// ```swift
/// @Test("adds what is written to the list, and shows it once it is saved")
/// func add() async throws {
///   let list = try TestViewModel(TodoList(todos: todos, holidays: holidays, write: write), key: "home")
///   try await list.open()
///   try list.answer("todos", with: [Todo]())
///
///   try await list.send(TodoList.add, "Buy milk", nil)
///   #expect(list.states["changes"] == "isLoading")
///   try list.answer("changes")
///   try list.answer("todos", with: [milk])
///
///   #expect(list.rows(in: "todos") == [TodoList.todo.row("todo/1", milk)])
///   await #expect(throws: Refusal.unknown("todo", 7)) { try await list.send(TodoList.finish, 7) }
/// }
/// ```
///
/// No source is called and no change is written back: the test answers by ``answer(_:with:)`` and
/// ``fail(_:with:)``, in any order, and the rows show an answer when the call returns. A part that reads a store
/// needs no answer: unless its work takes a time, it has loaded when the command returns. Only ``advance(by:)`` moves
/// the time.
///
/// In debug builds each input is applied twice, the first time after it was encoded as JSON and decoded, and
/// the test process stops if the two results have different states, rows or revisions. So a test finds code that
/// uses values other than its input and state, such as a random number or the order of a dictionary. It finds a use
/// of the current time only if a second ends between the two. Each state is also written as JSON and read again: if that
/// gives another state, or other rows, as in the order of a set, the view model cannot be shown, and the step of the test
/// throws ``TestFailure``.
public final class TestViewModel<S: Screen> {
  /// The engine of the view model, and of the stores of the screen.
  public let engine: Engine
  private let scheduler = ManualScheduler()
  private let registry: ScreenRegistry
  private let screen: S
  private let key: Text
  private let recorded: Recorded

  /// Creates the view model of a screen.
  ///
  /// - Parameters:
  ///   - screen: The screen.
  ///   - key: The key of the view model.
  ///   - time: The time at the start.
  /// - Throws: `ScreenLookupError` if the screen has no view model for the key, and ``TestFailure`` if its first state
  ///   cannot be shown.
  public convenience init(
    _ screen: S, key: Text = "test",
    at time: Timestamp = Timestamp(secondsSince1970: 1_772_000_000)
  ) throws {
    try self.init(key: key, at: time) { _ in screen }
  }

  /// Creates the view model of a screen with stores.
  ///
  /// ```swift
  /// let viewModel = try TestViewModel(key: "1") { NoteScreen(store: Store("notes", Notes(), in: $0)) }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key of the view model.
  ///   - time: The time at the start.
  ///   - screen: Creates the screen, and its stores in the engine.
  /// - Throws: The errors of `screen`, `ScreenLookupError` if the screen has no view model for the key, and
  ///   ``TestFailure`` if its first state cannot be shown.
  public init(
    key: Text = "test", at time: Timestamp = Timestamp(secondsSince1970: 1_772_000_000),
    screen: (Engine) throws -> S
  ) throws {
    let (scheduler, recorded) = (scheduler, Recorded())
    var environment = ScreenEnvironment(
      scheduler: scheduler, now: { time.advanced(by: scheduler.now) },
      record: { incident in recorded.add(incident) })
    #if DEBUG
      environment.checksAllStates = true
    #endif
    engine = Engine(environment: environment, seed: [])
    engine.holdCalls()
    self.recorded = recorded
    self.screen = try screen(engine)
    self.key = key
    var registry = ScreenRegistry(engine)
    registry.register(self.screen)
    self.registry = registry
    if try instance.failure != nil {
      throw TestFailure("the first state cannot be shown\(faultText)")
    }
  }

  private var instance: Instance {
    get throws { try registry.instance(screen: S.name, key: key) }
  }

  // MARK: - Inputs

  /// Sends a command.
  ///
  /// - Returns: Whether the command was accepted.
  /// - Throws: `Refusal` if the command is refused, which changes nothing, and ``TestFailure`` if the view
  ///   model has ended or cannot be shown.
  @discardableResult
  public nonisolated(nonsending) func send<each Argument>(
    _ command: Command<S.State, repeat each Argument>, _ arguments: repeat each Argument
  ) async throws -> Bool {
    try await send(command.sent(repeat each arguments))
  }

  /// Sends the body of a command, as a client does.
  ///
  /// - Returns: Whether the command was accepted.
  /// - Throws: `Refusal` if the command is refused, which changes nothing, and ``TestFailure`` if the view
  ///   model has ended or cannot be shown, or if JSON cannot represent the body.
  @discardableResult
  public nonisolated(nonsending) func send(_ body: JSONValue) async throws -> Bool {
    do throws(JSONShapeError) {
      try body.checkWritable()
    } catch {
      throw TestFailure("the command cannot be sent: \(error)")
    }
    do {
      let outcome = try await instance.send(SentCommand(JSONReader(body)), expecting: nil)
      runDueWork()
      if (try? instance)?.failure == .failed { throw CommandFailure.unavailable(.failed) }
      return outcome.isAccepted
    } catch CommandFailure.refused(let refusal) {
      throw refusal
    } catch CommandFailure.unavailable(.failed) {
      throw TestFailure("the view model cannot be shown\(faultText)")
    } catch let failure as CommandFailure {
      throw TestFailure("the command has no outcome: \(failure)")
    } catch let error as ScreenLookupError {
      throw TestFailure("the command has no outcome: \(error)")
    }
  }

  /// Why the view model cannot be shown, as the end of a sentence; empty if that is not known.
  private var faultText: String {
    guard case .assembly(let message)? = incidents.last?.kind else { return "" }
    return ": \(message)"
  }

  /// Sends the opening command of the screen.
  ///
  /// - Throws: ``TestFailure`` if the screen has no opening command, and the errors of ``send(_:)``.
  public nonisolated(nonsending) func open() async throws {
    guard let opening = screen.opening else {
      throw TestFailure("the screen \(S.name) has no opening command")
    }
    try await send(["type": .string(opening)])
  }

  /// Sends the command of an action of a row, as if a user taps it.
  ///
  /// ```swift
  /// try await viewModel.tap("card/7", "Move left")
  /// ```
  ///
  /// - Parameters:
  ///   - row: The id of the row.
  ///   - title: The title of the action; unless given, the first action of the row is sent.
  /// - Returns: Whether the command was accepted.
  /// - Throws: ``TestFailure`` if there is no such row, or if it has no such action, and the errors of ``send(_:)``.
  @discardableResult
  public nonisolated(nonsending) func tap(_ row: Text, _ title: Text? = nil) async throws -> Bool {
    guard let found = rows.first(where: { $0.id == row }) else {
      throw TestFailure("there is no row \(row); the rows are \(rows.map(\.id))")
    }
    guard let action = found.actions.first(where: { title == nil || $0.title == title }) else {
      throw TestFailure("the row \(row) has no action\(title.map { " “\($0)”" } ?? "")")
    }
    return try await send(action.command)
  }

  /// Ends the load of a part with a value; of a ``ViewState/LookingUp`` part, the look-ups of all its queries.
  ///
  /// - Throws: ``TestFailure`` if no load of the part is running, if the value is not of the type of its source, or
  ///   if the view model cannot be shown with it, and the error of the value if it cannot be encoded.
  public func answer(_ part: Text, with value: some Encodable) throws {
    try end(part, .success(JSONValue(encoding: value)))
  }

  /// Ends the write of a ``ViewState/Saving`` part with success.
  ///
  /// - Throws: ``TestFailure`` if no write of the part is running, or if the view model cannot be shown after it.
  public func answer(_ part: Text) throws {
    try end(part, .success(.null))
  }

  /// Ends the look-up of one query of a ``ViewState/LookingUp`` part with a value.
  ///
  /// ```swift
  /// try viewModel.answer("places", to: "Bonn", with: [bonn])
  /// ```
  ///
  /// - Throws: The errors of ``answer(_:with:)``, also of the query.
  public func answer(
    _ part: Text, to query: some Encodable, with value: some Encodable
  ) throws {
    try end(part, to: JSONValue(encoding: query), .success(JSONValue(encoding: value)))
  }

  /// Ends the look-up of one query of a ``ViewState/LookingUp`` part with a failure.
  ///
  /// - Throws: ``TestFailure`` if it is not running, or if the view model cannot be shown after it, and the error of
  ///   the query if it cannot be encoded.
  public func fail(
    _ part: Text, to query: some Encodable, with failure: LoadFailure = .unavailable
  ) throws {
    try end(part, to: JSONValue(encoding: query), .failure(failure))
  }

  /// Ends the load of a part, or the write of a ``ViewState/Saving`` part, with a failure.
  ///
  /// - Throws: ``TestFailure`` if neither is running, or if the view model cannot be shown after it.
  public func fail(_ part: Text, with failure: LoadFailure = .unavailable) throws {
    try end(part, .failure(failure))
  }

  private func end(
    _ name: Text, to query: JSONValue? = nil, _ result: Result<JSONValue, LoadFailure>
  ) throws {
    let known = incidents.count
    let isKnown = engine.answer(name, to: query, result)
    runDueWork()
    guard isKnown else {
      let ofQuery = query.map { " for \($0)" } ?? ""
      throw TestFailure(
        "\(name)\(ofQuery) is neither being loaded nor being written; these wait for an answer: \(waiting)"
      )
    }
    if case .success = result {
      for case .loadFailure(name, let failure) in incidents.dropFirst(known).map(\.kind)
      where failure.isUnreadable {
        throw TestFailure(
          "the answer is not a value of \(name): \(failure.reason ?? failure.message)")
      }
    }
    if failure == .failed { throw TestFailure("the view model cannot be shown\(faultText)") }
  }

  /// Moves the clock, and runs the work that becomes due: time-outs, periodic loads, and loads of stores that take
  /// a time.
  public func advance(by interval: Duration) {
    scheduler.advance(by: interval)
  }

  /// Runs the work that takes no time, such as a load of a store.
  private func runDueWork() { scheduler.advance(by: .zero) }

  // MARK: - Results

  /// All rows, in order.
  public var rows: [Row] { snapshot.sections.flatMap { Array($0.rows) } }

  /// The rows of a section; none if there is no such section.
  public func rows(in section: Text) -> [Row] {
    snapshot.sections.first { $0.id == section }.map { Array($0.rows) } ?? []
  }

  /// The state of each part, as clients see it: `notRequested`, `isLoading`, `loaded` or `failed`; and that of
  /// each other state machine of the screen.
  public var states: [Text: Text] { snapshot.states }

  /// The content that clients see; empty if the view model has ended or cannot be shown.
  public var snapshot: Snapshot {
    guard let instance = try? instance, instance.failure == nil else { return .empty }
    return instance.current.snapshot
  }

  /// The reason why there is no content; `nil` if there is content.
  public var failure: ScreenLookupError? {
    do { return try instance.failure } catch { return error as? ScreenLookupError }
  }

  /// The names of the parts that wait for an answer.
  public var waiting: [Text] { engine.heldCalls.map(\.part) }

  /// Returns the change that a ``ViewState/Saving`` part is writing, or the oldest query that a
  /// ``ViewState/LookingUp`` part is looking up; `nil` if there is none.
  ///
  /// - Throws: An error if the change or the query is not of the type.
  public func request<Request: Decodable>(
    of part: Text, as type: Request.Type = Request.self
  ) throws -> Request? {
    try engine.heldCalls.first { $0.part == part }?.request.decode(type)
  }

  /// The incidents that a server would log: loads and writes that failed, results that came late, and a state
  /// that cannot be shown.
  public var incidents: [ScreenIncident] { recorded.all }
}

/// An error for a step of a test that is impossible, such as an answer to a source that is not loaded.
public struct TestFailure: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// The incidents of an engine.
private final class Recorded: Sendable {
  private let incidents = Mutex<[ScreenIncident]>([])

  var all: [ScreenIncident] { incidents.withLock { $0 } }

  func add(_ incident: ScreenIncident) { incidents.withLock { $0.append(incident) } }
}
