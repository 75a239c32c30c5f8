public import CanonicalJSON
public import Snapshots
public import ViewState

/// The profile and the posts of a user, loaded from two sources that fail and are retried independently.
public struct ProfileScreen: Screen {
  /// The states of the two parts.
  public struct State: ScreenState {
    public var profile = LoadState<User>()
    /// The posts, newest first.
    public var posts = LoadState<KeyedSequence<Post>>()

    public init() {}
  }

  public static let name: Text = "profile"
  public static let keyName = "userID"
  public static let summary = "A user's profile and posts, loaded from two independent sources."

  public let language: Language?
  let rows: Rows
  private let store: ProfileStore
  private let profile: Loading<State, User>
  private let posts: Loading<State, KeyedSequence<Post>>

  /// - Parameters:
  ///   - store: The users and posts.
  ///   - policy: Whether a part stays on the screen while it is loaded again.
  ///   - language: The language of the texts.
  public init(
    store: ProfileStore, policy: RefreshPolicy = .keepPrevious, language: Language = .en
  ) {
    self.store = store
    self.language = language
    let rows = Rows(language)
    self.rows = rows
    profile = Loading(
      "profile", \.profile,
      from: Source(reading: store) { $0.parents[id: $1] },
      policy: { _ in policy },
      error: "profileError",
      failure: Localized(
        en: "Couldn't load profile.", de: "Das Profil konnte nicht geladen werden.")[language],
      language: language
    ) { user, isLoading in
      rows.header("profile/header", Header(user: user, isLoading: isLoading))
      if let city = user?.city {
        let name = Localized(en: "Location", de: "Ort")[language]
        rows.attribute("profile/location", Attribute(name: name, value: city))
      }
      if let website = user?.website {
        rows.attribute("profile/website", Attribute(name: "Website", value: website))
      }
    }
    posts = Loading(
      "posts", \.posts,
      from: Source(reading: store) { $0.children(of: $1) },
      policy: { _ in policy },
      error: "contentError",
      failure: Localized(
        en: "Couldn't load posts.", de: "Die Beiträge konnten nicht geladen werden.")[language],
      language: language,
      heading: {
        rows.contentHeader("posts/header", Localized(en: "Posts", de: "Beiträge")[language])
      }
    ) { posts, isLoading in
      if isLoading { rows.contentLoading("posts/loading", Localized.loading[language]) }
      if let posts {
        if posts.isEmpty {
          rows.contentEmpty(
            "posts/empty", Localized(en: "No posts yet", de: "Noch keine Beiträge")[language])
        }
        ForEach(posts, as: rows.post) { "post/\($0.id)" }
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
    rows.header
    rows.attribute
    rows.contentHeader
    rows.contentLoading
    rows.contentEmpty
    rows.post
  }
}

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

  /// The types of the rows, with their texts in a language.
  struct Rows: Sendable {
    let header: RowType<Header>
    let attribute = RowType(
      "profileAttribute", of: Attribute.self,
      "A further fact about the user: `profile/location`, `profile/website`."
    ) {
      Field("name", \.name)
      Field("value", \.value, .text(0...LongestText.address))
    }
    let contentHeader = RowType(text: "contentHeader", "The title of a list.")
    let contentLoading = RowType(text: "contentLoading", "A list is loading.")
    let contentEmpty = RowType(text: "contentEmpty", "An empty list.")
    let post: RowType<Post>

    init(_ language: Language) {
      header = RowType(
        "profileHeader",
        "The user. What the user does not have is absent; before the first load `friendsCount` is an "
          + "empty text."
      ) {
        Field("username") { $0.text($0.user?.username ?? "") }
        Field("avatarURL", \.user?.avatarURL, .optional(.webAddress(orPath: true)))
        // A user without a count of friends has no such field; before the load it is not known.
        Field("friendsCount") { header -> LoadingText? in
          guard let user = header.user else { return header.text("") }
          return user.friendsCount.map { header.text("\($0)") }
        }
        Field("friendsCountText", "The number of friends, for people: `42 friends`.") { header in
          header.user?.friendsCount.map {
            language.count($0, en: ("friend", "friends"), de: ("Freund", "Freunde"))
          }
        }
      }
      post = RowType("post", "A post; its id is `post/` and that of the post.") {
        Post.shownFields
        Field("dateText", "The day of `date` in UTC, for people: `1 March 2026`.") {
          $0.date.map(language.date)
        }
      }
    }
  }
}
