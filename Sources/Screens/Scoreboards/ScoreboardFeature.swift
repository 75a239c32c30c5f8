import CanonicalJSON
public import MicroHTTP
public import ViewDeltaServer
import ViewState

/// The list of scoreboards and the screen of each, on one store.
public struct ScoreboardFeature: Feature {
  /// The scoreboards to start with if there is no data file.
  public var data: ScoreboardData

  /// Configures the feature.
  public init(data: ScoreboardData = .demo()) {
    self.data = data
  }

  public func register(in application: inout ApplicationBuilder) throws {
    for fragment in Self.documents { application.document(fragment) }
    let file = application.takeData("scoreboards")
    let store = ScoreboardStore(
      "scoreboards",
      try file.map { file throws(JSONShapeError) in try ScoreboardData(file) } ?? data,
      in: application.engine)
    application.add(ScoreboardsScreen(store: store), keys: .only([ScoreboardsScreen.key]))
    application.add(
      ScoreboardScreen(store: store), keys: .collection(path: "/v1/scoreboards", title: "title"))
    ScoreboardEndpoints(store: store).register(in: &application)
  }
}

extension ScoreboardData.Missing: MissingResource {
  public var problem: ProblemDetails {
    switch self {
    case .board: .missing(code: "unknown-scoreboard", "there is no scoreboard of this id")
    case .player: .missing(code: "unknown-player", "the scoreboard has no player of this id")
    }
  }
}
