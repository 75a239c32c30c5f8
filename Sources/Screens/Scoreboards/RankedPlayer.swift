import CanonicalJSON
import OrderedCollections
import ViewState

/// What the row of a player is made from.
struct RankedPlayer: Equatable, Sendable {
  let id: ResourceID
  let name: Text
  let score: Int
  /// One more than the number of players with a higher score.
  let rank: Int

  init(_ player: Player, rank: Int) {
    id = player.id
    name = player.name
    score = player.score
    self.rank = rank
  }
}

extension Scoreboard {
  /// The rank of each score on the board.
  ///
  /// - Complexity: O(n log n), where n is the number of players.
  var ranks: [Int: Int] {
    var ranks: [Int: Int] = [:]
    for (place, player) in players.values.sorted(by: { $0.score > $1.score }).enumerated()
    where ranks[player.score] == nil {
      ranks[player.score] = place + 1
    }
    return ranks
  }
}
