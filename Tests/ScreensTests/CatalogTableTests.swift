import CanonicalJSON
import TestSupport
import Testing
import ViewState

@testable import Screens

/// Every operation, with each of its anchors, in every state of a catalog.
@Suite("Every operation in every state of a catalog")
struct CatalogTableTests {
  /// No sections, sections without items, sections with items, and a catalog that was removed.
  static let states: [(name: String, sections: JSONValue)] = [
    ("no sections", []), ("no items", [["id": "a"], ["id": "b"]]),
    (
      "items",
      [
        ["id": "a", "items": [CatalogFixture.item("1"), CatalogFixture.item("2")]],
        ["id": "b", "items": [CatalogFixture.item("3")]],
      ]
    ),
    ("removed", []),
  ]

  private static let (item, section): (JSONValue, JSONValue) = (
    CatalogFixture.item("n"), ["id": "n"]
  )

  /// What each operation does in each of the states.
  static let table: [(operation: JSONValue, outcomes: [String])] = [
    (
      ["operation": "appendSections", "sections": [section]],
      ["insert section n", "insert section n", "insert section n"]
    ),
    (
      ["operation": "insertSections", "sections": [section], "before": "a"],
      ["refused /before", "insert section n", "insert section n"]
    ),
    (
      ["operation": "insertSections", "sections": [section], "after": "a"],
      ["refused /after", "insert section n", "insert section n"]
    ),
    (
      ["operation": "deleteSections", "ids": ["a"]],
      ["nothing", "delete section a", "delete section a"]
    ),
    (
      ["operation": "moveSection", "id": "a", "after": "b"],
      // Of two that change places the second one moves: a difference knows nothing of the way.
      ["refused /id", "move section b", "move section b"]
    ),
    (
      ["operation": "moveSection", "id": "b", "before": "a"],
      ["refused /id", "move section b", "move section b"]
    ),
    (
      ["operation": "reloadSections", "sections": [["id": "a", "title": "A", "items": [item]]]],
      [
        "refused /sections/0/id", "reload section a, update section a, insert n",
        "reload section a, update section a, delete 2, delete 1, insert n",
      ]
    ),
    (
      ["operation": "renameSection", "section": "a", "title": "A"],
      ["refused /section", "update section a", "update section a"]
    ),
    (
      ["operation": "clearTitle", "section": "a"],
      ["refused /section", "nothing", "nothing"]
    ),
    (
      ["operation": "appendItems", "items": [item]],
      ["refused /section", "insert n", "insert n"]
    ),
    (
      ["operation": "appendItems", "items": [item], "section": "a"],
      ["refused /section", "insert n", "insert n"]
    ),
    (
      ["operation": "insertItems", "items": [item], "before": "1"],
      ["refused /before", "refused /before", "insert n"]
    ),
    (
      ["operation": "insertItems", "items": [item], "after": "1"],
      ["refused /after", "refused /after", "insert n"]
    ),
    (
      ["operation": "appendItems", "items": [item], "to": "1"],
      ["refused /to", "refused /to", "update 1"]
    ),
    (
      ["operation": "deleteItems", "ids": ["1"]], ["nothing", "nothing", "delete 1"]
    ),
    (
      ["operation": "deleteAllItems"], ["nothing", "nothing", "delete 3, delete 2, delete 1"]
    ),
    (
      ["operation": "moveItem", "id": "1", "after": "3"],
      ["refused /id", "refused /id", "move 1"]
    ),
    (
      ["operation": "moveItem", "id": "3", "before": "1"],
      ["refused /id", "refused /id", "move 3"]
    ),
    (
      ["operation": "reloadItems", "items": [CatalogFixture.item("1", "U")]],
      ["refused /items/0/id", "refused /items/0/id", "reload 1, update 1"]
    ),
    (
      ["operation": "reconfigureItems", "items": [["id": "1", "badge": "B"]]],
      ["refused /items/0/id", "refused /items/0/id", "update 1"]
    ),
    (
      ["operation": "expandItems", "ids": ["1"]],
      ["refused /ids/0", "refused /ids/0", "nothing"]
    ),
    (
      ["operation": "collapseItems", "ids": ["1"]],
      ["refused /ids/0", "refused /ids/0", "nothing"]
    ),
  ]

  @Test("does what the table says, and nothing else", arguments: states.indices)
  func table(state: Int) async throws {
    for row in Self.table {
      let (store, instance) = try Self.open(Self.states[state].sections)
      if state == 3 { _ = try await store.write(.catalog(.delete("1"))) }
      let outcome = try await instance.outcome(
        of: ["type": "apply", "operations": [row.operation]])
      let expected = state == 3 ? "removed" : row.outcomes[state]
      #expect(
        outcome == expected.replacing("refused ", with: "refused /operations/0"),
        "\(row.operation) with \(Self.states[state].name)")
    }
  }

  @Test("stands in the table, by the names that there are")
  func completeness() throws {
    let named = try Self.table.map { try JSONReader($0.operation).member("operation").string() }
    #expect(Set(named) == Set(CatalogOperation.names))
    let machines = CatalogScreen(store: try Self.open([]).store).stateMachines
    #expect(machines.map(\.states) == [Self.states.map(\.name)])
  }

  private static func open(
    _ sections: JSONValue
  ) throws -> (store: CatalogStore, instance: Instance) {
    let data: JSONValue = ["catalogs": [["id": 1, "sections": sections]]]
    let store = CatalogStore("catalogs", try CatalogData(JSONReader(data)), in: .still())
    let registry = ScreenRegistry(store.engine, of: CatalogScreen(store: store))
    return (store, try registry.instance(screen: "catalog", key: "1"))
  }
}
