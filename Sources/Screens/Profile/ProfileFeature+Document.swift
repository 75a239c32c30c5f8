import CanonicalJSON
import ViewDeltaServer
import ViewState

extension ProfileFeature {
  /// Returns the fragments of the OpenAPI document.
  static func documents(of screen: ProfileScreen) throws -> [JSONValue] {
    let ada = User(
      id: ResourceID(1), username: "ada", avatarURL: "/pictures/ada.svg",
      friendsCount: 42)
    return try examples(of: screen, dana, post) + [
      DemoDocument.examples([
        screen.rows.header.row(
          "profile/header", ProfileScreen.Header(user: ada, isLoading: false)),
        screen.rows.attribute.row(
          "profile/location", ProfileScreen.Attribute(name: "Location", value: "Lagos")),
        screen.rows.post.row("post/11", post),
      ]),
      users.fragment, posts.fragment,
    ]
  }

  private static let dana = User(
    id: ResourceID(4), username: "dana", website: "dana.example.net", friendsCount: 0)
  private static let post = Post(
    id: ResourceID(11), userID: ResourceID(4), title: "First post",
    body: "Nobody follows me yet, so this is mostly for the search engine.",
    date: Timestamp("2026-03-03T13:30:00Z"))

  private static let limits = Post.limits

  private static let user = ResourceDocument.Noun("user", id: 4)

  private static let users = ResourceDocument(
    path: "/v1/users", [user], tag: "Users",
    of: User.self,
    example: dana.json,
    change: ["friendsCount": 1, "website": nil],
    summaries: [.list: "All users", .delete: "Delete a user with all posts"],
    notes: [
      .create:
        "The store takes \(limits.count.grouped) users and \(limits.byteCount.size) of text.",
      .replace:
        "A loaded profile shows the change in the same step; the reply comes once that revision is "
        + "published.",
      .patch:
        "`name` and `image` are second names of `username` and `avatarURL`; if a patch has both, "
        + "`username` and `avatarURL` count unless they are `null`.",
      .delete:
        "The user's profile screen answers 410 from now on. The last \(limits.deletedCount.grouped) deleted users "
        + "are remembered; the screen of one before them answers 404 again. A new user may take the id, "
        + "and starts with a new history: revisions of the old one are `epoch-changed`.",
    ])

  private static let posts = ResourceDocument(
    path: "/v1/users/{id}/posts",
    [user, ResourceDocument.Noun("post", parameter: "postID", id: 11)], tag: "Posts",
    of: Post.self,
    example: post.json,
    change: ["title": "Second thoughts"], summaries: [.list: "The posts of a user"],
    notes: [
      .list: "Newest first: by date, then the one created last; those without a date come last.",
      .create:
        "Ids of posts are unique over all users. Without a `date` the post is dated with the server's "
        + "clock. A `userId` in the body must be that of the path.\n\nA user has at most "
        + "\(limits.childCount.grouped) posts, and all users together \(limits.totalChildCount.grouped).",
      .replace:
        "Without a `date` the post has none from now on. A `userId` in the body must be that of the "
        + "path.",
      .delete: "Its id may be used again.",
    ])
}
