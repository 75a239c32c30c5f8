public import ViewState

/// The scoreboards in memory: one store for the list of them and for each of them, so that there
/// are no two copies that could drift apart.
public typealias ScoreboardStore = SharedStore<ScoreboardData>
