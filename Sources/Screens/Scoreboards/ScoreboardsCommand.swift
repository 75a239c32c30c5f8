import CanonicalJSON
import ViewState

/// What clients may send to the list of scoreboards.
enum ScoreboardsCommand: Text, CaseIterable {
  case addBoard
  case renameBoard
  case removeBoard
  case moveBoard

  var descriptor: CommandDescriptor {
    let board: [Text: JSONValue] = ["board": ScoreboardSchema.id]
    let title: [Text: JSONValue] = ["title": ScoreboardSchema.text]
    return switch self {
    case .addBoard:
      CommandDescriptor(
        type: rawValue,
        summary: "Adds a board at the end, or where `before` or `after` says.",
        arguments: title.merging(["id": ScoreboardSchema.id]) { $1 }
          .merging(ScoreboardSchema.anchors) { $1 },
        required: ["title"])
    case .renameBoard:
      CommandDescriptor(
        type: rawValue, summary: "Gives a board another title.",
        arguments: board.merging(title) { $1 }, required: ["board", "title"])
    case .removeBoard:
      CommandDescriptor(
        type: rawValue, summary: "Deletes a board with its players; its screen is gone.",
        arguments: board, required: ["board"])
    case .moveBoard:
      CommandDescriptor(
        type: rawValue, summary: "Moves a board before or after another one.",
        arguments: board.merging(ScoreboardSchema.anchors) { $1 }, required: ["board"])
    }
  }
}

extension SentCommand {
  /// The edit that a command of the list stands for.
  func scoreboardEdit() throws(Refusal) -> ScoreboardEdit {
    guard let known = ScoreboardsCommand(rawValue: type) else { throw unknown }
    return try read { body throws(JSONShapeError) in
      switch known {
      case .addBoard:
        .addBoard(
          id: try body.nullableMember("id").map(ResourceID.init),
          title: try body.member("title").shownText(), at: try body.placement())
      case .renameBoard:
        .renameBoard(
          try ResourceID(body.member("board")), to: try body.member("title").shownText())
      case .removeBoard:
        .removeBoard(try ResourceID(body.member("board")))
      case .moveBoard:
        .moveBoard(try ResourceID(body.member("board")), to: try body.requiredPlacement())
      }
    }
  }
}
