public import ViewState

/// The users and posts in memory, and whoever wants to hear of their changes.
public final class ProfileStore: Sendable {
  /// What a subscriber of a user hears.
  public enum Change: Sendable {
    case user(User)
    /// Newest first.
    case posts([Post])
    case removed
  }

  let base: SourceStore<ProfileData, ProfileSource, Change>
  let now: @Sendable () -> Timestamp

  /// - Parameters:
  ///   - latency: how long a load of a source takes where no fault script says otherwise; a source
  ///     that is not named takes no time.
  ///   - now: the date that a post gets which is created without one.
  public init(
    data: ProfileData, scheduler: any Scheduler, latency: [ProfileSource: Duration] = [:],
    now: @escaping @Sendable () -> Timestamp = { Timestamp.now() }
  ) {
    base = SourceStore(data, scheduler: scheduler, latency: latency)
    self.now = now
  }

  /// Checks that there is a user of this id.
  ///
  /// - Throws: `ScreenLookupError` where there is none, or none any more.
  func lookUpUser(_ id: ResourceID) throws(ScreenLookupError) {
    try base.lookUp(id)
  }

  /// All users, in the order in which they were written.
  public var users: [User] { base.read(\.users) }

  /// The user of this id.
  public func user(_ id: ResourceID) throws(ProfileStoreError) -> Versioned<User> {
    guard let user = base.read({ $0.user(id) }) else { throw .unknownUser }
    return user
  }

  /// The posts of a user, newest first.
  public func posts(of userID: ResourceID) throws(ProfileStoreError) -> [Post] {
    guard let posts = base.read({ $0.newestPosts(of: userID) }) else { throw .unknownUser }
    return posts
  }

  /// The post of this id, where it is one of this user.
  public func post(
    _ id: ResourceID, of userID: ResourceID
  ) throws(ProfileStoreError) -> Versioned<Post> {
    try base.find { data throws(ProfileStoreError) in try data.post(id, of: userID) }
  }
}
