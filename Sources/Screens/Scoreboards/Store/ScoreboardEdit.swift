public import CanonicalJSON
import OrderedCollections
public import ViewState

/// What can be done to the scoreboards, from whichever screen.
public enum ScoreboardEdit: Codable, Hashable, Sendable {
  /// Adds a board; without an id it gets the next free one, without a place it comes last.
  case addBoard(id: ResourceID?, title: Text, at: Placement?)
  case renameBoard(ResourceID, to: Text)
  case removeBoard(ResourceID)
  case moveBoard(ResourceID, to: Placement)
  /// Something done to the players of one board.
  case players(of: ResourceID, PlayerEdit)
}

/// What can be done to the players of a board.
public enum PlayerEdit: Codable, Hashable, Sendable {
  /// Adds a player; without an id one gets the next free one, without a place one comes last.
  case add(id: ResourceID?, name: Text, score: Int, at: Placement?)
  case rename(ResourceID, to: Text)
  case setScore(ResourceID, to: Int)
  case adjustScore(ResourceID, by: Int)
  case remove(ResourceID)
  case move(ResourceID, to: Placement)
}

/// Why an edit of the scoreboards was not done. Nothing has changed.
public enum ScoreboardEditError: KeyRefusal, Hashable {
  /// What the store says to any write.
  case store(ScoreboardData.Failure)
  /// What something should go before or after is not there.
  case unknownAnchor(Placement)
  /// Something should go before or after itself.
  case ownAnchor(Placement)
  /// The score would leave `Player.scores`.
  case scoreOutOfRange

  public static var reusedKey: ScoreboardEditError { .store(.reusedKey) }
}

extension ScoreboardEditError {
  /// Does the part of an edit that is a write like any other.
  @discardableResult
  static func storing<Value>(
    _ write: () throws(ScoreboardData.Failure) -> Value
  ) throws(ScoreboardEditError) -> Value {
    do { return try write() } catch { throw .store(error) }
  }
}

extension ScoreboardData {
  /// Does what a command stands for.
  public mutating func apply(_ edit: ScoreboardEdit) throws(ScoreboardEditError) {
    switch edit {
    case .addBoard(let id, let title, let place):
      let board = Scoreboard(id: id ?? nextBoardID, title: title)
      try boards.check(place)
      try ScoreboardEditError.storing { () throws(Failure) in try insert(board) }
      if let place { try boards.move(board.id, to: place) }
    case .renameBoard(let id, let title):
      try ScoreboardEditError.storing { () throws(Failure) in try renameBoard(id, to: title) }
    case .removeBoard(let id):
      try ScoreboardEditError.storing { () throws(Failure) in try removeBoard(id) }
    case .moveBoard(let id, let place):
      try ScoreboardEditError.storing { () throws(Failure) in try board(id) }
      if try boards.move(id, to: place) { version += 1 }
    case .players(let id, let edit):
      try apply(edit, to: id)
    }
  }

  private mutating func apply(
    _ edit: PlayerEdit, to board: ResourceID
  ) throws(ScoreboardEditError) {
    switch edit {
    case .add(let id, let name, let score, let place):
      let player = Player(id: id ?? nextPlayerID(on: board), name: name, score: score)
      try boards[board]?.players.check(place)
      try ScoreboardEditError.storing { () throws(Failure) in try insert(player, of: board) }
      if let place { try boards[board]?.players.move(player.id, to: place) }
    case .rename(let id, let name):
      try ScoreboardEditError.storing { () throws(Failure) in
        try change(id, of: board) { $0.name = name }
      }
    case .setScore(let id, let score):
      try setScore(of: id, on: board, to: score)
    case .adjustScore(let id, let difference):
      let player = try ScoreboardEditError.storing { () throws(Failure) in
        try self.player(id, of: board)
      }
      let (score, overflows) = player.score.addingReportingOverflow(difference)
      guard !overflows, Player.scores.contains(score) else { throw .scoreOutOfRange }
      try setScore(of: id, on: board, to: score)
    case .remove(let id):
      try ScoreboardEditError.storing { () throws(Failure) in try removePlayer(id, of: board) }
    case .move(let id, let place):
      var changed = try ScoreboardEditError.storing { () throws(Failure) -> Scoreboard in
        _ = try player(id, of: board)
        return try self.board(board)
      }
      if try changed.players.move(id, to: place) { keep(changed) }
    }
  }

  private mutating func setScore(
    of player: ResourceID, on board: ResourceID, to score: Int
  ) throws(ScoreboardEditError) {
    try ScoreboardEditError.storing { () throws(Failure) in
      try change(player, of: board) { $0.score = score }
    }
  }
}

extension OrderedDictionary where Key == ResourceID {
  /// Checks that there is what a place is named by.
  fileprivate func check(_ place: Placement?) throws(ScoreboardEditError) {
    guard let place, self[place.anchor] == nil else { return }
    throw .unknownAnchor(place)
  }

  /// Moves an element, which is there, before or after another one.
  ///
  /// - Returns: whether that changed the order.
  /// - Complexity: O(n), where n is the number of elements.
  @discardableResult
  fileprivate mutating func move(
    _ id: ResourceID, to place: Placement
  ) throws(ScoreboardEditError) -> Bool {
    guard place.anchor != id else { throw .ownAnchor(place) }
    guard let from = index(forKey: id), index(forKey: place.anchor) != nil else {
      throw .unknownAnchor(place)
    }
    let value = remove(at: from).value
    guard let anchor = index(forKey: place.anchor) else { throw .unknownAnchor(place) }
    let to =
      switch place {
      case .before: anchor
      case .after: anchor + 1
      }
    updateValue(value, forKey: id, insertingAt: to)
    return from != to
  }
}

/// How commands become edits.
extension Command {
  /// The same command, which does an edit of scoreboards.
  func editing(
    _ store: ScoreboardStore,
    edit: @escaping @Sendable (State, repeat each Argument) throws(Refusal) -> ScoreboardEdit
  ) -> Command {
    writing { (state, transaction, values: repeat each Argument) throws(Refusal) in
      let edit = try edit(state, repeat each values)
      do throws(ScoreboardEditError) {
        _ = try transaction.write(.edit(edit), to: store)
      } catch {
        throw error.refusal
      }
    }
  }
}

extension ScoreboardEditError {
  /// The refusal of the argument that is at fault.
  fileprivate var refusal: Refusal {
    switch self {
    case .store(.missing(.board(let id))): .unknown("board", id)
    case .store(.missing(.player(let id))): .unknown("player", id)
    case .store(.duplicateID(let id)): Refusal("id", "the id \(id) is in use")
    case .store(.changedMeanwhile), .store(.reusedKey), .store(.full):
      Refusal("type", "the store holds as many as it may")
    case .store(.malformed(let error)): Refusal(error)
    case .unknownAnchor(let place): Refusal(place.argument, "\(place.anchor) is not there")
    case .ownAnchor(let place):
      Refusal(place.argument, "\(place.anchor) cannot go before or after itself")
    case .scoreOutOfRange: Refusal("by", "the score would be out of range")
    }
  }
}

extension StateMachine {
  /// Runs every edit on the data with nothing, one and two of what is counted in it.
  static func edits(
    _ name: String, of things: String, add: (Int?) -> ScoreboardEdit,
    count: (ScoreboardData) -> Int?, edits: [(name: String, edit: ScoreboardEdit)], adding: String
  ) -> StateMachine {
    let board = ResourceID(0)
    var empty = ScoreboardData()
    try? empty.apply(.addBoard(id: board, title: "Board", at: nil))
    var (single, several) = (empty, empty)
    try? single.apply(add(1))
    several = single
    try? several.apply(add(2))
    // What was removed is not empty: nothing can happen to it any more.
    var gone = empty
    try? gone.apply(.removeBoard(board))
    let removed = count(gone) == nil ? [gone] : []
    return StateMachine(
      name: name, exploring: [empty, single, several] + removed, on: [(adding, add(nil))] + edits,
      stateName: { data in
        switch count(data) {
        case nil: "removed"
        case 0?: "no \(things)"
        case 1?: "one"
        default: "several"
        }
      },
      eventName: { $0.0 }
    ) { data, event in
      let before = data
      do {
        try data.apply(event.1)
      } catch {
        return ["refuse"]
      }
      return data == before ? [] : ["show"]
    }
  }
}
