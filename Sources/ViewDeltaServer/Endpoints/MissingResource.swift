import MicroHTTP
import Screens

/// What a store may turn out not to have, as clients are told of it.
protocol MissingResource: Hashable, Sendable {
  /// The 404 problem.
  var problem: ProblemDetails { get }
}

extension ProfileSchema.Missing: MissingResource {
  var problem: ProblemDetails {
    switch self {
    case .user: .missing(code: "unknown-user", "there is no user of this id")
    case .post: .missing(code: "unknown-post", "the user has no post of this id")
    }
  }
}

extension PodcastSchema.Missing: MissingResource {
  var problem: ProblemDetails {
    switch self {
    case .listener: .missing(code: "unknown-listener", "there is no listener of this id")
    case .podcast: .missing(code: "unknown-podcast", "the listener follows no podcast of this id")
    case .feed: .missing(code: "missing-feed", "the listener has not followed any podcast yet")
    }
  }
}

extension ScoreboardData.Missing: MissingResource {
  var problem: ProblemDetails {
    switch self {
    case .board: .missing(code: "unknown-scoreboard", "there is no scoreboard of this id")
    case .player: .missing(code: "unknown-player", "the scoreboard has no player of this id")
    }
  }
}

extension CatalogData.Missing: MissingResource {
  var problem: ProblemDetails {
    switch self {
    case .catalog: .missing(code: "unknown-catalog", "there is no catalog of this id")
    case .section: .missing(code: "unknown-section", "the catalog has no section of this id")
    case .item: .missing(code: "unknown-item", "the catalog has no item of this id")
    }
  }
}
