import CanonicalJSON
import HTTPTypes
import MicroHTTP
import OrderedCollections
import Screens
import ViewState

/// The scoreboards, each whole with its players.
struct ScoreboardEndpoints: Sendable {
  let store: ScoreboardStore
  let context: EndpointContext

  static let path = "/v1/scoreboards"

  func register(in router: inout Router) {
    let board = resource
    router.get(Self.path) { (request) throws(ProblemDetails) in
      try request.requireJSONAccepted()
      return .json(.array(store.value.boards.values.map(\.json)))
    }
    router.on(.post, Self.path) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      return try await context.idempotency.respond(to: request) {
        (request) throws(ProblemDetails) in
        let body = try request.json()
        let created = try await store.write { data throws(ProblemDetails) in
          try Self.create(body, in: &data)
        }
        return board.reply(
          created, status: .created, location: "\(Self.path)/\(created.resource.id.pathSegment)")
      }
    }
    board.register(in: &router, path: Self.path + "/{id}")
  }

  private var resource: ResourceEndpoints<Scoreboard, ScoreboardError> {
    ResourceEndpoints(
      tags: context.tags,
      read: { (request) throws(ScoreboardError) in
        try store.value.board(request.scoreboardID).versioned
      },
      parse: { (body, current) throws(JSONShapeError) in
        let board = try Scoreboard(
          body, assigned: current.id, limit: store.value.limits.playersPerBoard)
        guard board.id == current.id else { throw body.differentID }
        return board
      },
      replace: { (board, version) async throws(ScoreboardError) in
        try await store.write { data throws(ScoreboardError) in
          try data.replace(board, expecting: version)
          return try data.board(board.id).versioned
        }
      },
      delete: { (request, version) async throws(ScoreboardError) in
        try await store.write { data throws(ScoreboardError) in
          let current = try data.board(request.scoreboardID).version
          if let version, version != current { throw .changedMeanwhile }
          try data.apply(.removeBoard(request.scoreboardID))
        }
      },
      json: \.json)
  }

  private static func create(
    _ body: JSONReader, in data: inout ScoreboardData
  ) throws(ProblemDetails) -> Versioned<Scoreboard> {
    do {
      let board = try Scoreboard(
        body, assigned: data.nextBoardID, limit: data.limits.playersPerBoard)
      try data.insert(board)
      return try data.board(board.id).versioned
    } catch {
      throw .creating(error)
    }
  }
}

extension Request {
  /// The scoreboard that the path names.
  var scoreboardID: ResourceID { ResourceID(named: parameters["id"] ?? "") }
}
