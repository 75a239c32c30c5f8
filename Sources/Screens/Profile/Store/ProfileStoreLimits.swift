/// How much the profile store takes, so that its clients cannot fill the memory.
public struct ProfileStoreLimits: Hashable, Sendable {
  /// A user beyond this many is refused.
  public var users: Int
  /// A post beyond this many of one user is refused.
  public var postsPerUser: Int
  /// A user or post is refused that would take all together beyond this many bytes of text.
  public var byteCount: Int
  /// This many deleted users are remembered as deleted; older ones become unknown.
  public var deletedUsers: Int

  /// The defaults, where nothing else is said.
  public init(
    users: Int = 100_000, postsPerUser: Int = 10_000, byteCount: Int = 256 * 1024 * 1024,
    deletedUsers: Int = 10_000
  ) {
    self.users = users
    self.postsPerUser = postsPerUser
    self.byteCount = byteCount
    self.deletedUsers = deletedUsers
  }
}
