import CanonicalJSON
import Screens
import Snapshots
import TestSupport
import ViewState

/// The screen of one form, on a time that the test moves: a look-up takes two seconds, a page one,
/// sending three.
struct FormFixture {
  let scheduler = ManualScheduler()
  let store: FormStore
  let companies: CompanyStore
  let registry: ScreenRegistry
  let faults: Store<ScriptedFaults>
  let instance: Instance

  static let companies: JSONValue = [
    "companies": [
      ["id": 1, "taxNumber": "DE136695976", "name": "Mill", "city": "Jena"],
      ["id": 2, "taxNumber": "DE136695976", "name": "Mill South", "city": "Apolda"],
      ["id": 3, "taxNumber": "DE115235681", "name": "Bikes", "city": "Berlin"],
    ]
  ]

  /// - Parameters:
  ///   - sections: the form's sections.
  ///   - entries: how many things have happened with it.
  init(
    _ sections: JSONValue, entries: Int = 0, limits: CollectionLimits = ActivityEntry.limits,
    companies: JSONValue = companies, language: Language = .en
  ) throws {
    let activity = (0..<entries).map { number -> JSONValue in
      [
        "id": .integer(number + 1), "text": .string("Entry \(number + 1)"),
        "date": .string(Timestamp(secondsSince1970: number * 60).description),
      ]
    }
    let form: JSONValue = [
      "id": 1, "title": "Form", "sections": sections, "activity": .array(activity),
    ]
    let engine = Engine(
      environment: ScreenEnvironment(
        scheduler: scheduler, now: { Timestamp(secondsSince1970: 0) }))
    store = FormStore(
      try FormData(reading: JSONReader(["forms": [form]]), limits: limits), in: engine)
    self.companies = CompanyStore("companies", try CompanyData(JSONReader(companies)), in: engine)
    faults = Store("fault-scripts", ScriptedFaults(), in: engine)
    registry = ScreenRegistry(
      engine, faults: faults,
      latencies: Latencies([
        "registry": .seconds(2), "activity": .seconds(1), "submission": .seconds(3),
      ]),
      of: FormScreen(store: store, companies: self.companies, language: language))
    instance = try registry.instance(screen: "form", key: "1")
  }

  /// A form with these rows in one section.
  init(
    rows: JSONValue, companies: JSONValue = companies, language: Language = .en
  ) throws {
    try self.init([["id": "s", "rows": rows]], companies: companies, language: language)
  }
}

extension FormFixture {
  /// Sends a command; every change is replayed and judged as a batch update.
  @discardableResult
  func send(_ body: JSONValue) async throws -> CommandOutcome {
    try await instance.sendProven(body)
  }

  @discardableResult
  func send(_ type: String) async throws -> CommandOutcome {
    try await send(["type": .string(type)])
  }

  @discardableResult
  func change(_ row: Text, _ value: JSONValue) async throws -> CommandOutcome {
    try await send(["type": "didChange", "row": .string(row), "value": value])
  }

  @discardableResult
  func select(_ row: Text) async throws -> CommandOutcome {
    try await send(["type": "didSelect", "row": .string(row)])
  }

  @discardableResult
  func tap(_ row: Text) async throws -> CommandOutcome {
    try await send(["type": "didTap", "row": .string(row)])
  }

  /// Does operations as one command.
  ///
  /// - Returns: what changed, in words.
  @discardableResult
  func apply(_ operations: JSONValue...) async throws -> [String] {
    let before = instance.current.snapshot
    try await send(["type": "apply", "operations": .array(operations)])
    return instance.current.snapshot.difference(from: before).summary
  }

  /// Moves the time on; what comes of it is replayed and judged.
  func wait(_ duration: Duration) throws {
    let before = instance.current
    scheduler.advance(by: duration)
    try instance.prove(from: before)
  }

  /// The place of the member that a command is refused for; `nil` where it is taken.
  func refusal(of body: JSONValue) async throws -> String? {
    let before = instance.current.token
    do throws(CommandFailure) {
      let command: SentCommand
      do { command = try SentCommand(JSONReader(body)) } catch { throw .refused(error) }
      _ = try await instance.send(command, expecting: nil)
      return nil
    } catch {
      guard case .refused(let refusal) = error else { return "\(error)" }
      try require(instance.current.token == before, "a refused command made a revision")
      return refusal.pointer.description
    }
  }

  /// Lets a source behave by a script.
  func script(_ source: FormSource, _ outcomes: FaultScript.Outcome...) async throws {
    try await faults.set(FaultScript(outcomes: outcomes), for: source.rawValue, of: "1")
  }
}

extension FormFixture {
  var snapshot: Snapshot { instance.current.snapshot }
  var number: Int { instance.changeCount }

  /// The form's own sections.
  var sections: [Text] {
    snapshot.sections.map(\.id).filter { !["form", "submission", "activity"].contains($0) }
  }

  /// The rows of these sections.
  var rows: [Text] { sections.flatMap(rows(of:)) }

  /// The rows of one section.
  func rows(of section: Text) -> [Text] {
    snapshot.index(ofSection: section).map { snapshot.sections[$0].rows.map(\.id) } ?? []
  }

  func field(_ name: Text, of row: Text) -> JSONValue? {
    snapshot.path(ofRow: row).flatMap { snapshot[$0].fields[name] }
  }

  func value(_ row: Text) -> JSONValue? { field("value", of: row) }

  /// The code of what is wrong with a field.
  func error(_ row: Text) -> Text? {
    guard case .string(let code)? = field("code", of: "\(row)/error") else { return nil }
    return code
  }

  func state(_ source: FormSource) -> Text? { snapshot.states[source.rawValue] }
}

/// The sources of the form screen.
enum FormSource: Text, CaseIterable, Sendable {
  case activity
  case registry
  case submission
}
