import CanonicalJSON
import HTTPTypes
import MicroHTTP
import OrderedCollections
import Screens
import ViewState

/// The players of a scoreboard.
struct PlayerEndpoints: Sendable {
  let store: ScoreboardStore
  let context: EndpointContext

  private static let path = ScoreboardEndpoints.path + "/{id}/players"

  func register(in router: inout Router) {
    let player = resource
    router.get(Self.path) { (request) throws(ProblemDetails) in
      try request.requireJSONAccepted()
      do throws(ScoreboardError) {
        return .json(.array(try store.value.board(request.scoreboardID).players.values.map(\.json)))
      } catch {
        throw error.problem
      }
    }
    router.on(.post, Self.path) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      return try await context.idempotency.respond(to: request) {
        (request) throws(ProblemDetails) in
        let (board, body) = (request.scoreboardID, try request.json())
        let created = try await store.write { data throws(ProblemDetails) in
          try Self.create(body, on: board, in: &data)
        }
        let (boardSegment, segment) = (board.pathSegment, created.resource.id.pathSegment)
        return player.reply(
          created, status: .created,
          location: "\(ScoreboardEndpoints.path)/\(boardSegment)/players/\(segment)")
      }
    }
    player.register(in: &router, path: Self.path + "/{playerID}")
  }

  private var resource: ResourceEndpoints<PlayerOfBoard, ScoreboardError> {
    ResourceEndpoints(
      tags: context.tags,
      read: { (request) throws(ScoreboardError) in
        let player = try store.value.player(request.playerID, of: request.scoreboardID)
        return player.versioned(on: request.scoreboardID)
      },
      parse: { (body, current) throws(JSONShapeError) in
        let player = try Player(body, assigned: current.id)
        guard player.id == current.id else { throw body.differentID }
        return PlayerOfBoard(board: current.board, player: player)
      },
      replace: { (new, version) async throws(ScoreboardError) in
        try await store.write { data throws(ScoreboardError) in
          try data.replace(new.player, of: new.board, expecting: version)
          return try data.player(new.id, of: new.board).versioned(on: new.board)
        }
      },
      delete: { (request, version) async throws(ScoreboardError) in
        let (board, player) = (request.scoreboardID, request.playerID)
        try await store.write { data throws(ScoreboardError) in
          let current = try data.player(player, of: board).version
          if let version, version != current { throw .changedMeanwhile }
          try data.apply(.players(of: board, .remove(player)))
        }
      },
      json: \.player.json)
  }

  private static func create(
    _ body: JSONReader, on board: ResourceID, in data: inout ScoreboardData
  ) throws(ProblemDetails) -> Versioned<PlayerOfBoard> {
    do {
      _ = try data.board(board)
      let player = try Player(body, assigned: data.nextPlayerID)
      try data.apply(
        .players(
          of: board, .add(id: player.id, name: player.name, score: player.score, at: nil)))
      return try data.player(player.id, of: board).versioned(on: board)
    } catch {
      throw .creating(error)
    }
  }
}

/// A player together with the board, which a write has to name.
struct PlayerOfBoard: Sendable {
  let board: ResourceID
  let player: Player
  var id: ResourceID { player.id }
}

extension Player {
  fileprivate func versioned(on board: ResourceID) -> Versioned<PlayerOfBoard> {
    Versioned(resource: PlayerOfBoard(board: board, player: self), version: version)
  }
}

extension Request {
  /// The player that the path names.
  fileprivate var playerID: ResourceID { ResourceID(named: parameters["playerID"] ?? "") }
}
