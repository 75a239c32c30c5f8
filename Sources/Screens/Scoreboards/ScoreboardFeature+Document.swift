import CanonicalJSON
import ViewDeltaServer

extension ScoreboardFeature {
  /// What the feature adds to the OpenAPI document.
  static let documents: [JSONValue] =
    [DemoDocument.scoreboards, scoreboards.fragment, players.fragment]

  private static let scoreboard = ResourceDocument.Noun("scoreboard", id: 2)

  private static let scoreboards = ResourceDocument(
    path: "/v1/scoreboards", [scoreboard], tag: "Scoreboards",
    schema: OpenAPIDocument.reference("Scoreboard"),
    input: OpenAPIDocument.reference("ScoreboardInput"),
    example: [
      "id": 2, "title": "Pub quiz",
      "players": [["id": 5, "name": "The Late Entries", "score": 48]],
    ],
    change: ["title": "Pub quiz, spring"],
    notes: [
      .list: "In the order in which they are shown.",
      .create: "The store takes 10,000 scoreboards, and a scoreboard 1,000 players.",
    ])

  private static let players = ResourceDocument(
    path: "/v1/scoreboards/{id}/players",
    [scoreboard, ResourceDocument.Noun("player", parameter: "playerID", id: 5)],
    tag: "Scoreboards", schema: OpenAPIDocument.reference("Player"),
    input: OpenAPIDocument.reference("PlayerInput"),
    example: ["id": 5, "name": "The Late Entries", "score": 48], change: ["score": 49],
    notes: [
      .list: "In the order in which they are shown.",
      .create: "A scoreboard has at most 1,000 players.",
    ])
}
