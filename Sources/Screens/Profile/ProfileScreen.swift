public import CanonicalJSON
public import Snapshots
public import ViewState

/// The profile and the posts of a user, loaded from two sources that fail and are retried independently.
public struct ProfileScreen: Screen {
  /// The states of the two halves.
  public struct State: ScreenState {
    public var profile = LoadState<User>()
    /// Newest first.
    public var posts = LoadState<KeyedSequence<Post>>()

    public init() {}
  }

  public static let name: Text = "profile"
  public static let keyName = "userID"
  public static let summary = "A user's profile and posts, loaded from two independent sources."

  private let store: ProfileStore
  private let profile: Loading<State, User>
  private let posts: Loading<State, KeyedSequence<Post>>

  /// - Parameters:
  ///   - store: The users and posts.
  ///   - latency: The duration of a load of each source; zero by default.
  ///   - policy: Whether a half stays on the screen while it is loaded again.
  public init(
    store: ProfileStore, latency: [ProfileSource: Duration] = [:],
    policy: RefreshPolicy = .keepPrevious
  ) {
    self.store = store
    profile = Loading(
      "profile", \.profile,
      from: Source("profile", reading: store, usually: latency[.profile] ?? .zero) {
        $0.parents[id: $1]
      },
      policy: { _ in policy }, error: ("profileError", "Couldn't load profile.")
    ) { user, isLoading in
      Self.header("profile/header", Header(user: user, isLoading: isLoading))
      if let city = user?.city {
        Self.attribute("profile/location", Attribute(name: "Location", value: city))
      }
      if let website = user?.website {
        Self.attribute("profile/website", Attribute(name: "Website", value: website))
      }
    }
    posts = Loading(
      "posts", \.posts,
      from: Source("posts", reading: store, usually: latency[.posts] ?? .zero) {
        $0.children(of: $1)
      },
      policy: { _ in policy }, error: ("contentError", "Couldn't load posts."),
      heading: { Self.contentHeader("posts/header", "Posts") }
    ) { posts, isLoading in
      if isLoading { Self.contentLoading("posts/loading") }
      if let posts {
        if posts.isEmpty { Self.contentEmpty("posts/empty", "No posts yet") }
        ForEach(posts, as: Self.post) { "post/\($0.id)" }
      }
    }
  }

  public var parts: [any ScreenPart<State>] { [posts, profile] }

  public func initialState(
    for key: Text, in stores: Stores
  ) throws(ScreenLookupError) -> State {
    _ = try stores[store].parent(for: key)
    return State()
  }

  public func body(_ state: State) -> [ListSection] {
    ListSection("profile") { profile.rows(state) }
    ListSection("posts") { posts.rows(state) }
  }

  public var rowTypes: [RowTypeDescriptor] {
    Self.header
    Self.attribute
    Self.contentHeader
    Self.contentLoading
    Self.contentEmpty
    Self.post
  }
}

/// The rows.
extension ProfileScreen {
  /// A header, which is also shown before a user is loaded.
  struct Header: Equatable, Sendable {
    let user: User?
    let isLoading: Bool

    func text(_ text: Text) -> LoadingText { LoadingText(text: text, isLoading: isLoading) }
  }

  /// A text that may be loading.
  struct LoadingText: FieldObject {
    let text: Text
    let isLoading: Bool

    static let fields = [Field("isLoading", \LoadingText.isLoading), Field("text", \.text)]
  }

  struct Attribute: Equatable, Sendable {
    let name: Text
    let value: Text
  }

  static let header = RowType(
    "profileHeader", of: Header.self,
    "The user. What the user does not have is absent; before the first load `friendsCount` is an empty "
      + "text."
  ) {
    Field("username") { $0.text($0.user?.username ?? "") }
    Field("avatarURL", \.user?.avatarURL, .optional(.webAddress(orPath: true)))
    // A user without a count of friends has no such field; before the load it is not known.
    Field("friendsCount") { header -> LoadingText? in
      guard let user = header.user else { return header.text("") }
      return user.friendsCount.map { header.text("\($0)") }
    }
  }
  static let attribute = RowType(
    "profileAttribute", of: Attribute.self,
    "One more thing about the user: `profile/location`, `profile/website`."
  ) {
    Field("name", \.name)
    Field("value", \.value, .text(0...LongestText.address))
  }
  static let contentHeader = RowType(text: "contentHeader", "The title of a list.")
  static let contentLoading = RowType("contentLoading", of: NoFields.self, "A list is loading.")
  static let contentEmpty = RowType(text: "contentEmpty", "An empty list.")
  static let post = RowType(
    "post", of: Post.self, "A post; its id is `post/` and that of the post."
  ) { Post.shownFields }
}
