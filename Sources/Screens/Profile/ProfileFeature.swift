import CanonicalJSON
public import ViewDeltaServer
public import ViewState

/// The profile screen, on a store of users and their posts, with the REST endpoints of both.
public struct ProfileFeature: Feature {
  /// The users and posts to start with if there is no data file.
  public var data = ProfileData.demo()
  /// The language of the texts of the screen, unless the server is started with another one.
  public var language = Language.en

  /// Creates the feature with the data of the demo, in English.
  public init() {}

  public func register(in application: inout ApplicationBuilder) throws {
    let store = ProfileStore("profiles", try start(in: &application), in: application.engine)
    let screen = ProfileScreen(
      store: store, policy: application.refreshPolicy,
      language: application.language(usually: language))
    application.add(screen, keys: .collection(path: "/v1/users", title: "username"))
    application.add(collection: store, at: "/v1/users", children: "posts")
    for fragment in try Self.documents(of: screen) { application.document(fragment) }
  }

  /// Returns the data to start with. A file without users leaves its posts to other features.
  private func start(in application: inout ApplicationBuilder) throws(JSONShapeError) -> ProfileData
  {
    guard let file = application.data else { return data }
    guard try file.nullableMember("users") != nil else { return ProfileData() }
    _ = application.takeData("users", "posts")
    return try ProfileData(reading: file)
  }
}
