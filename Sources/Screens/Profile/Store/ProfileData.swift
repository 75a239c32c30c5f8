import OrderedCollections

/// The users and their posts, as a value: every rule that a write must hold, without locks, time
/// or observers.
///
/// Ids of users are unique, ids of posts are unique over all users, and every post has a user.
public struct ProfileData: Sendable {
  var accounts: OrderedDictionary<ResourceID, Account> = [:]
  /// Whose each post is.
  var owners: [ResourceID: ResourceID] = [:]
  /// The ids of users deleted last, oldest first.
  var deleted: OrderedSet<ResourceID> = []
  /// The writes so far, and the size of all texts.
  var ledger = WriteLedger()
  /// The ids that come next.
  var (nextUser, nextPost) = (1, 1)
  let limits: ProfileStoreLimits

  /// A user with the posts, in the order in which they were written.
  struct Account: Sendable {
    var user: Versioned<User>
    var posts: OrderedDictionary<ResourceID, Versioned<Post>> = [:]
  }

  /// Nobody and nothing yet.
  public init(limits: ProfileStoreLimits = ProfileStoreLimits()) {
    self.limits = limits
  }
}

extension ProfileData {
  /// All users, in the order in which they were written.
  var users: [User] { accounts.values.map(\.user.resource) }

  func user(_ id: ResourceID) -> Versioned<User>? { accounts[id]?.user }

  func post(
    _ id: ResourceID, of owner: ResourceID
  ) throws(ProfileStoreError) -> Versioned<Post> {
    guard let posts = accounts[owner]?.posts else { throw .unknownUser }
    guard let post = posts[id] else { throw .unknownPost }
    return post
  }

  func isDeleted(_ userID: ResourceID) -> Bool { deleted.contains(userID) }

  /// The id that a new user gets: the least whole number above all that were in use.
  var nextUserID: ResourceID { ResourceID(nextUser) }
  /// The id that a new post gets.
  var nextPostID: ResourceID { ResourceID(nextPost) }

  /// The posts of a user, newest first: by date, then by the order of writing, and those without
  /// a date after those with one.
  ///
  /// - Complexity: O(n log n), where n is the number of the user's posts.
  func newestPosts(of userID: ResourceID) -> [Post]? {
    guard let posts = accounts[userID]?.posts else { return nil }
    return posts.values.reversed().map(\.resource).sorted { left, right in
      switch (left.date, right.date) {
      case (let left?, let right?): left > right
      case (.some, nil): true
      case (nil, _): false
      }
    }
  }
}
