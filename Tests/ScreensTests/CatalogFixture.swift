import CanonicalJSON
import Screens
import Snapshots
import TestSupport
import ViewState

/// A catalog with the sections `a` (items 1, 2, 3), `b` (4, 5) and `c` (none).
struct CatalogFixture {
  let store: CatalogStore
  let registry: ScreenRegistry
  let instance: Instance

  static let data: JSONValue = [
    "catalogs": [
      [
        "id": 1,
        "sections": [
          ["id": "a", "title": "A", "items": [item("1"), item("2"), item("3")]],
          ["id": "b", "items": [item("4"), item("5")]],
          ["id": "c"],
        ],
      ]
    ]
  ]

  static func item(_ id: Text, _ title: Text = "T") -> JSONValue {
    ["id": .string(id), "title": .string(title)]
  }

  init(limits: CatalogLimits = CatalogLimits()) throws {
    let engine = Engine.still()
    store = CatalogStore(
      "catalogs", try CatalogData(JSONReader(Self.data), limits: limits), in: engine)
    registry = ScreenRegistry(engine, of: CatalogScreen(store: store))
    instance = try registry.instance(screen: "catalog", key: "1")
  }

  /// What a batch did.
  struct Step {
    let isAccepted: Bool
    let details: [Text: JSONValue]
    let changes: Changeset
    let layout: String
  }

  /// Applies operations; replays the difference, and lets the judge of batch updates look at it.
  @discardableResult
  func apply(_ operations: JSONValue...) async throws -> Step {
    let before = instance.current
    let body: JSONValue = ["type": "apply", "operations": .array(operations)]
    let outcome = try await instance.send(body)
    let after = instance.current
    let changes = try after.snapshot.provenDifference(from: before.snapshot)
    let kept = instance.kept(before: after.token, limit: 1)
    try require(
      after === before || kept.last === before, "a batch made several revisions")
    try require(
      outcome.isAccepted == (after.token != before.token), "accepted means that something changed")
    return Step(
      isAccepted: outcome.isAccepted, details: outcome.details, changes: changes,
      layout: after.snapshot.layout)
  }

  /// The refusal that operations meet; nothing has changed then.
  func refusal(of operations: JSONValue) async throws -> Refusal? {
    let before = (store.value, instance.current.token)
    let body: JSONValue = ["type": "apply", "operations": operations]
    do {
      try await instance.send(body)
      return nil
    } catch CommandFailure.refused(let refusal) {
      try require(before == (store.value, instance.current.token), "a refusal changed it")
      return refusal
    }
  }
}

extension Snapshot {
  /// The ids, such as `a(1 2) b()`.
  var layout: String {
    sections.map { "\($0.id)(\($0.rows.map(\.id.string).joined(separator: " ")))" }
      .joined(separator: " ")
  }
}

extension Changeset {
  /// The operations on sections and rows as short words.
  var allWords: [String] {
    sections.deletes.map { "delete section \($0.id)" }
      + sections.inserts.map { "insert section \($0.element.id)" }
      + sections.moves.map { "move section \($0.id)" }
      + sections.reloads.map { "reload section \($0.id)" }
      + sections.updates.map { "update section \($0.id)" } + summary
  }
}
