import CanonicalJSON
import Testing
import ViewState

@testable import Screens

@Suite("A batch that a catalog refuses")
struct CatalogRefusalTests {
  private static let item = CatalogFixture.item("n")

  @Test(
    "points at the member at fault, names the ids, and changes nothing",
    arguments: [
      (["operation": "explode"], "/operation", nil), ([:], "/operation", nil),
      (["operation": "deleteAllItems", "ids": []], "/ids", nil),
      (["operation": "appendItems"], "/items", nil),
      (["operation": "appendItems", "items": [["id": "n"]]], "/items/0/title", nil),
      (["operation": "appendItems", "items": [["id": "", "title": "T"]]], "/items/0/id", nil),
      (
        ["operation": "appendItems", "items": [["id": "n", "title": "T", "type": "x"]]],
        "/items/0/type", nil
      ),
      (["operation": "appendItems", "items": [item], "section": "x"], "/section", "x"),
      (
        ["operation": "appendItems", "items": [item, ["id": "1", "title": "T"]]], "/items/1/id", "1"
      ),
      (["operation": "appendItems", "items": [item, item]], "/items/1/id", "n"),
      (["operation": "insertItems", "items": [item]], "/before", nil),
      (
        ["operation": "insertItems", "items": [item], "before": "1", "after": "2"], "/after", nil
      ),
      (["operation": "insertItems", "items": [item], "before": "x"], "/before", "x"),
      (["operation": "insertItems", "items": [item], "after": "a"], "/after", "a"),
      (["operation": "insertSections", "sections": [["id": "n"]], "after": "1"], "/after", "1"),
      (["operation": "appendSections", "sections": [["id": "a"]]], "/sections/0/id", "a"),
      (
        [
          "operation": "insertSections", "sections": [["id": "n", "items": [item, item]]],
          "before": "a",
        ], "/sections/0/items/1/id", "n"
      ),
      (
        ["operation": "reloadSections", "sections": [["id": "a"], ["id": "x"]]],
        "/sections/1/id", "x"
      ),
      (
        ["operation": "reloadSections", "sections": [["id": "a"], ["id": "a"]]],
        "/sections/1/id", "a"
      ),
      (
        [
          "operation": "reloadSections",
          "sections": [["id": "a", "items": [["id": "4", "title": "T"]]]],
        ], "/sections/0/items/0/id", "4"
      ),
      (["operation": "renameSection", "section": "x", "title": "T"], "/section", "x"),
      (["operation": "clearTitle", "section": "1"], "/section", "1"),
      (["operation": "moveSection", "id": "x", "after": "a"], "/id", "x"),
      (["operation": "moveSection", "id": "a", "after": "x"], "/after", "x"),
      (["operation": "moveSection", "id": "a", "before": "a"], "/before", "a"),
      (["operation": "moveItem", "id": "x", "after": "1"], "/id", "x"),
      (["operation": "moveItem", "id": "1", "after": "x"], "/after", "x"),
      (["operation": "moveItem", "id": "1", "before": "1"], "/before", "1"),
      (["operation": "reloadItems", "items": [item]], "/items/0/id", "n"),
      (
        ["operation": "reconfigureItems", "items": [["id": "1"], ["id": "x"]]], "/items/1/id", "x"
      ),
      (
        ["operation": "reconfigureItems", "items": [["id": "1"], ["id": "1"]]], "/items/1/id", "1"
      ),
      (
        ["operation": "reconfigureItems", "items": [["id": "1", "type": "catalogFeature"]]],
        "/items/0/type", "1"
      ),
      (
        ["operation": "reconfigureItems", "items": [["id": "1", "title": nil]]],
        "/items/0/title", nil
      ),
      (["operation": "deleteItems", "ids": [true]], "/ids/0", nil),
    ] as [(JSONValue, String, Text?)])
  func refusals(operation: JSONValue, place: String, id: Text?) async throws {
    let fixture = try CatalogFixture()
    // What comes before the fault can be done, and is not.
    let first: JSONValue = ["operation": "deleteItems", "ids": ["3"]]
    let second: JSONValue = ["operation": "deleteItems", "ids": ["5"]]
    let refusal = try #require(
      try await fixture.refusal(of: [first, operation, second]))
    #expect(refusal.pointer.description == "/operations/1" + place)
    if let id { #expect(refusal.message.contains("\"\(id)\"")) }
  }

  @Test(
    "names all ids that are taken, of hidden items too, and points at the first one",
    arguments: [
      (
        ["operation": "appendItems", "items": items("2", "n", "4", "below"), "section": "a"],
        "/items/0/id", ["2", "4", "below"]
      ),
      (
        ["operation": "insertItems", "items": items("n", "below", "2"), "before": "5"],
        "/items/1/id", ["below", "2"]
      ),
      (
        ["operation": "appendSections", "sections": [["id": "n", "items": items("below", "2")]]],
        "/sections/0/items/0/id", ["below", "2"]
      ),
      (
        [
          "operation": "reloadSections",
          "sections": [["id": "a", "items": items("1", "5", "below")]],
        ],
        "/sections/0/items/1/id", ["5", "below"]
      ),
    ] as [(JSONValue, String, [Text])])
  func repeated(operation: JSONValue, place: String, ids: [Text]) async throws {
    let fixture = try CatalogFixture()
    try await fixture.apply(
      ["operation": "appendItems", "items": Self.items("below"), "to": "4"])
    let refusal = try #require(try await fixture.refusal(of: [operation]))
    #expect(refusal.pointer.description == "/operations/0" + place)
    #expect(refusal.message == "not unique: row ids \(ids)")
  }

  private static func items(_ ids: Text...) -> JSONValue {
    .array(ids.map { CatalogFixture.item($0) })
  }

  @Test("moves an item beside one below it")
  func anchorBelow() async throws {
    let fixture = try CatalogFixture()
    try await fixture.apply(
      ["operation": "appendItems", "items": Self.items("below"), "to": "4"])
    let refusal = try await fixture.refusal(of: [
      ["operation": "moveItem", "id": "4", "after": "below"]
    ])
    #expect(refusal?.pointer.description == "/operations/0/after")
    #expect(refusal?.message == #""4" cannot go before or after "below", which is below it"#)
  }

  @Test("has nothing to append items to, or is no list")
  func shapes() async throws {
    let fixture = try CatalogFixture()
    let refusal = try await fixture.refusal(of: [
      ["operation": "deleteSections", "ids": ["a", "b", "c"]],
      ["operation": "appendItems", "items": [Self.item]],
    ])
    #expect(refusal?.pointer.description == "/operations/1/section")
    #expect(try await fixture.refusal(of: [:])?.pointer.description == "/operations")
  }

  @Test("would go beyond a limit when it is done")
  func limits() async throws {
    let fixture = try CatalogFixture(
      limits: CatalogLimits(
        catalogs: 1, sectionsPerCatalog: 3, itemsPerCatalog: 5, items: 8))
    let append: JSONValue = ["operation": "appendItems", "items": [Self.item]]
    let remove: JSONValue = ["operation": "deleteItems", "ids": ["1"]]
    let section: JSONValue = ["operation": "appendSections", "sections": [["id": "n"]]]
    #expect(try await fixture.refusal(of: [append])?.pointer.description == "/operations")
    #expect(try await fixture.refusal(of: [section])?.pointer.description == "/operations")
    let many = JSONValue.array(Array(repeating: remove, count: 201))
    #expect(try await fixture.refusal(of: many)?.pointer.description == "/operations")
    // On the way it may hold more.
    #expect(try await fixture.apply(append, remove).layout == "a(2 3) b(4 5) c(n)")
  }

  @Test("has more sections, items and ids than one command may have, and is not read")
  func elements() async throws {
    let fixture = try CatalogFixture()
    func delete(_ count: Int) -> JSONValue {
      ["operation": "deleteItems", "ids": .array((0..<count).map { .string("x\($0)") })]
    }
    let operations: JSONValue = [delete(10_000), delete(10_000), delete(2_001)]
    let refusal = try #require(try await fixture.refusal(of: operations))
    #expect(refusal.pointer.description == "/operations")
    #expect(refusal.message.contains("more than 22000 sections, items and ids"))
    let most = try await fixture.apply(delete(10_000), delete(10_000), delete(2_000))
    #expect(most.isAccepted == false)
    // What is no list, or too long a one, is refused for that.
    let long = JSONValue.array(Array(repeating: 1, count: 30_000))
    #expect(try await fixture.refusal(of: long)?.message == "expected at most 200 elements")
    let object = try await fixture.refusal(of: ["ids": long])
    #expect(object?.message == "expected an array, found an object")
  }

  @Test("would bring all catalogs beyond their limit, for which sections and items count alike")
  func commonLimit() async throws {
    let fixture = try CatalogFixture(limits: CatalogLimits(items: 8))
    let append: JSONValue = ["operation": "appendItems", "items": [Self.item]]
    let remove: JSONValue = ["operation": "deleteItems", "ids": ["1"]]
    let section: JSONValue = ["operation": "appendSections", "sections": [["id": "n"]]]
    for operation in [append, section] {
      let refusal = try #require(try await fixture.refusal(of: [operation]))
      #expect(refusal.pointer.description == "/operations")
      #expect(refusal.message.contains("at most 8 sections and items"))
    }
    #expect(try await fixture.apply(remove, section).isAccepted)
    #expect(try await fixture.refusal(of: [append]) != nil)
    await #expect(throws: StoreError.full) {
      try await fixture.store.write(.catalog(.create(["sections": [["id": "s"]]])))
    }
    let tooMany = #expect(throws: JSONShapeError.self) {
      try CatalogData(JSONReader(CatalogFixture.data), limits: CatalogLimits(items: 7))
    }
    #expect(tooMany?.pointer.description == "/catalogs/0")
  }

  @Test("stands in the state machine of the screen, beside every operation that is shown")
  func stateMachine() throws {
    let machine = try #require(
      try CatalogFixture().registry.stateMachines(of: "catalog")?.first { $0.name == "catalog" })
    #expect(machine.states == ["no sections", "no items", "items", "removed"])
    #expect(
      machine.events
        == CatalogOperation.names.map { "apply: \($0)" } + ["the catalog is removed"])
    #expect(
      machine.transitions.allSatisfy {
        $0.command == ($0.event.hasPrefix("apply: ") ? "apply" : nil)
      })
    for name in CatalogOperation.names.map({ "apply: \($0)" }) {
      #expect(
        machine.transitions.contains { $0.event == name && $0.effects == ["show"] },
        "\(name)")
      #expect(
        machine.transitions.filter { $0.from == "removed" && $0.event == name }
          .allSatisfy { $0.to == "removed" && $0.effects == ["refuse"] })
    }
  }
}
