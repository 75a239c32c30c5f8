import CanonicalJSON
public import MicroHTTP
public import ViewDeltaServer
public import ViewState

/// The profile screen, on a store of users and their posts.
public struct ProfileFeature: Feature {
  /// The users and posts to start with if there is no data file.
  public var data: ProfileData
  /// How long a load of each source takes; one that is not named takes no time.
  public var latency: [ProfileSource: Duration]
  /// What stays on the screen while a source is loaded again.
  public var refreshPolicy: RefreshPolicy

  /// Configures the feature.
  public init(
    data: ProfileData = .demo(), latency: [ProfileSource: Duration] = [:],
    refreshPolicy: RefreshPolicy = .keepPrevious
  ) {
    self.data = data
    self.latency = latency
    self.refreshPolicy = refreshPolicy
  }

  public func register(in application: inout ApplicationBuilder) throws {
    for fragment in Self.documents { application.document(fragment) }
    let store = ProfileStore(
      try start(in: &application),
      in: application.engine, latency: application.latencies(latency))
    let policy = application.refreshPolicy(usually: refreshPolicy)
    application.add(
      ProfileScreen(store: store, policy: policy),
      keys: .collection(path: "/v1/users", title: "username"))
    AccountEndpoints(
      store: store, path: "/v1/users", entries: (name: "posts", parameter: "postID"),
      aliases: User.aliases
    ).register(in: &application)
  }

  /// The data to start with. Posts without users are not those of this feature.
  private func start(in application: inout ApplicationBuilder) throws(JSONShapeError) -> ProfileData
  {
    guard let file = application.data else { return data }
    guard try file.nullableMember("users") != nil else { return ProfileData() }
    _ = application.takeData("users", "posts")
    return try ProfileData(file)
  }
}

extension ProfileSchema.Missing: MissingResource {
  public var problem: ProblemDetails {
    switch self {
    case .user: .missing(code: "unknown-user", "there is no user of this id")
    case .post: .missing(code: "unknown-post", "the user has no post of this id")
    }
  }
}
