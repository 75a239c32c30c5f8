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

  public static var name: Text { "profiles" }
  public static var holdersName: Text { "profile" }
  public static var entriesName: Text { "posts" }

  public static var missingHolder: MissingElement { MissingElement("user") }
  public static var missingEntry: MissingElement { MissingElement("post", of: "user") }
  public static var missingEntries: MissingElement? { nil }
  public static var hasUniqueEntries: Bool { true }

  public static var limits: AccountLimits {
    AccountLimits(
      accounts: 100_000, entriesPerAccount: 10_000, byteCount: 256 * 1024 * 1024)
  }

  /// Orders posts by date, the newest first, then the one created last; those without a date come last.
  public static func precedes(_ left: WrittenEntry<Post>, _ right: WrittenEntry<Post>) -> Bool {
    switch (left.resource.date, right.resource.date) {
    case (let date?, let other?) where date != other: date > other
    case (.some, nil): true
    case (nil, .some): false
    default: left.created > right.created
    }
  }

  public static func entry(
    _ reader: JSONReader, assigned: ResourceID, of user: ResourceID
  ) throws(JSONShapeError) -> Post {
    try Post(reader, assigned: assigned, owner: user)
  }

  /// Dates a post without a date with the time of the write.
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

/// The users and posts.
public typealias ProfileData = AccountData<ProfileSchema>

/// The users and posts in memory.
public typealias ProfileStore = AccountStore<ProfileSchema>

extension ProfileData {
  /// Reads a json-server file: an object with the arrays `users` and `posts`. A missing one is empty.
  ///
  /// Unknown members are ignored.
  ///
  /// - Throws: `JSONShapeError` for an invalid element, an id that is used twice, a post of a missing user,
  ///   and more than the limits allow.
  public init(
    _ file: JSONReader, limits: AccountLimits = ProfileSchema.limits
  ) throws(JSONShapeError) {
    self.init(limits: limits)
    for element in try file.nullableMember("users")?.elements() ?? [] {
      let user = try User(element)
      try element.storing { () throws(Failure) in _ = try insert(user) }
    }
    var filling = AccountFilling<ProfileSchema>()
    for element in try file.nullableMember("posts")?.elements() ?? [] {
      let post = try Post(element)
      guard contains(post.userID) else {
        throw JSONShapeError(
          pointer: element.pointer.appending("userId"), message: "there is no user of this id")
      }
      try element.storing { () throws(Failure) in
        try filling.add(post, of: post.userID, to: &self)
      }
    }
    filling.end(in: &self)
  }
}
