import CanonicalJSON
import Screens
import TestSupport
import Testing
import ViewState

/// Every command of the screens that show a shared store, in every state that makes a difference.
/// Each table is written down by hand; what a command does beyond it is a failure.
@Suite("Every command in every state of a screen that shows a store")
struct StoreCommandTableTests {
  typealias Row = (command: JSONValue, outcomes: [String])

  @Test("does to the list of scoreboards what the table says", arguments: 0...2)
  func scoreboards(boards: Int) async throws {
    let edited = "update board/1"
    // Of two that change places the second one moves: a difference knows nothing of the way.
    let table: [Row] = [
      (
        ["type": "addBoard", "title": "New"],
        ["delete scoreboards/empty, insert board/1", "insert board/2", "insert board/3"]
      ),
      (
        ["type": "addBoard", "title": "New", "before": 1],
        ["refused /before", "insert board/2", "insert board/3"]
      ),
      (
        ["type": "renameBoard", "board": 1, "title": "New"], ["refused /board", edited, edited]
      ),
      (
        ["type": "renameBoard", "board": 1, "title": "1"], ["refused /board", "nothing", "nothing"]
      ),
      (
        ["type": "removeBoard", "board": 1],
        ["refused /board", "delete board/1, insert scoreboards/empty", "delete board/1"]
      ),
      (
        ["type": "moveBoard", "board": 1, "after": 2],
        ["refused /board", "refused /after", "move board/2"]
      ),
      (
        ["type": "moveBoard", "board": 1, "before": 2],
        ["refused /board", "refused /before", "nothing"]
      ),
    ]
    try await Self.check(table, column: boards, of: "scoreboards") {
      let list = (0..<boards).map { number -> JSONValue in
        ["id": .integer(number + 1), "title": .string("\(number + 1)")]
      }
      return try Self.instance("scoreboards", "all", scoreboards: .array(list))
    }
  }

  @Test("does to a scoreboard what the table says", arguments: 0...3)
  func scoreboard(players: Int) async throws {
    let (header, gone) = ("update scoreboard/header", "removed")
    let table: [Row] = [
      (["type": "renameBoard", "title": "New"], [header, header, header, gone]),
      (
        ["type": "addPlayer", "name": "New", "score": -1],
        [
          "delete players/empty, insert player/1, \(header)", "insert player/2, \(header)",
          "insert player/3, \(header)", gone,
        ]
      ),
      (
        ["type": "addPlayer", "name": "New", "score": 9, "after": 1],
        [
          "refused /after", "insert player/2, \(header), update player/1",
          "insert player/3, \(header), update player/1, update player/2", gone,
        ]
      ),
      (
        ["type": "renamePlayer", "player": 1, "name": "New"],
        // The leader stands in the list of scoreboards only.
        ["refused /player", "update player/1", "update player/1", gone]
      ),
      (
        ["type": "renamePlayer", "player": 1, "name": "P"],
        ["refused /player", "nothing", "nothing", gone]
      ),
      (
        ["type": "setScore", "player": 1, "score": 7],
        ["refused /player", "update player/1", "update player/1", gone]
      ),
      (
        ["type": "setScore", "player": 1, "score": 2],
        ["refused /player", "nothing", "nothing", gone]
      ),
      (
        ["type": "adjustScore", "player": 1, "by": -2],
        ["refused /player", "update player/1", "update player/1, update player/2", gone]
      ),
      (
        ["type": "adjustScore", "player": 1, "by": 0],
        ["refused /player", "nothing", "nothing", gone]
      ),
      (
        ["type": "removePlayer", "player": 1],
        [
          "refused /player", "delete player/1, insert players/empty, \(header)",
          "delete player/1, \(header), update player/2", gone,
        ]
      ),
      (
        ["type": "movePlayer", "player": 1, "after": 2],
        ["refused /player", "refused /after", "move player/2", gone]
      ),
      (
        ["type": "movePlayer", "player": "1", "before": "2"],
        ["refused /player", "refused /before", "nothing", gone]
      ),
    ]
    try await Self.check(table, column: players, of: "scoreboard") {
      let list = (1...max(1, min(players, 2))).map { number -> JSONValue in
        ["id": .integer(number), "name": "P", "score": .integer(3 - number)]
      }
      let store = try Self.store(scoreboards: [
        ["id": 1, "title": "1", "players": players == 0 ? [] : .array(list)]
      ])
      let instance = try Self.instance("scoreboard", "1", store)
      if players == 3 { _ = try await store.write(.board(.delete("1"))) }
      return instance
    }
  }

  /// Runs one column of a table, each command on an instance of its own, and checks that the table has
  /// every command that there is.
  private static func check(
    _ table: [Row], column: Int, of name: Text, open: () async throws -> Instance
  ) async throws {
    for row in table {
      let outcome = try await open().outcome(of: row.command)
      #expect(outcome == row.outcomes[column], "\(row.command)")
    }
    let named = try Set(table.map { try JSONReader($0.command).member("type").string() })
    let known = try registry(store(scoreboards: [])).descriptors.first { $0.name == name }
    #expect(named == Set(known?.commands.map(\.type) ?? []))
  }

  private static func store(scoreboards: JSONValue) throws -> ScoreboardStore {
    ScoreboardStore(
      "scoreboards", try ScoreboardData(JSONReader(["scoreboards": scoreboards])), in: .still())
  }

  private static func registry(_ store: ScoreboardStore) -> ScreenRegistry {
    ScreenRegistry(
      store.engine, of: ScoreboardsScreen(store: store), ScoreboardScreen(store: store))
  }

  private static func instance(
    _ name: Text, _ key: Text, scoreboards: JSONValue
  ) throws -> Instance {
    try instance(name, key, store(scoreboards: scoreboards))
  }

  private static func instance(
    _ name: Text, _ key: Text, _ store: ScoreboardStore
  ) throws -> Instance {
    try registry(store).instance(screen: name, key: key)
  }
}
