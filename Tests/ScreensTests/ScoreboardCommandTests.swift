import CanonicalJSON
import Screens
import TestSupport
import Testing
import ViewState

@Suite("A command on scoreboards")
struct ScoreboardCommandTests {
  @Test("puts a new player where it says")
  func place() async throws {
    let fixture = try ScoreboardFixture()
    try await fixture.send(
      ["type": "addPlayer", "name": "E", "id": "e", "score": -5, "before": 2], to: fixture.board)
    #expect(
      fixture.board.current.snapshot.rowIDs
        == ["scoreboard/header", "player/1", "player/e", "player/2", "player/3"])
  }

  @Test("makes the least change of the rows of the list")
  func listDifferences() async throws {
    let fixture = try ScoreboardFixture()
    let expected: [(JSONValue, [String])] = [
      (["type": "renameBoard", "board": 1, "title": "Bowls"], ["update board/1"]),
      (["type": "addBoard", "title": "Go"], ["insert board/3"]),
      (["type": "moveBoard", "board": 1, "after": 3], ["move board/1"]),
      (["type": "addBoard", "title": "Ludo", "id": "l", "after": 2], ["insert board/l"]),
      (["type": "removeBoard", "board": 2], ["delete board/2"]),
    ]
    for (command, changes) in expected {
      let step = try await fixture.send(command, to: fixture.list)
      #expect(step.isAccepted)
      #expect(step.changes == changes, "\(command)")
    }
    #expect(
      fixture.list.current.snapshot.rowIDs
        == ["scoreboards/header", "board/l", "board/3", "board/1"])
  }

  @Test("moves both screens by one revision each, from whichever it comes")
  func bothScreens() async throws {
    let fixture = try ScoreboardFixture()
    try await fixture.send(
      ["type": "renameBoard", "board": 1, "title": "From the list"], to: fixture.list)
    try await fixture.send(["type": "renameBoard", "title": "From the board"], to: fixture.board)
    for instance in [fixture.list, fixture.board] {
      #expect(instance.changeCount == 2)
      #expect(
        instance.current.snapshot.title(ofRow: "scoreboard/header", "board/1") == "From the board")
    }
    #expect(
      fixture.list.kept.map(\.cause) == [
        .start, .command("renameBoard"), .storeWrite(source: "scoreboards"),
      ])
  }

  @Test(
    "to a board is refused with the member at fault",
    arguments: [
      (["type": "explode"], "/type"), (["type": "removeBoard", "board": 1], "/type"),
      (["type": "renameBoard"], "/title"), (["type": "renameBoard", "title": ""], "/title"),
      (["type": "renameBoard", "title": 1], "/title"),
      (["type": "renameBoard", "title": "T", "board": 1], "/board"),
      (["type": "addPlayer", "name": "D", "id": 1], "/id"),
      (["type": "addPlayer", "name": "D", "id": -1], "/id"),
      (["type": "addPlayer", "name": "D", "before": 9], "/before"),
      (["type": "addPlayer", "name": "D", "before": 1, "after": 2], "/after"),
      (["type": "addPlayer", "name": "D", "score": "1"], "/score"),
      (["type": "addPlayer", "name": "D", "score": 1_000_000_001], "/score"),
      (["type": "renamePlayer", "player": 9, "name": "Z"], "/player"),
      (["type": "setScore", "player": 9, "score": 1], "/player"),
      (["type": "setScore", "player": 1], "/score"),
      (["type": "adjustScore", "player": 9, "by": 1], "/player"),
      (["type": "adjustScore", "player": 1, "by": 1_000_000_000], "/by"),
      (["type": "removePlayer", "player": "board/1"], "/player"),
      (["type": "movePlayer", "player": 9, "before": 1], "/player"),
      (["type": "movePlayer", "player": 1, "before": 9], "/before"),
      (["type": "movePlayer", "player": 1, "after": 1], "/after"),
      (["type": "movePlayer", "player": 1], "/before"),
    ] as [(JSONValue, String)])
  func boardRefusals(command: JSONValue, pointer: String) async throws {
    let fixture = try ScoreboardFixture()
    #expect(try await fixture.refusal(of: command, by: fixture.board) == pointer)
  }

  @Test(
    "to the list is refused with the member at fault",
    arguments: [
      (["type": "addPlayer", "name": "D"], "/type"), (["type": "addBoard"], "/title"),
      (["type": "addBoard", "title": "T", "id": 1], "/id"),
      (["type": "addBoard", "title": "T", "after": 9], "/after"),
      (["type": "renameBoard", "board": 9, "title": "T"], "/board"),
      (["type": "renameBoard", "board": [], "title": "T"], "/board"),
      (["type": "removeBoard", "board": 9], "/board"),
      (["type": "removeBoard", "board": 1, "now": true], "/now"),
      (["type": "moveBoard", "board": 9, "before": 1], "/board"),
      (["type": "moveBoard", "board": 1, "before": 1], "/before"),
      (["type": "moveBoard", "board": 1, "after": 9], "/after"),
      (["type": "moveBoard", "board": 1], "/before"),
    ] as [(JSONValue, String)])
  func listRefusals(command: JSONValue, pointer: String) async throws {
    let fixture = try ScoreboardFixture()
    #expect(try await fixture.refusal(of: command, by: fixture.list) == pointer)
  }

  @Test("that would go beyond a limit is refused")
  func limits() async throws {
    let fixture = try ScoreboardFixture(limits: ScoreboardLimits(boards: 2, playersPerBoard: 3))
    let board: JSONValue = ["type": "addBoard", "title": "T"]
    #expect(try await fixture.refusal(of: board, by: fixture.list) == "/type")
    let player: JSONValue = ["type": "addPlayer", "name": "D"]
    #expect(try await fixture.refusal(of: player, by: fixture.board) == "/type")
  }

  @Test("that would go beyond the limit of the players of all boards is refused")
  func playerLimit() throws {
    let time = Timestamp(secondsSince1970: 0)
    var data = ScoreboardData(limits: ScoreboardLimits(playersPerBoard: 3, players: 4))
    func board(_ id: Text, _ count: Int) -> JSONValue {
      let players = (0..<count).map { ["id": .integer($0), "name": "N"] as JSONValue }
      return ["id": .string(id), "title": "T", "players": .array(players)]
    }
    func write(_ write: ScoreboardWrite) throws { _ = try data.apply(write, at: time) }
    let add = ScoreboardWrite.player(.create(["name": "N"]), of: "b")
    try write(.board(.create(board("a", 3))))
    #expect(throws: StoreError.full) { try write(.board(.create(board("b", 2)))) }
    try write(.board(.create(board("b", 1))))
    #expect(throws: StoreError.full) { try write(add) }
    try write(.player(.delete(0), of: "a"))
    try write(add)
    #expect(throws: StoreError.full) {
      try write(.board(.change("b", ResourceChange(.replace(board("b", 3))))))
    }
    // The count is not written, and follows from what is.
    data = try JSONValue(encoding: data).decode(ScoreboardData.self)
    #expect(throws: StoreError.full) { try write(add) }
    try write(.board(.change("a", ResourceChange(.patch(["title": "U"])))))
    try write(.board(.delete("a")))
    try write(add)
    #expect(throws: JSONShapeError.self) {
      let file: JSONValue = ["scoreboards": [board("a", 3), board("b", 2)]]
      _ = try ScoreboardData(JSONReader(file), limits: ScoreboardLimits(players: 4))
    }
  }

  @Test("that deletes a board ends its instance and takes its row away, in one step")
  func removal() async throws {
    let fixture = try ScoreboardFixture()
    try await fixture.send(["type": "removeBoard", "board": 1], to: fixture.list)
    #expect(fixture.board.isEnded)
    #expect(throws: ScreenLookupError.deletedKey) {
      try fixture.registry.instance(screen: "scoreboard", key: "1")
    }
    #expect(throws: ScreenLookupError.unknownKey) {
      try fixture.registry.instance(screen: "scoreboard", key: "9")
    }
    #expect(fixture.list.current.snapshot.rowIDs == ["scoreboards/header", "board/2"])
    await #expect(throws: CommandFailure.self) {
      try await fixture.send(["type": "renameBoard", "title": "T"], to: fixture.board)
    }
  }
}
