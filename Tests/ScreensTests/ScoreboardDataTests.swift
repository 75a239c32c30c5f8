import CanonicalJSON
import Screens
import TestSupport
import Testing
import ViewState

@Suite("A store of scoreboards")
struct ScoreboardDataTests {
  let time = Timestamp(secondsSince1970: 0)

  /// A store with two boards and the players of the first.
  func store(_ players: [JSONValue]) throws -> ScoreboardData {
    let first: JSONValue = ["id": 1, "title": "Darts", "players": .array(players)]
    let file: JSONValue = ["scoreboards": [first, ["id": 2, "title": "Chess"]]]
    return try ScoreboardData(JSONReader(file))
  }

  func versions(_ data: ScoreboardData) throws -> JSONValue {
    try JSONReader(JSONValue(encoding: data)).member("playerVersions").value
  }

  @Test("keeps nothing of players and boards that were deleted")
  func deletion() throws {
    let players: [JSONValue] = [["id": 1, "name": "A"], ["id": 2, "name": "B"]]
    let none = try versions(store([]))
    var data = try store(players)
    #expect(try versions(data) != none)
    for id: ResourceID in [1, 2] { _ = try data.apply(.player(.delete(id), of: 1), at: time) }
    #expect(try versions(data) == none)

    data = try store(players)
    let change = ResourceChange(.patch(["players": []]))
    _ = try data.apply(.board(.change(1, change)), at: time)
    #expect(try versions(data) == none)

    data = try store(players)
    for id: ResourceID in [1, 2] { _ = try data.apply(.board(.delete(id)), at: time) }
    #expect(try versions(data) == versions(ScoreboardData()))
  }
}
