public import CanonicalJSON
public import ViewState

/// The two independent sources of the profile screen.
public enum ProfileSource: Text, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
  case posts
  case profile
}

/// The accounts of the profile screen: users with their posts.
public enum ProfileSchema: AccountSchema {
  public typealias Holder = User
  public typealias Entry = Post
  public typealias Source = ProfileSource

  /// What the store may turn out not to have.
  public enum Missing: Codable, Hashable, Sendable {
    case user
    case post
  }

  public static var name: Text { "profiles" }
  public static var holdersName: Text { "profile" }
  public static var entriesName: Text { "posts" }

  public static var missingHolder: Missing { .user }
  public static var missingEntry: Missing { .post }
  public static var missingEntries: Missing? { nil }
  public static var hasUniqueEntries: Bool { true }

  public static var limits: AccountLimits {
    AccountLimits(
      accounts: 100_000, entriesPerAccount: 10_000, byteCount: 256 * 1024 * 1024)
  }

  /// Newest first: by date, then by the order of writing, and those without a date after those
  /// with one.
  public static func precedes(_ left: WrittenEntry<Post>, _ right: WrittenEntry<Post>) -> Bool {
    switch (left.resource.date, right.resource.date) {
    case (let date?, let other?) where date != other: date > other
    case (.some, nil): true
    case (nil, .some): false
    default: left.created > right.created
    }
  }

  public static func holder(
    _ reader: JSONReader, assigned: ResourceID
  ) throws(JSONShapeError) -> User {
    try User(reader, assigned: assigned)
  }

  public static func entry(
    _ reader: JSONReader, assigned: ResourceID, of user: ResourceID
  ) throws(JSONShapeError) -> Post {
    try Post(reader, assigned: assigned, owner: user)
  }

  /// The time of the write is the date of a post without one.
  public static func completed(_ post: Post, at time: Timestamp) -> Post {
    var post = post
    post.date = post.date ?? time
    return post
  }

  public static func entry(
    _ reader: JSONReader, replacing current: Post
  ) throws(JSONShapeError) -> Post {
    try Post(reader, assigned: current.id, owner: current.userID)
  }
}

/// The users and posts as a value.
public typealias ProfileData = AccountData<ProfileSchema>

/// The users and posts in memory.
public typealias ProfileStore = AccountStore<ProfileSchema>
