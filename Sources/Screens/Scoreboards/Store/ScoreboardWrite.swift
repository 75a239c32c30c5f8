public import CanonicalJSON
public import ViewState

/// The scoreboards in memory: one store for the list of them and for each of them, so that there are no
/// two copies that could drift apart.
public typealias ScoreboardStore = Store<ScoreboardData>

/// What clients can do to the scoreboards.
public enum ScoreboardWrite: Codable, Sendable {
  /// Does what a command says.
  case edit(ScoreboardEdit)
  /// Creates the board in a document, with the next free id if it names none.
  case createBoard(JSONValue)
  /// Replaces the board of the same id; if a version is given, only that one.
  case replaceBoard(Scoreboard, expecting: Int?)
  case removeBoard(ResourceID, expecting: Int?)
  /// Creates the player in a document, with the next free id if it names none.
  case createPlayer(JSONValue, of: ResourceID)
  case replacePlayer(Player, of: ResourceID, expecting: Int?)
  case removePlayer(ResourceID, of: ResourceID, expecting: Int?)

  /// What a write answers.
  public enum Output: Codable, Sendable {
    case board(Versioned<Scoreboard>)
    case player(Versioned<Player>)
    case done
  }
}

extension ScoreboardData: StoreValue {
  public mutating func apply(
    _ write: ScoreboardWrite, at time: Timestamp
  ) throws(ScoreboardEditError) -> Written<ScoreboardWrite.Output> {
    let before = version
    switch write {
    case .edit(let edit):
      let board = edit.board ?? nextBoardID
      try apply(edit)
      switch edit {
      case .addBoard: return written(.done, creating: board)
      case .removeBoard: return written(.done, removing: board)
      case .renameBoard, .players: return written(.done, changing: board, since: before)
      case .moveBoard: return version == before ? unchanged : Written(.done, of: Self.name)
      }
    case .createBoard(let body):
      let board = try Self.read { () throws(JSONShapeError) in
        try Scoreboard(JSONReader(body), assigned: nextBoardID, limit: limits.playersPerBoard)
      }
      let created = try Failed.storing { () throws(Failure) in try insert(board) }
      return written(.board(created), creating: board.id)
    case .replaceBoard(let board, let expected):
      let replaced = try Failed.storing { () throws(Failure) in
        try replace(board, expecting: expected)
      }
      return written(.board(replaced), changing: board.id, since: before)
    case .removeBoard(let id, let expected):
      try Failed.storing { () throws(Failure) in try removeBoard(id, expecting: expected) }
      return written(.done, removing: id)
    case .createPlayer(let body, let board):
      // The board's own id: a path does not tell a number from a string.
      let id = try Failed.storing { () throws(Failure) in try self.board(board).id }
      let player = try Self.read { () throws(JSONShapeError) in
        try Player(JSONReader(body), assigned: nextPlayerID(on: id))
      }
      let created = try Failed.storing { () throws(Failure) in try insert(player, of: id) }
      return written(.player(created), changing: id, since: before)
    case .replacePlayer(let player, let board, let expected):
      let replaced = try Failed.storing { () throws(Failure) in
        try replace(player, of: board, expecting: expected)
      }
      return written(.player(replaced), changing: board, since: before)
    case .removePlayer(let id, let board, let expected):
      try Failed.storing { () throws(Failure) in
        try removePlayer(id, of: board, expecting: expected)
      }
      return written(.done, changing: board, since: before)
    }
  }

  private typealias Failed = ScoreboardEditError

  /// The name of the store, and of the source in the causes of revisions.
  static var name: Text { "scoreboards" }

  private var unchanged: Written<ScoreboardWrite.Output> { Written(unchanged: .done) }

  private func written(
    _ output: ScoreboardWrite.Output, creating id: ResourceID
  ) -> Written<ScoreboardWrite.Output> {
    Written(output, creating: [id.text], of: Self.name)
  }

  private func written(
    _ output: ScoreboardWrite.Output, removing id: ResourceID
  ) -> Written<ScoreboardWrite.Output> {
    Written(output, removing: [id.text], of: Self.name)
  }

  private func written(
    _ output: ScoreboardWrite.Output, changing id: ResourceID, since before: Int
  ) -> Written<ScoreboardWrite.Output> {
    if version == before { return Written(unchanged: output) }
    return Written(output, changing: [id.text], of: Self.name)
  }

  private static func read<Value>(
    _ read: () throws(JSONShapeError) -> Value
  ) throws(ScoreboardEditError) -> Value {
    do { return try read() } catch { throw .store(.malformed(error)) }
  }
}

extension ScoreboardEdit {
  /// The board that the edit names; `nil` if it leaves the id to the store.
  fileprivate var board: ResourceID? {
    switch self {
    case .addBoard(let id, _, _): id
    case .renameBoard(let id, _), .removeBoard(let id), .moveBoard(let id, _), .players(let id, _):
      id
    }
  }
}

/// What the REST resources write.
extension ScoreboardStore {
  /// Does a write to a resource.
  ///
  /// - Throws: The failure of the store; no write but an edit fails otherwise.
  public func resource(
    _ write: ScoreboardWrite, once key: RequestKey? = nil
  ) async throws(ScoreboardData.Failure) -> ScoreboardWrite.Output {
    do throws(ScoreboardEditError) {
      return try await self.write(write, once: key)
    } catch {
      throw error.storeError
    }
  }
}

extension ScoreboardEditError {
  fileprivate var storeError: ScoreboardData.Failure {
    switch self {
    case .store(let error): error
    case .unknownAnchor(let place), .ownAnchor(let place): .missing(.board(place.anchor))
    case .scoreOutOfRange: .full
    }
  }
}
