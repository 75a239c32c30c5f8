import HTTPTypes
import MicroHTTP
import Screens

/// Why a store did not do a write, as the endpoints of its resources tell it.
protocol StoreFailure: Error, Equatable {
  /// The resource is not of the version that the caller had read.
  static var changedMeanwhile: Self { get }
  /// What a client is told.
  var problem: ProblemDetails { get }
}

extension ProfileStoreError: StoreFailure {
  var problem: ProblemDetails { ProblemDetails(self) }
}

extension PodcastStoreError: StoreFailure {
  var problem: ProblemDetails {
    switch self {
    case .unknownListener:
      ProblemDetails(
        status: .notFound, code: "unknown-listener", detail: "there is no listener of this id")
    case .unknownPodcast:
      ProblemDetails(
        status: .notFound, code: "unknown-podcast",
        detail: "the listener follows no podcast of this id")
    case .missingFeed:
      ProblemDetails(
        status: .notFound, code: "missing-feed",
        detail: "the listener has not followed any podcast yet")
    case .duplicateID(let id): ProblemDetails(ProfileStoreError.duplicateID(id))
    case .changedMeanwhile: ProblemDetails(ProfileStoreError.changedMeanwhile)
    case .full: ProblemDetails(ProfileStoreError.full)
    }
  }
}

extension ScoreboardError: StoreFailure {
  var problem: ProblemDetails {
    switch self {
    case .unknownBoard:
      ProblemDetails(
        status: .notFound, code: "unknown-scoreboard", detail: "there is no scoreboard of this id")
    case .unknownPlayer, .unknownAnchor:
      ProblemDetails(
        status: .notFound, code: "unknown-player",
        detail: "the scoreboard has no player of this id")
    case .duplicateID(let id):
      ProblemDetails(ProfileStoreError.duplicateID(id))
    case .changedMeanwhile:
      ProblemDetails(ProfileStoreError.changedMeanwhile)
    case .full, .ownAnchor, .scoreOutOfRange:
      ProblemDetails(ProfileStoreError.full)
    }
  }
}
