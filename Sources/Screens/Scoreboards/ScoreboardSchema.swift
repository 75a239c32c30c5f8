import CanonicalJSON
import ViewState

/// The JSON schemas of the arguments that commands on scoreboards take.
enum ScoreboardSchema {
  static let id: JSONValue = [
    "type": ["integer", "string"], "description": "The id of a board or a player.",
  ]
  static let text = JSONReader.shownTextSchema
  static let score: JSONValue = [
    "type": "integer", "minimum": .integer(Player.scores.lowerBound),
    "maximum": .integer(Player.scores.upperBound),
  ]
  /// Where something goes. At most one of them may be given.
  static let anchors: [Text: JSONValue] = ["before": id, "after": id]
}

extension JSONReader {
  /// The place that `before` or `after` names; `nil` where neither is there.
  func placement() throws(JSONShapeError) -> Placement? {
    let (before, after) = (try nullableMember("before"), try nullableMember("after"))
    if before != nil, let after { throw after.error("expected before or after, not both") }
    if let before { return .before(try ResourceID(before)) }
    if let after { return .after(try ResourceID(after)) }
    return nil
  }

  /// The place that `before` or `after` names.
  func requiredPlacement() throws(JSONShapeError) -> Placement {
    guard let place = try placement() else {
      throw JSONShapeError(
        pointer: pointer.appending("before"), message: "expected a member before or after")
    }
    return place
  }
}

extension SentCommand {
  /// The refusal of a command that the screen does not have.
  var unknown: Refusal { refusal(of: "type", "the screen has no command of this name") }

  /// Names the argument that is at fault for an edit that was not done.
  func refusal(_ error: ScoreboardEditError) -> Refusal {
    switch error {
    case .store(.missing(.board(let id))):
      refusal(of: present("board"), "there is no board \(id)")
    case .store(.missing(.player(let id))):
      refusal(of: present("player"), "there is no player \(id)")
    case .store(.duplicateID(let id)): refusal(of: present("id"), "the id \(id) is in use")
    case .store(.changedMeanwhile), .store(.full):
      refusal(of: "type", "the store holds as many as it may")
    case .store(.malformed(let error)): Refusal(error)
    case .unknownAnchor(let id): refusal(of: present("before", "after"), "\(id) is not there")
    case .ownAnchor(let id):
      refusal(of: present("before", "after"), "\(id) cannot go before or after itself")
    case .scoreOutOfRange: refusal(of: present("by", "score"), "the score would be out of range")
    }
  }

  /// The first of these arguments that the command has.
  private func present(_ names: Text...) -> Text {
    names.first { (try? body.nullableMember($0)) != nil } ?? "type"
  }
}

extension SentCommand {
  /// Does an edit; the command is refused if the store refuses the edit.
  func edit(
    _ store: ScoreboardStore, _ edit: ScoreboardEdit, in transaction: inout Transaction
  ) throws(Refusal) -> [Effect<Never>] {
    do throws(ScoreboardEditError) {
      _ = try transaction.write(.edit(edit), to: store)
    } catch {
      throw refusal(error)
    }
    return []
  }
}
