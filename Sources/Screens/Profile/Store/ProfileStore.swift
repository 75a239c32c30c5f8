import Synchronization
public import ViewState

/// The users and posts in memory, and whoever wants to hear of their changes.
///
/// One lock orders everything: a write, the news of it to the screens that show it, and the value
/// that a load brings. So a screen that has heard of a write can never be handed an older value by
/// a load that had read before. Nothing but the bookkeeping runs under the lock.
public final class ProfileStore: Sendable {
  /// What a subscriber of a user hears.
  public enum Change: Sendable {
    case user(User)
    /// Newest first.
    case posts([Post])
    case removed
  }

  typealias Subscriber = @Sendable (Change) -> Wake

  struct Contents: Sendable {
    var data: ProfileData
    var subscribers: [ResourceID: [Int: Subscriber]] = [:]
    var nextSubscriber = 0
    var faults: [ResourceID: [ProfileSource: FaultScript]] = [:]
  }

  let contents: Mutex<Contents>
  let scheduler: any Scheduler
  let latency: [ProfileSource: Duration]
  let now: @Sendable () -> Timestamp

  /// - Parameters:
  ///   - latency: how long a load of a source takes where no fault script says otherwise; a source
  ///     that is not named takes no time.
  ///   - now: the date that a post gets which is created without one.
  public init(
    data: ProfileData, scheduler: any Scheduler, latency: [ProfileSource: Duration] = [:],
    now: @escaping @Sendable () -> Timestamp = { Timestamp.now() }
  ) {
    contents = Mutex(Contents(data: data))
    self.scheduler = scheduler
    self.latency = latency
    self.now = now
  }

  /// Checks that there is a user of this id.
  ///
  /// - Throws: `ScreenLookupError` where there is none, or none any more.
  func lookUpUser(_ id: ResourceID) throws(ScreenLookupError) {
    let (isKnown, isDeleted) = contents.withLock { contents in
      (contents.data.user(id) != nil, contents.data.isDeleted(id))
    }
    if !isKnown { throw isDeleted ? .deletedKey : .unknownKey }
  }

  /// All users, in the order in which they were written.
  public var users: [User] {
    contents.withLock { $0.data.users }
  }

  /// The user of this id.
  public func user(_ id: ResourceID) throws(ProfileStoreError) -> Versioned<User> {
    guard let user = contents.withLock({ $0.data.user(id) }) else { throw .unknownUser }
    return user
  }

  /// The posts of a user, newest first.
  public func posts(of userID: ResourceID) throws(ProfileStoreError) -> [Post] {
    guard let posts = contents.withLock({ $0.data.newestPosts(of: userID) }) else {
      throw .unknownUser
    }
    return posts
  }

  /// The post of this id, where it is one of this user.
  public func post(
    _ id: ResourceID, of userID: ResourceID
  ) throws(ProfileStoreError) -> Versioned<Post> {
    let result = contents.withLock { contents in
      Result { () throws(ProfileStoreError) in try contents.data.post(id, of: userID) }
    }
    return try result.get()
  }
}
