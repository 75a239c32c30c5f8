import CanonicalJSON
import MicroHTTP
import OrderedCollections
import Screens
import ViewState

/// The scoreboards, each whole with its players, and the players of each.
struct ScoreboardEndpoints: Sendable {
  typealias Failure = ScoreboardData.Failure

  let store: ScoreboardStore

  func register(in router: inout Router, _ context: EndpointContext) {
    boards.register(in: &router, context)
    players.register(in: &router, context)
  }

  private var boards: CollectionEndpoints<Scoreboard, ScoreboardData.Missing> {
    CollectionEndpoints(
      path: "/v1/scoreboards",
      part: { (_, range) throws(Failure) in store.value.boards(range) },
      create: { _, body in
        try await store.write { data in
          let board = try Scoreboard(
            body, assigned: data.nextBoardID, limit: data.limits.playersPerBoard)
          return try data.insert(board)
        }
      },
      resource: ResourceEndpoints(
        read: { (request) throws(Failure) in try store.value.board(request.id()).versioned },
        parse: { (body, current) throws(JSONShapeError) in
          try Scoreboard(body, assigned: current.id, limit: store.value.limits.playersPerBoard)
        },
        replace: { (_, board, version) async throws(Failure) in
          try await store.write { data throws(Failure) in
            try data.replace(board, expecting: version)
          }
        },
        delete: { (request, version) async throws(Failure) in
          try await store.write { data throws(Failure) in
            try data.removeBoard(request.id(), expecting: version)
          }
        },
        isLarge: true))
  }

  private var players: CollectionEndpoints<Player, ScoreboardData.Missing> {
    CollectionEndpoints(
      path: "/v1/scoreboards/{id}/players", parameter: "playerID",
      part: { (request, range) throws(Failure) in
        try store.value.players(range, of: request.id())
      },
      create: { request, body in
        try await store.write { data in
          let board = try data.board(request.id()).id
          let player = try Player(body, assigned: data.nextPlayerID(on: board))
          return try data.insert(player, of: board)
        }
      },
      resource: ResourceEndpoints(
        read: { (request) throws(Failure) in
          try store.value.player(request.id("playerID"), of: request.id()).versioned
        },
        parse: { (body, current) throws(JSONShapeError) in
          try Player(body, assigned: current.id)
        },
        replace: { (request, player, version) async throws(Failure) in
          try await store.write { data throws(Failure) in
            try data.replace(player, of: request.id(), expecting: version)
          }
        },
        delete: { (request, version) async throws(Failure) in
          try await store.write { data throws(Failure) in
            try data.removePlayer(
              request.id("playerID"), of: request.id(), expecting: version)
          }
        }))
  }
}
