import CanonicalJSON
import Screens
import Snapshots
import TestSupport
import ViewState

/// A profile screen on a store of its own and a time that the test moves: the profile takes three
/// seconds, the posts four.
struct ProfileFixture {
  let scheduler = ManualScheduler()
  let store: ProfileStore
  let registry: ScreenRegistry
  let faults: Store<ScriptedFaults>
  let instance: Instance
  let incidents = Noted<ScreenIncident>()

  static let data: JSONValue = [
    "users": [
      ["id": 1, "username": "ada", "website": "ada.example.com", "address": ["city": "Lagos"]]
    ],
    "posts": [["id": 1, "userId": 1, "title": "One", "body": "First."]],
  ]

  init(data: JSONValue = ProfileFixture.data, journal: MemoryJournal? = nil) throws {
    let environment = ScreenEnvironment(
      scheduler: scheduler, now: { Timestamp(secondsSince1970: 1_800_000_000) },
      record: incidents.add)
    let engine =
      try journal.map { try Engine(environment: environment, journal: $0) }
      ?? Engine(environment: environment)
    store = ProfileStore(try ProfileData(reading: JSONReader(data)), in: engine)
    faults = Store("fault-scripts", ScriptedFaults(), in: engine)
    registry = ScreenRegistry(
      engine, faults: faults, latencies: Latencies(["profile": .seconds(3), "posts": .seconds(4)]),
      of: ProfileScreen(store: store))
    try engine.start()
    instance = try registry.instance(screen: "profile", key: "1")
  }

  @discardableResult
  func send(_ type: String, expecting: Set<RevisionToken>? = nil) async throws -> CommandOutcome {
    try await instance.send(
      SentCommand(JSONReader(["type": .string(type)])), expecting: expecting)
  }

  /// Loads both halves to the end.
  func load() async throws {
    try await send("appear")
    scheduler.advance(by: .seconds(4))
  }

  var rowIDs: [Text] { instance.current.snapshot.rowIDs }
  var number: Int { instance.changeCount }
  var states: [Text: Text] { instance.current.snapshot.states }

  func row(_ id: Text) -> Row? {
    let snapshot = instance.current.snapshot
    return snapshot.path(ofRow: id).map { snapshot[$0] }
  }

  /// What changed from one revision number to another.
  func changes(from: Int, to: Int) throws -> Changeset {
    let kept = instance.kept
    guard kept.indices.contains(from), kept.indices.contains(to) else { throw Missing() }
    return kept[to].snapshot.difference(from: kept[from].snapshot)
  }

  struct Missing: Error {}
}

extension Snapshot {
  var rowIDs: [Text] { sections.flatMap { $0.rows.map(\.id) } }
}

extension Changeset {
  /// The operations on rows as short words, in the order of the wire.
  var summary: [String] {
    rows.deletes.map { "delete \($0.id)" } + rows.inserts.map { "insert \($0.element.id)" }
      + rows.moves.map { "move \($0.id)" } + rows.reloads.map { "reload \($0.id)" }
      + rows.updates.map { "update \($0.id)" }
  }
}

/// The two independent sources of the profile screen.
enum ProfileSource: Text, CaseIterable, Sendable {
  case posts
  case profile
}
