import OrderedCollections

/// Each write is done whole or, where it throws, not at all.
extension ProfileData {
  mutating func insert(_ user: User) throws(ProfileStoreError) -> Versioned<User> {
    guard accounts[user.id] == nil else { throw .duplicateID(user.id) }
    guard accounts.count < limits.users else { throw .full }
    let versioned = try take(user, inPlaceOf: nil)
    accounts[user.id] = Account(user: versioned)
    deleted.remove(user.id)
    nextUser = user.id.following(nextUser)
    return versioned
  }

  mutating func replace(
    _ user: User, expecting version: Int?
  ) throws(ProfileStoreError) -> Versioned<User> {
    guard let current = self.user(user.id) else { throw .unknownUser }
    try expect(version, current.version)
    let versioned = try take(user, inPlaceOf: current.resource)
    accounts[user.id]?.user = versioned
    return versioned
  }

  /// Removes a user together with the posts.
  mutating func removeUser(
    _ id: ResourceID, expecting version: Int?
  ) throws(ProfileStoreError) {
    guard let account = accounts[id] else { throw .unknownUser }
    try expect(version, account.user.version)
    for (post, value) in account.posts {
      owners[post] = nil
      ledger.release(value.resource)
    }
    ledger.release(account.user.resource)
    accounts[id] = nil
    deleted.append(id)
    if deleted.count > limits.deletedUsers { deleted.removeFirst() }
  }

  mutating func insert(_ post: Post) throws(ProfileStoreError) -> Versioned<Post> {
    guard let count = accounts[post.userID]?.posts.count else { throw .unknownUser }
    guard owners[post.id] == nil else { throw .duplicateID(post.id) }
    guard count < limits.postsPerUser else { throw .full }
    let versioned = try take(post, inPlaceOf: nil)
    accounts[post.userID]?.posts[post.id] = versioned
    owners[post.id] = post.userID
    nextPost = post.id.following(nextPost)
    return versioned
  }

  mutating func replace(
    _ post: Post, expecting version: Int?
  ) throws(ProfileStoreError) -> Versioned<Post> {
    let current = try self.post(post.id, of: post.userID)
    try expect(version, current.version)
    let versioned = try take(post, inPlaceOf: current.resource)
    accounts[post.userID]?.posts[post.id] = versioned
    return versioned
  }

  mutating func removePost(
    _ id: ResourceID, of owner: ResourceID, expecting version: Int?
  ) throws(ProfileStoreError) {
    let current = try post(id, of: owner)
    try expect(version, current.version)
    ledger.release(current.resource)
    accounts[owner]?.posts[id] = nil
    owners[id] = nil
  }

  /// Makes room for a resource and gives it the next version.
  private mutating func take<Resource: SizedResource & Sendable>(
    _ resource: Resource, inPlaceOf old: Resource?
  ) throws(ProfileStoreError) -> Versioned<Resource> {
    guard let versioned = ledger.take(resource, inPlaceOf: old, limit: limits.byteCount) else {
      throw .full
    }
    return versioned
  }

  private func expect(_ expected: Int?, _ current: Int) throws(ProfileStoreError) {
    if let expected, expected != current { throw .changedMeanwhile }
  }
}
