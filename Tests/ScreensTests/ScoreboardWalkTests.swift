import CanonicalJSON
import Screens
import Snapshots
import TestSupport
import Testing
import ViewState

@Suite("A random walk over the scoreboards")
struct ScoreboardWalkTests {
  @Test("keeps both screens one with the store, and every step's difference can be replayed")
  func walk() async throws {
    try await withSeeds(30) { generator in
      let fixture = try ScoreboardFixture()
      for _ in 0..<60 {
        let before = (fixture.list.current, fixture.board.current)
        if fixture.board.isEnded { return }
        if generator.chance(0.3) {
          try await Self.send(Self.listCommand(&generator), to: fixture.list)
        } else {
          try await Self.send(Self.boardCommand(&generator), to: fixture.board)
        }
        try Self.check(fixture, after: before)
      }
    }
  }

  private static func send(_ body: JSONValue, to instance: Instance) async throws {
    do {
      try await instance.send(body)
    } catch CommandFailure.refused {
      // Ids that are not there are drawn on purpose.
    }
  }

  private static func check(
    _ fixture: ScoreboardFixture, after before: (list: Revision, board: Revision)
  ) throws {
    let data = fixture.store.value
    try fixture.list.prove(from: before.list)
    try fixture.board.prove(from: before.board)
    let shown = fixture.list.current.snapshot.rowIDs.filter { $0.string.hasPrefix("board/") }
    try require(shown == data.boards.elements.map { "board/\($0.id)" }, "the list shows \(shown)")
    guard let board = data.boards.elements[id: "1"] else {
      return try require(fixture.board.isEnded, "the instance of a deleted board goes on")
    }
    let players = fixture.board.current.snapshot.rowIDs.filter { $0.string.hasPrefix("player/") }
    try require(players == board.players.map { "player/\($0.id)" }, "the board shows \(players)")
    for player in board.players {
      let snapshot = fixture.board.current.snapshot
      let row = snapshot.path(ofRow: "player/\(player.id)").map { snapshot[$0] }
      let rank = 1 + board.players.count { $0.score > player.score }
      try require(row?.fields["score"] == .integer(player.score), "a score is old")
      try require(row?.fields["rank"] == .integer(rank), "a rank is wrong")
    }
  }

  private static func listCommand(_ generator: inout SeededGenerator) -> JSONValue {
    let (board, other) = (id(&generator), id(&generator))
    return switch generator.number(in: 0...8) {
    case 0, 1: ["type": "addBoard", "title": "T"]
    case 2: ["type": "removeBoard", "board": board]
    case 3, 4:
      ["type": "renameBoard", "board": board, "title": .string(generator.pick(["T", "U"]))]
    case 5, 6: ["type": "moveBoard", "board": board, "before": other]
    default: ["type": "moveBoard", "board": board, "after": other]
    }
  }

  private static func boardCommand(_ generator: inout SeededGenerator) -> JSONValue {
    let (player, other) = (id(&generator), id(&generator))
    return switch generator.number(in: 0...9) {
    case 0, 1: ["type": "addPlayer", "name": "N", "score": .integer(generator.number(in: 0...3))]
    case 2: ["type": "addPlayer", "name": "N", "id": player, "after": other]
    case 3: ["type": "removePlayer", "player": player]
    case 4:
      ["type": "renamePlayer", "player": player, "name": .string(generator.pick(["N", "M"]))]
    case 5: ["type": "setScore", "player": player, "score": .integer(generator.number(in: 0...3))]
    case 6: ["type": "adjustScore", "player": player, "by": .integer(generator.number(in: -2...2))]
    case 7: ["type": "renameBoard", "title": .string(generator.pick(["T", "U"]))]
    case 8: ["type": "movePlayer", "player": player, "before": other]
    default: ["type": "movePlayer", "player": player, "after": other]
    }
  }

  private static func id(_ generator: inout SeededGenerator) -> JSONValue {
    .integer(generator.number(in: 1...6))
  }
}
