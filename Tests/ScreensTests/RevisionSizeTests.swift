import CanonicalJSON
import Screens
import Snapshots
import TestSupport
import Testing

@testable import ViewState

/// What the history of an instance costs, as the log counts it.
@Suite("The size of a revision")
struct RevisionSizeTests {
  static let data: JSONValue = [
    "users": [["id": 1, "username": "ada"]],
    "posts": .array(
      (1...500).map { ["id": .integer($0), "userId": 1, "title": "T", "body": "A body."] }),
  ]

  @Test("is that of what changed: an edited post, not the list")
  func edit() async throws {
    let fixture = try ProfileFixture(data: Self.data)
    #expect(fixture.instance.current.retainedByteCount == 0)
    try await fixture.load()
    let loaded = fixture.instance.current
    #expect(loaded.retainedByteCount > loaded.snapshot.byteCount / 2)

    var post = try fixture.store.value.child("250", of: "1").resource
    post.title = "Edited"
    try await fixture.store.replace(post, of: "1")
    let edited = fixture.instance.current
    #expect(edited.retainedByteCount > post.body.utf8.count)
    #expect(edited.retainedByteCount < edited.snapshot.byteCount / 20)
  }

  private static let outline: JSONValue = [
    "sections": [
      [
        "id": "s",
        "items": [
          [
            "id": "p", "title": "T",
            "children": .array((0..<1_000).map { ["id": .integer($0), "title": "T"] }),
          ]
        ],
      ]
    ]
  ]

  @Test("counts the copy of an outline of which a change shows one row, although nobody reads it")
  func unreadOutline() async throws {
    let fixture = try CatalogFixture()
    try await fixture.store.write(
      .catalog(.change("1", ResourceChange(.replace(Self.outline)))))
    _ = fixture.instance.current.snapshot
    let before = fixture.registry.kept.byteCount
    for number in 0..<20 {
      let operation: JSONValue = [
        "operation": "reconfigureItems", "items": [["id": "p", "title": .string("\(number)")]],
      ]
      try await fixture.store.write(
        .batch([CatalogOperation(JSONReader(operation))], of: "1"))
    }
    #expect(fixture.registry.kept.byteCount - before > 20 * 1_000 * 30)
  }

  @Test("counts, for the stores, the rows that an outline makes when it expands")
  func expandedOutline() throws {
    var data = CatalogData()
    let time = Timestamp(secondsSince1970: 0)
    _ = try data.apply(.catalog(.create(Self.outline)), at: time)
    func made(_ operations: CatalogOperation...) throws -> Int {
      try data.apply(.batch(operations, of: "1"), at: time).madeByteCount
    }
    #expect(try made(.expandItems(["p"])) > 1_000 * 500)
    #expect(try made(.expandItems(["p"])) == 0)
    #expect((1_000 * 30..<1_000 * 100).contains(try made(.collapseItems(["p"]))))
    #expect(try made(.nameSection("s", "N")) == 0)
    // The rows that an operation makes in place of those of another one are not kept.
    let folds = (0..<10).flatMap { _ in
      [.expandItems(["p"]), .collapseItems(["p"])] as [CatalogOperation]
    }
    #expect(
      try data.apply(.batch(folds + [.expandItems(["p"])], of: "1"), at: time).madeByteCount < 1_000
        * 600)
  }

  @Test("counts, for the stores, the elements that a patch reads again, without their texts")
  func patchedList() throws {
    var data = ScoreboardData()
    let time = Timestamp(secondsSince1970: 0)
    let players = (0..<1_000).map { number -> JSONValue in
      ["id": .integer(number), "name": .string(Text(String(repeating: "n", count: 300)))]
    }
    _ = try data.apply(
      .board(.create(["id": "b", "title": "T", "players": .array(players)])), at: time)
    func made(_ body: ResourceChange.Kind) throws -> Int {
      try data.apply(.board(.change("b", ResourceChange(body))), at: time).madeByteCount
    }
    #expect((1_000 * 100..<1_000 * 200).contains(try made(.patch(["title": "U"]))))
    #expect(try made(.patch(["title": "U"])) == 0)
    // The input has all of it.
    #expect(try made(.replace(["title": "V"])) == 0)
  }
}
