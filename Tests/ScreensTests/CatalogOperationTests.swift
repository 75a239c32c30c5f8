import CanonicalJSON
import Snapshots
import TestSupport
import Testing
import ViewState

@Suite("An operation on a catalog")
struct CatalogOperationTests {
  private static let item = CatalogFixture.item("n", "N")
  private static let section: JSONValue = ["id": "n", "items": [CatalogFixture.item("x")]]

  /// An operation, the layout that it leads to, and the least change that does it.
  struct Case: Sendable {
    let operation: JSONValue
    let layout: String
    let words: [String]

    init(_ operation: JSONValue, _ layout: String, _ words: String...) {
      (self.operation, self.layout, self.words) = (operation, layout, words)
    }
  }

  @Test(
    "makes the least change: first, in the middle, last, and across sections",
    arguments: [
      Case(
        ["operation": "appendSections", "sections": [section]], "a(1 2 3) b(4 5) c() n(x)",
        "insert section n"),
      Case(
        ["operation": "insertSections", "sections": [section], "before": "a"],
        "n(x) a(1 2 3) b(4 5) c()", "insert section n"),
      Case(
        ["operation": "insertSections", "sections": [section], "after": "a"],
        "a(1 2 3) n(x) b(4 5) c()", "insert section n"),
      Case(
        ["operation": "insertSections", "sections": [section], "after": "c"],
        "a(1 2 3) b(4 5) c() n(x)", "insert section n"),
      Case(
        ["operation": "deleteSections", "ids": ["a"]], "b(4 5) c()", "delete section a"),
      Case(
        ["operation": "deleteSections", "ids": ["b"]], "a(1 2 3) c()", "delete section b"),
      Case(
        ["operation": "deleteSections", "ids": ["c"]], "a(1 2 3) b(4 5)", "delete section c"),
      Case(
        ["operation": "moveSection", "id": "c", "before": "a"], "c() a(1 2 3) b(4 5)",
        "move section c"),
      Case(
        ["operation": "moveSection", "id": "a", "after": "c"], "b(4 5) c() a(1 2 3)",
        "move section a"),
      Case(
        ["operation": "reloadSections", "sections": [["id": "b", "items": [item]]]],
        "a(1 2 3) b(n) c()", "reload section b", "delete 5", "delete 4", "insert n"),
      Case(
        [
          "operation": "reloadSections",
          "sections": [["id": "b", "title": "B", "items": [["id": "4", "title": "T"]]]],
        ], "a(1 2 3) b(4) c()", "reload section b", "update section b", "delete 5"),
      Case(
        ["operation": "reloadSections", "sections": [["id": "c"]]],
        "a(1 2 3) b(4 5) c()", "reload section c"),
      Case(
        ["operation": "renameSection", "section": "b", "title": "B"], "a(1 2 3) b(4 5) c()",
        "update section b"),
      Case(
        ["operation": "appendItems", "items": [item]], "a(1 2 3) b(4 5) c(n)", "insert n"),
      Case(
        ["operation": "appendItems", "items": [item], "section": "a"],
        "a(1 2 3 n) b(4 5) c()", "insert n"),
      Case(
        ["operation": "insertItems", "items": [item], "before": "1"], "a(n 1 2 3) b(4 5) c()",
        "insert n"),
      Case(
        ["operation": "insertItems", "items": [item], "after": "1"], "a(1 n 2 3) b(4 5) c()",
        "insert n"),
      Case(
        ["operation": "insertItems", "items": [item], "after": "5"], "a(1 2 3) b(4 5 n) c()",
        "insert n"),
      Case(
        ["operation": "deleteItems", "ids": ["1", "5"]], "a(2 3) b(4) c()", "delete 5",
        "delete 1"),
      Case(["operation": "deleteItems", "ids": ["2"]], "a(1 3) b(4 5) c()", "delete 2"),
      Case(
        ["operation": "deleteAllItems"], "a() b() c()", "delete 5", "delete 4", "delete 3",
        "delete 2", "delete 1"),
      Case(["operation": "moveItem", "id": "3", "before": "1"], "a(3 1 2) b(4 5) c()", "move 3"),
      Case(["operation": "moveItem", "id": "1", "after": "3"], "a(2 3 1) b(4 5) c()", "move 1"),
      Case(["operation": "moveItem", "id": "1", "before": "4"], "a(2 3) b(1 4 5) c()", "move 1"),
      Case(["operation": "moveItem", "id": "1", "after": "5"], "a(2 3) b(4 5 1) c()", "move 1"),
      Case(["operation": "moveItem", "id": "5", "after": "1"], "a(1 5 2 3) b(4) c()", "move 5"),
      Case(
        ["operation": "reloadItems", "items": [["id": "2", "title": "New"]]],
        "a(1 2 3) b(4 5) c()", "reload 2", "update 2"),
      Case(
        ["operation": "reloadItems", "items": [["id": "2", "title": "T"]]],
        "a(1 2 3) b(4 5) c()", "reload 2"),
      Case(
        [
          "operation": "reloadItems",
          "items": [["id": "2", "title": "T", "type": "catalogFeature"]],
        ], "a(1 2 3) b(4 5) c()", "delete 2", "insert 2"),
      Case(
        ["operation": "reconfigureItems", "items": [["id": "4", "badge": "New"]]],
        "a(1 2 3) b(4 5) c()", "update 4"),
    ])
  func leastChange(test: Case) async throws {
    let fixture = try CatalogFixture()
    let step = try await fixture.apply(test.operation)
    #expect(step.layout == test.layout)
    #expect(step.changes.allWords == test.words)
    #expect(step.details == ["ignored": 0])
    #expect(fixture.instance.current.cause == .command("apply"))
  }

  @Test("that reloads takes members away which are left out; one that reconfigures keeps them")
  func content() async throws {
    let fixture = try CatalogFixture()
    func update(_ operation: JSONValue) async throws -> (set: [Text: JSONValue], unset: [Text]) {
      let updates = try await fixture.apply(operation).changes.rows.updates
      try require(updates.count == 1, "one item changes")
      return (updates[0].set, updates[0].unset)
    }
    let first = try await update([
      "operation": "reconfigureItems", "items": [["id": "1", "detail": "D", "badge": "B"]],
    ])
    #expect(first.set == ["detail": "D", "badge": "B"] && first.unset == [])
    let second = try await update([
      "operation": "reconfigureItems", "items": [["id": "1", "title": "U", "badge": nil]],
    ])
    #expect(second.set == ["title": "U"] && second.unset == ["badge"])
    let third = try await update([
      "operation": "reloadItems", "items": [["id": "1", "title": "U"]],
    ])
    #expect(third.set == [:] && third.unset == ["detail"])
  }

  @Test("names a section and leaves its items alone, also those that are hidden")
  func naming() async throws {
    let fixture = try CatalogFixture()
    _ = try await fixture.apply([
      "operation": "appendItems", "items": [CatalogFixture.item("below")], "to": "1",
    ])
    let named = try await fixture.apply([
      "operation": "renameSection", "section": "a", "title": "Named",
    ])
    #expect(named.changes.sections.updates.map(\.set) == [["title": "Named"]])
    let cleared = try await fixture.apply(["operation": "clearTitle", "section": "a"])
    #expect(cleared.changes.sections.updates.map(\.unset) == [["title"]])
    #expect(cleared.changes.rows.isEmpty)
    let opened = try await fixture.apply(["operation": "expandItems", "ids": ["1"]])
    #expect(opened.layout == "a(1 below 2 3) b(4 5) c()")
  }

  @Test("that has nothing to do is not accepted, and what it ignores is counted")
  func nothing() async throws {
    let fixture = try CatalogFixture()
    for (operation, ignored) in [
      (["operation": "deleteItems", "ids": ["x", "y", "a"]], 3),
      (["operation": "deleteSections", "ids": ["x"]], 1),
      (["operation": "deleteItems", "ids": []], 0),
      (["operation": "moveItem", "id": "1", "before": "2"], 0),
      (["operation": "reconfigureItems", "items": [["id": "1", "title": "T"]]], 0),
      (["operation": "clearTitle", "section": "b"], 0),
      (["operation": "reloadItems", "items": []], 0),
      (["operation": "appendItems", "items": []], 0),
    ] as [(JSONValue, Int)] {
      let step = try await fixture.apply(operation)
      #expect(!step.isAccepted && step.details == ["ignored": .integer(ignored)], "\(operation)")
    }
    let partly = try await fixture.apply(["operation": "deleteItems", "ids": ["1", "1", "x"]])
    #expect(partly.isAccepted && partly.details == ["ignored": 2])
  }

  @Test("stands in a batch that is one revision, whose difference does not show the way")
  func batch() async throws {
    let fixture = try CatalogFixture()
    let step = try await fixture.apply(
      ["operation": "appendSections", "sections": [["id": "d"]]],
      ["operation": "deleteItems", "ids": ["1", "gone"]],
      ["operation": "appendItems", "items": [CatalogFixture.item("1", "Moved")], "section": "d"],
      ["operation": "moveItem", "id": "4", "after": "5"],
      ["operation": "moveItem", "id": "4", "before": "5"])
    #expect(step.layout == "a(2 3) b(4 5) c() d(1)")
    #expect(step.details == ["ignored": 1])
    #expect(step.changes.allWords == ["insert section d", "delete 1"])
    #expect(fixture.instance.changeCount == 1)
    let back = try await fixture.apply(
      ["operation": "deleteItems", "ids": ["1"]],
      ["operation": "insertItems", "items": [CatalogFixture.item("1", "Back")], "after": "5"])
    #expect(back.changes.allWords == ["move 1", "update 1"])
  }

  @Test("is what the action of a row sends")
  func action() async throws {
    let fixture = try CatalogFixture()
    let snapshot = fixture.instance.current.snapshot
    let row = try #require(snapshot.path(ofRow: "4").map { snapshot[$0] })
    let command = try JSONReader(#require(row.fields["action"])).member("command")
    let outcome = try await fixture.instance.send(SentCommand(command), expecting: nil)
    #expect(outcome.isAccepted)
    #expect(fixture.instance.current.snapshot.layout == "a(1 2 3) b(5) c()")
  }
}
