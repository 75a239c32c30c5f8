import CanonicalJSON
import Screens
import Snapshots
import TestSupport
import Testing
import ViewState

@Suite("A reading of several instances")
struct ConsistentReadingTests {
  @Test("never shows half a write, however fast the writes come")
  func reading() async throws {
    let fixture = try ScoreboardFixture()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 0..<500 {
          var board = try fixture.store.value.boards.element("1").resource
          board.title = "Title \(number)"
          try await fixture.store.write(.board(.replace(board)))
        }
      }
      group.addTask {
        for _ in 0..<1_000 {
          let readings = fixture.registry.reading(
            of: [(screen: "scoreboards", key: "all"), (screen: "scoreboard", key: "1")])
          try Self.check(readings, row: "board/1")
        }
      }
      try await group.waitForAll()
    }
    #expect(fixture.list.changeCount == 500)
    #expect(fixture.board.changeCount == 500)
  }

  @Test("never shows half a write where an instance comes to be in the middle of it")
  func newcomers() async throws {
    let fixture = try ScoreboardFixture()
    let count = 150
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 100..<(100 + count) {
          let id = ResourceID(number)
          for title: Text in ["A", "B", "C", "D"] {
            let isThere = fixture.store.value.boards.elements.contains(id: id)
            let body: JSONValue = ["id": id.json, "title": .string(title)]
            try await fixture.store.write(
              .board(isThere ? .replace(Scoreboard(JSONReader(body))) : .create(body)))
          }
        }
      }
      group.addTask {
        for number in 100..<(100 + count) {
          for _ in 0..<5 {
            let readings = fixture.registry.reading(
              of: [(screen: "scoreboards", key: "all"), (screen: "scoreboard", key: "\(number)")])
            try Self.check(readings, row: "board/\(number)")
          }
        }
      }
      try await group.waitForAll()
    }
    for number in 100..<(100 + count) {
      let instance = try fixture.registry.instance(screen: "scoreboard", key: "\(number)")
      #expect(instance.current.snapshot.title(ofRow: "scoreboard/header") == "D")
    }
  }

  @Test("tells what is not there for each alone")
  func absence() throws {
    let fixture = try ScoreboardFixture()
    let readings = fixture.registry.reading(
      of: [(screen: "none", key: "1"), (screen: "scoreboard", key: "9"), ("scoreboard", "2")])
    #expect(throws: ScreenLookupError.unknownScreen) { try readings[0].get() }
    #expect(throws: ScreenLookupError.unknownKey) { try readings[1].get() }
    #expect(try readings[2].get().instance.name == "scoreboard/2")
  }

  /// The list and a board either agree on the title, or neither has the board.
  private static func check(
    _ readings: [Result<(instance: Instance, revision: Revision), ScreenLookupError>], row: Text
  ) throws {
    let list = try readings[0].get().revision.snapshot
    switch readings[1] {
    case .success(let board):
      let title = board.revision.snapshot.title(ofRow: "scoreboard/header")
      try require(list.title(ofRow: row) == title, "the list and \(row) disagree")
    case .failure:
      try require(list.path(ofRow: row) == nil, "the list shows \(row), which is not there")
    }
  }
}
