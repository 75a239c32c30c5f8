import Synchronization
import ViewState

/// Every write returns once the screens that show what it changed have published it, so that
/// whoever was told of the write also sees it.
extension ProfileStore {
  /// Creates a user; `make` is given the id to use where the caller has none of its own.
  public func createUser(
    _ make: (ResourceID) throws -> User
  ) async throws -> Versioned<User> {
    try await create(make, id: \.id, assigned: \.nextUserID) { user throws(ProfileStoreError) in
      try await self.write { data throws(ProfileStoreError) in
        (try data.insert(user), user.id, [])
      }
    }
  }

  /// Puts the user in the place of the one with its id.
  ///
  /// - Parameter version: where it is given, only if the present one is of this version.
  public func replace(
    _ user: User, expecting version: Int?
  ) async throws(ProfileStoreError) -> Versioned<User> {
    try await write { data throws(ProfileStoreError) in
      (try data.replace(user, expecting: version), user.id, [.user(user)])
    }
  }

  /// Deletes a user with all posts.
  public func deleteUser(
    _ id: ResourceID, expecting version: Int?
  ) async throws(ProfileStoreError) {
    try await write { data throws(ProfileStoreError) in
      (try data.removeUser(id, expecting: version), id, [.removed])
    }
  }

  /// Creates a post, dated now where it has no date; `make` is given the id to use where the
  /// caller has none of its own.
  public func createPost(
    _ make: (ResourceID) throws -> Post
  ) async throws -> Versioned<Post> {
    try await create(make, id: \.id, assigned: \.nextPostID) { post throws(ProfileStoreError) in
      var post = post
      post.date = post.date ?? now()
      return try await self.writePosts(of: post.userID) {
        [post] data throws(ProfileStoreError) in try data.insert(post)
      }
    }
  }

  /// Puts the post in the place of the one with its id.
  public func replace(
    _ post: Post, expecting version: Int?
  ) async throws(ProfileStoreError) -> Versioned<Post> {
    try await writePosts(of: post.userID) { data throws(ProfileStoreError) in
      try data.replace(post, expecting: version)
    }
  }

  /// Deletes a post.
  ///
  /// - Parameter version: where it is given, only if the present one is of this version.
  public func deletePost(
    _ id: ResourceID, of userID: ResourceID, expecting version: Int?
  ) async throws(ProfileStoreError) {
    try await writePosts(of: userID) { data throws(ProfileStoreError) in
      try data.removePost(id, of: userID, expecting: version)
    }
  }

  /// Makes a resource with the next free id and inserts it, once more where somebody else took
  /// that id in between. Each further try means that the next id has moved, so it ends.
  private func create<Resource>(
    _ make: (ResourceID) throws -> Resource, id: (Resource) -> ResourceID,
    assigned: (ProfileData) -> ResourceID,
    insert: (Resource) async throws(ProfileStoreError) -> Versioned<Resource>
  ) async throws -> Versioned<Resource> {
    while true {
      let free = contents.withLock { assigned($0.data) }
      let resource = try make(free)
      do throws(ProfileStoreError) {
        return try await insert(resource)
      } catch {
        let isTaken = error == .duplicateID(free) && contents.withLock { assigned($0.data) } != free
        if !isTaken { throw error }
      }
    }
  }

  private func writePosts<Value: Sendable>(
    of userID: ResourceID, _ change: (inout ProfileData) throws(ProfileStoreError) -> Value
  ) async throws(ProfileStoreError) -> Value {
    try await write { data throws(ProfileStoreError) in
      let value = try change(&data)
      return (value, userID, [.posts(data.newestPosts(of: userID) ?? [])])
    }
  }

  /// Changes the data and posts the news under one lock, then waits until they are published.
  private func write<Value: Sendable>(
    _ change: (inout ProfileData) throws(ProfileStoreError) -> (Value, ResourceID, [Change])
  ) async throws(ProfileStoreError) -> Value {
    let result = contents.withLock { contents in
      Result { () throws(ProfileStoreError) in
        let (value, userID, changes) = try change(&contents.data)
        return (value, contents.tell(userID, changes))
      }
    }
    let (value, wakes) = try result.get()
    for wake in wakes { await wake.settled() }
    return value
  }
}

extension ProfileStore.Contents {
  /// Posts the changes to everybody who shows the user.
  fileprivate mutating func tell(_ userID: ResourceID, _ changes: [ProfileStore.Change]) -> [Wake] {
    var wakes: [Wake] = []
    for change in changes {
      for subscriber in (subscribers[userID] ?? [:]).values { wakes.append(subscriber(change)) }
      if case .removed = change {
        subscribers[userID] = nil
        faults[userID] = nil
      }
    }
    return wakes
  }
}
