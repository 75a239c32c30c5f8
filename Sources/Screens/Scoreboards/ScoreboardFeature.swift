import CanonicalJSON
public import ViewDeltaServer
public import ViewState

/// The list of scoreboards and the screen of each, on one store, with the REST endpoints of the boards and
/// of their players.
public struct ScoreboardFeature: Feature {
  /// The scoreboards to start with if there is no data file.
  public var data = ScoreboardData.demo()
  /// The language of the texts of the screens, unless the server is started with another one.
  public var language = Language.en

  /// Creates the feature with the data of the demo, in English.
  public init() {}

  public func register(in application: inout ApplicationBuilder) throws {
    let store = ScoreboardStore(
      "scoreboards",
      try application.takeData("scoreboards", or: data) { try ScoreboardData($0) },
      in: application.engine)
    let language = application.language(usually: language)
    let (list, board) = (
      ScoreboardsScreen(store: store, language: language),
      ScoreboardScreen(store: store, language: language)
    )
    application.add(list, keys: .only([ScoreboardsScreen.key]))
    application.add(board, keys: .collection(path: "/v1/scoreboards", title: "title"))
    application.add(boards(of: store))
    application.add(players(of: store))
    for fragment in Self.documents(of: list.rows, board.rows) { application.document(fragment) }
    application.document(causesNaming: ["scoreboards"])
  }

  private func boards(
    of store: ScoreboardStore
  ) -> CollectionEndpoints<Scoreboard> {
    CollectionEndpoints(
      path: "/v1/scoreboards",
      page: { (_, range) throws(StoreError) in store.value.boards.page(range) },
      read: { (request) throws(StoreError) in try store.value.boards.element(request.id()) },
      write: { (_, write, key) async throws(StoreError) in
        guard case .board(let board) = try await store.write(.board(write), once: key) else {
          throw .missing(MissingElement("scoreboard"))
        }
        return board
      }, isLarge: { _ in true })
  }

  private func players(of store: ScoreboardStore) -> CollectionEndpoints<Player> {
    CollectionEndpoints(
      path: "/v1/scoreboards/{id}/players", parameter: "playerID",
      page: { (request, range) throws(StoreError) in
        try store.value.players(range, of: request.id())
      },
      read: { (request) throws(StoreError) in
        try store.value.player(request.id("playerID"), of: request.id())
      },
      write: { (request, write, key) async throws(StoreError) in
        let write = ScoreboardWrite.player(write, of: request.id())
        guard case .player(let player) = try await store.write(write, once: key) else {
          throw .missing(MissingElement("player"))
        }
        return player
      })
  }
}
