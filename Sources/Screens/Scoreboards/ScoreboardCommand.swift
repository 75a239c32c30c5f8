import CanonicalJSON
import ViewState

/// What clients may send to one scoreboard.
enum ScoreboardCommand: Text, CaseIterable {
  case renameBoard
  case addPlayer
  case renamePlayer
  case setScore
  case adjustScore
  case removePlayer
  case movePlayer

  var descriptor: CommandDescriptor {
    CommandDescriptor(
      type: rawValue, summary: summary, arguments: arguments,
      required: arguments.keys.filter { !Self.optional.contains($0) || isRequired($0) }.sorted())
  }

  /// The arguments that may be left out where no command says otherwise.
  private static let optional: Set<Text> = ["id", "score", "before", "after"]

  private func isRequired(_ argument: Text) -> Bool { self == .setScore && argument == "score" }

  private var summary: String {
    switch self {
    case .renameBoard: "Gives the board another title."
    case .addPlayer: "Adds a player at the end, or where `before` or `after` says."
    case .renamePlayer: "Gives a player another name."
    case .setScore: "Gives a player another score."
    case .adjustScore: "Adds to the score of a player, or takes from it."
    case .removePlayer: "Removes a player from the board."
    case .movePlayer: "Moves a player before or after another one."
    }
  }

  private var arguments: [Text: JSONValue] {
    let player: [Text: JSONValue] = ["player": ScoreboardSchema.id]
    return switch self {
    case .renameBoard: ["title": ScoreboardSchema.text]
    case .addPlayer:
      ScoreboardSchema.anchors.merging([
        "id": ScoreboardSchema.id, "name": ScoreboardSchema.text, "score": ScoreboardSchema.score,
      ]) { $1 }
    case .renamePlayer: player.merging(["name": ScoreboardSchema.text]) { $1 }
    case .setScore: player.merging(["score": ScoreboardSchema.score]) { $1 }
    case .adjustScore: player.merging(["by": ScoreboardSchema.score]) { $1 }
    case .removePlayer: player
    case .movePlayer: player.merging(ScoreboardSchema.anchors) { $1 }
    }
  }
}

extension SentCommand {
  /// The edit that a command of one board stands for.
  func scoreboardEdit(of board: Scoreboard) throws(Refusal) -> ScoreboardEdit {
    guard let known = ScoreboardCommand(rawValue: type) else { throw unknown }
    return try read { body throws(JSONShapeError) in
      guard let edit = try PlayerEdit(known, body) else {
        return .renameBoard(board.id, to: try body.member("title").shownText())
      }
      return .players(of: board.id, edit)
    }
  }
}

extension PlayerEdit {
  /// The edit of a player; `nil` for that of the board itself.
  fileprivate init?(_ command: ScoreboardCommand, _ body: JSONReader) throws(JSONShapeError) {
    switch command {
    case .renameBoard:
      return nil
    case .addPlayer:
      self = .add(
        id: try body.nullableMember("id").map(ResourceID.init),
        name: try body.member("name").shownText(),
        score: try body.nullableMember("score")?.score() ?? 0, at: try body.placement())
    case .renamePlayer:
      self = .rename(
        try ResourceID(body.member("player")), to: try body.member("name").shownText())
    case .setScore:
      self = .setScore(
        try ResourceID(body.member("player")), to: try body.member("score").score())
    case .adjustScore:
      self = .adjustScore(
        try ResourceID(body.member("player")), by: try body.member("by").score())
    case .removePlayer:
      self = .remove(try ResourceID(body.member("player")))
    case .movePlayer:
      self = .move(try ResourceID(body.member("player")), to: try body.requiredPlacement())
    }
  }
}
