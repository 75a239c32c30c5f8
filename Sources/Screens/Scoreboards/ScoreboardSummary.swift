import CanonicalJSON
import OrderedCollections
import ViewState

/// What the row of a board in the list is made from.
struct ScoreboardSummary: Equatable, Sendable {
  let id: ResourceID
  let title: Text
  let playerCount: Int
  let leaderName: Text?
  let leaderScore: Int?

  init(_ board: Scoreboard) {
    let leader = board.leader
    id = board.id
    title = board.title
    playerCount = board.players.count
    leaderName = leader?.name
    leaderScore = leader?.score
  }
}
