import CanonicalJSON
import Screens
import Snapshots
import Synchronization
import TestSupport
import ViewState

/// The list of scoreboards and two boards: the first with three players, the second with none.
struct ScoreboardFixture {
  let store: ScoreboardStore
  let registry: ScreenRegistry
  let list: Instance
  let board: Instance

  static let data: JSONValue = [
    "scoreboards": [
      [
        "id": 1, "title": "Darts",
        "players": [
          ["id": 1, "name": "A", "score": 10], ["id": 2, "name": "B", "score": 30],
          ["id": 3, "name": "C", "score": 20],
        ],
      ],
      ["id": 2, "title": "Chess"],
    ]
  ]

  init(limits: ScoreboardLimits = ScoreboardLimits()) throws {
    let engine = Engine.still()
    store = ScoreboardStore(
      "scoreboards", try ScoreboardData(JSONReader(Self.data), limits: limits), in: engine)
    registry = ScreenRegistry(
      engine, of: ScoreboardsScreen(store: store), ScoreboardScreen(store: store))
    list = try registry.instance(screen: "scoreboards", key: "all")
    board = try registry.instance(screen: "scoreboard", key: "1")
  }

  /// What a command did to the instance that it was sent to.
  struct Step {
    let isAccepted: Bool
    let changes: [String]
  }

  @discardableResult
  func send(_ body: JSONValue, to instance: Instance) async throws -> Step {
    let before = instance.current
    let outcome = try await instance.send(body)
    return Step(
      isAccepted: outcome.isAccepted,
      changes: try instance.current.snapshot.provenDifference(from: before.snapshot).summary)
  }

  /// The pointer of the refusal that a command meets; nothing has changed then.
  func refusal(of body: JSONValue, by instance: Instance) async throws -> String? {
    let before = (store.value, list.current.token, board.current.token)
    do {
      try await instance.send(body)
      return nil
    } catch {
      try require(
        before == (store.value, list.current.token, board.current.token), "a refusal changed it")
      switch error {
      case let refusal as Refusal: return refusal.pointer.description
      case CommandFailure.refused(let refusal): return refusal.pointer.description
      default: throw error
      }
    }
  }
}

extension Snapshot {
  /// The title in the first of these rows that is there.
  func title(ofRow ids: Text...) -> JSONValue? {
    ids.lazy.compactMap { path(ofRow: $0) }.first.flatMap { self[$0].fields["title"] }
  }
}
