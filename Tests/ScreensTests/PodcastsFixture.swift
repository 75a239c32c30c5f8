import CanonicalJSON
import Screens
import Snapshots
import TestSupport
import ViewState

/// The podcasts screen of one listener, on a time that the test moves: a load takes two seconds.
struct PodcastsFixture {
  let scheduler = ManualScheduler()
  let store: PodcastStore
  let faults: Store<ScriptedFaults>
  let instance: Instance

  /// Two podcasts, none, no feed, a feed that is broken.
  static let data: JSONValue = [
    "listeners": [
      [
        "id": 1, "name": "ada",
        "podcasts": [
          ["id": 1, "title": "One", "latestEpisode": ["title": "E", "date": "2026-01-01"]],
          ["id": 2, "title": "Two", "latestEpisode": ["title": "F", "date": "2026-02-02"]],
        ],
      ],
      ["id": 2, "name": "bruno", "podcasts": []],
      ["id": 3, "name": "chiyo"],
      [
        "id": 4, "name": "dana",
        "podcasts": [["id": 1, "title": "One"], ["id": 2, "title": " "]],
      ],
    ]
  ]

  init(_ listener: Text = "1", policy: RefreshPolicy = .keepPrevious) throws {
    let engine = Engine(environment: ScreenEnvironment(scheduler: scheduler))
    store = PodcastStore(try PodcastData(reading: JSONReader(Self.data)), in: engine)
    faults = Store("fault-scripts", ScriptedFaults(), in: engine)
    let registry = ScreenRegistry(
      engine, faults: faults, latencies: Latencies(["podcasts": .seconds(2)]),
      of: PodcastsScreen(store: store, policy: policy))
    instance = try registry.instance(screen: "podcasts", key: listener)
  }

  @discardableResult
  func send(_ body: JSONValue) async throws -> CommandOutcome {
    let outcome = try await instance.sendProven(body)
    // A load may have brought the late result of the one before, which a thread of its own applies.
    await store.engine.settle()
    return outcome
  }

  @discardableResult
  func send(_ type: String) async throws -> CommandOutcome {
    try await send(["type": .string(type)])
  }

  @discardableResult
  func choose(_ policy: String) async throws -> CommandOutcome {
    try await send(["type": "setRefreshPolicy", "policy": .string(policy)])
  }

  /// Loads to the end, as a script wants it.
  func load(_ outcome: FaultScript.Outcome = .succeed) async throws {
    try await faults.set(FaultScript(outcomes: [outcome]), for: "podcasts", of: "1")
    try await send("load")
    scheduler.advance(by: .seconds(2))
  }

  /// The rows but the header, which is always there.
  var rows: [Text] { instance.current.snapshot.rowIDs.filter { $0 != "podcasts/header" } }
  var number: Int { instance.changeCount }
  var state: Text? { instance.current.snapshot.states["podcasts"] }

  func field(_ name: Text, of row: Text) -> JSONValue? {
    let snapshot = instance.current.snapshot
    return snapshot.path(ofRow: row).flatMap { snapshot[$0].fields[name] }
  }

  /// Why the list could not be loaded.
  var code: JSONValue? { field("code", of: "podcasts/error") }
}
