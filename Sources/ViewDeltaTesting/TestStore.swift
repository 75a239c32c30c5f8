@_exported public import CanonicalJSON
@_exported public import Snapshots
import Synchronization
@_exported public import ViewState

/// One view model in a test, without a server: send commands, answer its sources, move the clock, and look
/// at the rows.
///
/// ```swift
/// @Test("adds what is written to the list, and shows it once it is saved")
/// func add() async throws {
///   let store = try TestStore(TodoList(todos: todos, holidays: holidays, write: write), key: "home")
///   try await store.open()
///   try store.answer("todos", with: [Todo]())
///
///   try await store.send(TodoList.add, "Buy milk", nil)
///   #expect(store.states["changes"] == "isLoading")
///   try store.answer("changes")
///   try store.answer("todos", with: [milk])
///
///   #expect(store.rows(in: "todos") == [TodoList.todo.row("todo/1", milk)])
///   await #expect(throws: Refusal.unknown("todo", 7)) { try await store.send(TodoList.finish, 7) }
/// }
/// ```
///
/// No source is called and nothing is written back: the test answers by ``answer(_:with:)`` and
/// ``fail(_:with:)``, in the order that it likes, and each answer is shown when the call returns. Time
/// moves by ``advance(by:)`` alone.
///
/// In debug builds each input is applied twice, the first time after it was written as JSON and read
/// again, and the test process stops if the two give different states, rows or revisions: that finds what
/// a reducer takes from elsewhere, such as a clock or the order of a dictionary.
public final class TestStore<S: Screen> {
  /// The engine, for stores of the screen.
  public let engine: Engine
  private let scheduler = ManualScheduler()
  private let registry: ScreenRegistry
  private let screen: S
  private let key: Text
  private let recorded: Recorded

  /// Shows a screen.
  ///
  /// - Parameters:
  ///   - key: The key of the view model.
  ///   - time: The time at the start.
  /// - Throws: `ScreenLookupError` if the screen has nothing to show for the key.
  public convenience init(
    _ screen: S, key: Text = "test",
    at time: Timestamp = Timestamp(secondsSince1970: 1_772_000_000)
  ) throws {
    try self.init(key: key, at: time) { _ in screen }
  }

  /// Shows a screen that has stores.
  ///
  /// ```swift
  /// let store = try TestStore(key: "1") { NoteScreen(store: Store("notes", Notes(), in: $0)) }
  /// ```
  ///
  /// - Parameter screen: Makes the screen, and its stores in the engine.
  public init(
    key: Text = "test", at time: Timestamp = Timestamp(secondsSince1970: 1_772_000_000),
    screen: (Engine) throws -> S
  ) throws {
    let (scheduler, recorded) = (scheduler, Recorded())
    let environment = ScreenEnvironment(
      scheduler: scheduler, now: { time.advanced(by: scheduler.now) },
      record: { incident in recorded.add(incident) })
    engine = Engine(environment: environment, seed: [])
    engine.holdCalls()
    self.recorded = recorded
    self.screen = try screen(engine)
    self.key = key
    var registry = ScreenRegistry(engine)
    registry.register(self.screen)
    self.registry = registry
    _ = try instance
  }

  private var instance: any ScreenInstance {
    get throws { try registry.instance(screen: S.name, key: key) }
  }

  // MARK: - What happens

  /// Sends a command.
  ///
  /// - Returns: Whether the command had anything to do.
  /// - Throws: ``Refusal`` if it is refused; nothing has changed then. ``TestFailure`` if the view model
  ///   has ended or cannot be shown.
  @discardableResult
  public func send<each Argument>(
    _ command: Command<S.State, repeat each Argument>, _ arguments: repeat each Argument
  ) async throws -> Bool {
    try await send(command.sent(repeat each arguments))
  }

  /// Sends a body, as a client does that does not know the types.
  @discardableResult
  public func send(_ body: JSONValue) async throws -> Bool {
    do {
      return try await instance.send(SentCommand(JSONReader(body)), expecting: nil).isAccepted
    } catch CommandFailure.refused(let refusal) {
      throw refusal
    } catch let failure as CommandFailure {
      throw TestFailure("the command has no outcome: \(failure)")
    }
  }

  /// Sends the command that a client sends when the screen comes into view.
  public func open() async throws {
    guard let opening = screen.opening else {
      throw TestFailure("the screen \(S.name) has no opening command")
    }
    try await send(["type": .string(opening)])
  }

  /// Sends the command of the action of a row, as when a user taps it.
  ///
  /// - Throws: ``TestFailure`` if there is no such row, or if it has no action.
  @discardableResult
  public func tap(_ row: Text) async throws -> Bool {
    guard let found = rows.first(where: { $0.id == row }) else {
      throw TestFailure("there is no row \(row); the rows are \(rows.map(\.id))")
    }
    guard case .object(let action) = found.fields["action"], let command = action["command"] else {
      throw TestFailure("the row \(row) has no action")
    }
    return try await send(command)
  }

  /// Lets a source bring a value.
  ///
  /// - Throws: ``TestFailure`` if no part waits for the source.
  public func answer(_ source: Text, with value: some Encodable) throws {
    try end(source, .success(JSONValue(encoding: value)))
  }

  /// Lets the write of a ``Saving`` part succeed.
  ///
  /// - Throws: ``TestFailure`` if the part has nothing to write.
  public func answer(_ part: Text) throws {
    try end(part, .success(.null))
  }

  /// Lets a source, or the write of a ``Saving`` part, fail.
  ///
  /// - Throws: ``TestFailure`` if nothing waits for it.
  public func fail(_ source: Text, with failure: LoadFailure = .unavailable) throws {
    try end(source, .failure(failure))
  }

  private func end(_ name: Text, _ result: Result<JSONValue, LoadFailure>) throws {
    guard engine.answer(name, result) else {
      throw TestFailure("nothing waits for \(name), but for \(waiting)")
    }
  }

  /// Moves the clock, and does what becomes due: time-outs, and loads by the clock.
  public func advance(by interval: Duration) {
    scheduler.advance(by: interval)
  }

  // MARK: - What there is to see

  /// All rows, in order.
  public var rows: [Row] { snapshot.sections.flatMap { Array($0.rows) } }

  /// The rows of a section; none if there is no such section.
  public func rows(in section: Text) -> [Row] {
    snapshot.sections.first { $0.id == section }.map { Array($0.rows) } ?? []
  }

  /// The state of each part, as clients see it: `notRequested`, `isLoading`, `loaded` or `failed`.
  public var states: [Text: Text] { snapshot.states }

  /// Everything that clients see; empty if the view model has ended.
  public var snapshot: Snapshot { (try? instance.current.snapshot) ?? .empty }

  /// Why there is nothing to show; `nil` if there is.
  public var failure: ScreenLookupError? {
    do { return try instance.failure } catch { return error as? ScreenLookupError }
  }

  /// The names of the sources and of the ``Saving`` parts that wait for an answer.
  public var waiting: [Text] { engine.heldCalls.map(\.name) }

  /// What waits to be written by a ``Saving`` part; `nil` if nothing does.
  public func change<Change: Decodable>(
    of part: Text, as type: Change.Type = Change.self
  ) throws -> Change? {
    try engine.heldCalls.first { $0.name == part }?.request.decode(type)
  }

  /// What the log of a server would say so far: loads that failed, and a screen that cannot be shown.
  public var incidents: [ScreenIncident] { recorded.all }
}

/// A step of a test that cannot be done, such as an answer that nothing waits for.
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
