import CanonicalJSON

extension ScoreboardData {
  /// Returns the scoreboards that a server without a data file starts with.
  public static func demo() -> ScoreboardData {
    DemoData.read(
      #"""
      {
        "scoreboards": [
          {
            "id": 1,
            "title": "Sunday darts",
            "players": [
              { "id": 1, "name": "Imani", "score": 301 },
              { "id": 2, "name": "Jonas", "score": 280 },
              { "id": 3, "name": "Keiko", "score": 295 },
              { "id": 4, "name": "Luis", "score": 280 }
            ]
          },
          {
            "id": 2,
            "title": "Pub quiz, spring season",
            "players": [
              { "id": 5, "name": "The Late Entries", "score": 48 },
              { "id": 6, "name": "Quizzical", "score": 51 }
            ]
          },
          { "id": 3, "title": "Chess ladder", "players": [{ "id": 7, "name": "Mira", "score": 0 }] },
          { "id": 4, "title": "Nobody has played yet", "players": [] }
        ]
      }
      """#
    ) { file throws(JSONShapeError) in try ScoreboardData(file) }
  }
}
