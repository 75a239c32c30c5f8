public import CanonicalJSON
public import Snapshots
public import ViewState

/// A scoreboard with its players, in the order in which they are shown.
public struct Scoreboard: Equatable, Sendable {
  /// The id, unique among the boards, which is also the key of the view model.
  public let id: ResourceID
  public var title: Text
  public var players: KeyedSequence<Player> = []

  /// The player with the highest score; among equals, the one shown first.
  ///
  /// - Complexity: O(*n*), where *n* is the number of players.
  var leader: Player? {
    players.reduce(nil) { leader, player in
      guard let leader, leader.score >= player.score else { return player }
      return leader
    }
  }
}

extension Scoreboard: Resource {
  public static let summary = "A scoreboard with its players, in the order in which they are shown."
  public static let refusesUnknownMembers = true

  public static let fields = [
    Field("title", \Scoreboard.title, .shownText),
    Field(
      "players", \.players,
      .elements(atMost: ScoreboardLimits().playersPerBoard).defaulting(to: [])),
  ]

  public init(id: ResourceID) { self.init(id: id, title: "") }

  /// Zero, because the store limits the numbers of boards and players instead.
  public var byteCount: Int { 0 }
}

/// A player of a scoreboard.
public struct Player: Equatable, Sendable {
  /// The id, unique among the players of the board.
  public let id: ResourceID
  public var name: Text
  /// The points, in ``scores``.
  public var score: Int

  /// The range of a score, small enough that no arithmetic of a client on it goes wrong.
  public static let scores = -1_000_000_000...1_000_000_000
}

extension Player: Resource {
  public static let summary = "A player of a scoreboard."
  public static let refusesUnknownMembers = true

  public static let fields = [
    Field("name", \Player.name, .shownText),
    Field("score", \.score, .integer(scores).defaulting(to: 0)),
  ]

  public init(id: ResourceID) { self.init(id: id, name: "", score: 0) }
}
