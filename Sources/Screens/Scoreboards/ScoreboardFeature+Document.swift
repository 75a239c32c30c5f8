import CanonicalJSON
import Snapshots
import ViewDeltaServer
import ViewState

extension ScoreboardFeature {
  /// Returns the fragments of the OpenAPI document.
  static func documents(
    of list: ScoreboardsScreen.Rows, _ screen: ScoreboardScreen.Rows
  ) -> [JSONValue] {
    [
      [
        "tags": [
          [
            "name": "Scoreboards",
            "description": """
            The store behind the screens `scoreboards` and `scoreboard`. A write changes all of them in one \
            step: a client of `/v1/sync` never sees half of it.

            The screen `scoreboards` has a `scoreboardsHeader` and a `scoreboard` for each board, or a \
            `scoreboardsEmpty`; the screen `scoreboard` a `scoreboardHeader` and a `player` for each \
            player, or a `playersEmpty`.
            """,
          ]
        ]
      ],
      DemoDocument.examples([
        list.header.row("scoreboards/header", list.title),
        list.empty.row("scoreboards/empty", list.emptyText),
        list.board.row("board/2", board),
        screen.header.row("scoreboard/header", board),
        screen.empty.row("players/empty", screen.emptyText),
        screen.player.row(
          "player/5", ScoreboardScreen.RankedPlayer(player: player, rank: 1)),
      ]),
      DemoDocument.naming(
        [
          "Player": Player.schema,
          "PlayerElement": ValueType<Player>.element.inputSchema,
        ], in: scoreboards.fragment.mergePatched(with: players.fragment)),
    ]
  }

  private static let player = Player(
    id: ResourceID(5), name: "The Late Entries", score: 48)
  private static let board = Scoreboard(
    id: ResourceID(2), title: "Pub quiz", players: [player])

  private static let limits = ScoreboardLimits()

  private static let noun = ResourceDocument.Noun("scoreboard", id: 2)

  private static let scoreboards = ResourceDocument(
    path: "/v1/scoreboards", [noun], tag: "Scoreboards", of: Scoreboard.self, example: board.json,
    change: ["title": "Pub quiz, spring"],
    notes: [
      .list: "In the order in which they are shown.",
      .create:
        "Without `players` it has none; each player in it needs an `id`, unique on the board. The store "
        + "takes \(limits.boards.grouped) scoreboards with \(limits.players.grouped) players in all, "
        + "and a scoreboard "
        + "\(limits.playersPerBoard.grouped) players.",
    ])

  private static let players = ResourceDocument(
    path: "/v1/scoreboards/{id}/players",
    [noun, ResourceDocument.Noun("player", parameter: "playerID", id: 5)],
    tag: "Scoreboards", of: Player.self, example: player.json, change: ["score": 49],
    notes: [
      .list: "In the order in which they are shown.",
      .create: "A scoreboard has at most \(limits.playersPerBoard.grouped) players.",
    ])
}
