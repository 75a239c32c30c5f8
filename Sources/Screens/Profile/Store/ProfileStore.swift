public import CanonicalJSON
public import ViewState

/// The users with their posts.
public typealias ProfileData = NestedCollection<Post>

/// The users with their posts in memory.
public typealias ProfileStore = Store<ProfileData>

extension Post: ChildResource {
  public typealias Parent = User

  public static let nouns: (parent: Text, child: Text) = ("user", "post")
  public static let arrays: (parents: Text, children: Text) = ("users", "posts")
  public static let causes: (parents: Text, children: Text) = ("profile", "posts")
  public static let parentMember: Text? = "userId"
  public static let limits = CollectionLimits(count: 100_000, childCount: 10_000)

  /// Orders posts by date, the newest first, then the one created last; those without a date come last.
  public static func precedes(_ left: Created<Post>, _ right: Created<Post>) -> Bool {
    switch (left.resource.date, right.resource.date) {
    case (let date?, let other?) where date != other: date > other
    case (.some, nil): true
    case (nil, .some): false
    default: left.number > right.number
    }
  }

  /// Dates a post without a date with the time of the write.
  public static func completed(_ post: Post, at time: Timestamp) -> Post {
    var post = post
    post.date = post.date ?? time
    return post
  }
}
