import CanonicalJSON
import MicroHTTP
import OrderedCollections
import ViewDeltaServer
import ViewState

/// The scoreboards, each whole with its players, and the players of each.
struct ScoreboardEndpoints: Sendable {
  typealias Failure = ScoreboardData.Failure

  let store: ScoreboardStore

  func register(in application: inout ApplicationBuilder) {
    application.add(boards)
    application.add(players)
  }

  private var boards: CollectionEndpoints<Scoreboard, ScoreboardData.Missing> {
    CollectionEndpoints(
      path: "/v1/scoreboards",
      part: { (_, range) throws(Failure) in store.value.boards(range) },
      create: { (_, body, key) async throws(Failure) in
        try await board(.createBoard(body.value), once: key)
      },
      resource: ResourceEndpoints(
        read: { (request) throws(Failure) in try store.value.board(request.id()).versioned },
        parse: { (body, current) throws(JSONShapeError) in
          try Scoreboard(body, assigned: current.id, limit: store.value.limits.playersPerBoard)
        },
        replace: { (_, board, version) async throws(Failure) in
          try await self.board(.replaceBoard(board, expecting: version))
        },
        delete: { (request, version) async throws(Failure) in
          _ = try await store.resource(.removeBoard(request.id(), expecting: version))
        },
        isLarge: true))
  }

  private var players: CollectionEndpoints<Player, ScoreboardData.Missing> {
    CollectionEndpoints(
      path: "/v1/scoreboards/{id}/players", parameter: "playerID",
      part: { (request, range) throws(Failure) in
        try store.value.players(range, of: request.id())
      },
      create: { (request, body, key) async throws(Failure) in
        try await player(.createPlayer(body.value, of: request.id()), once: key)
      },
      resource: ResourceEndpoints(
        read: { (request) throws(Failure) in
          try store.value.player(request.id("playerID"), of: request.id()).versioned
        },
        parse: { (body, current) throws(JSONShapeError) in
          try Player(body, assigned: current.id)
        },
        replace: { (request, player, version) async throws(Failure) in
          try await self.player(.replacePlayer(player, of: request.id(), expecting: version))
        },
        delete: { (request, version) async throws(Failure) in
          _ = try await store.resource(
            .removePlayer(request.id("playerID"), of: request.id(), expecting: version))
        }))
  }

  private func board(
    _ write: ScoreboardWrite, once key: RequestKey? = nil
  ) async throws(Failure) -> Versioned<Scoreboard> {
    guard case .board(let board) = try await store.resource(write, once: key) else { throw .full }
    return board
  }

  private func player(
    _ write: ScoreboardWrite, once key: RequestKey? = nil
  ) async throws(Failure) -> Versioned<Player> {
    guard case .player(let player) = try await store.resource(write, once: key) else {
      throw .full
    }
    return player
  }
}
