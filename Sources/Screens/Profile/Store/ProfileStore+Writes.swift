/// Every write returns once the screens that show what it changed have published it, so that
/// whoever was told of the write also sees it.
extension ProfileStore {
  /// Creates a user; `make` is given the id to use where the caller has none of its own.
  public func createUser(
    _ make: (ResourceID) throws -> User
  ) async throws -> Versioned<User> {
    try await base.create(make, assigned: \.nextUserID) { user throws(ProfileStoreError) in
      try await base.write { data throws(ProfileStoreError) in
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
    try await base.write { data throws(ProfileStoreError) in
      (try data.replace(user, expecting: version), user.id, [.user(user)])
    }
  }

  /// Deletes a user with all posts.
  public func deleteUser(
    _ id: ResourceID, expecting version: Int?
  ) async throws(ProfileStoreError) {
    try await base.write { data throws(ProfileStoreError) in
      (try data.removeUser(id, expecting: version), id, [.removed])
    }
  }

  /// Creates a post, dated now where it has no date; `make` is given the id to use where the
  /// caller has none of its own.
  public func createPost(
    _ make: (ResourceID) throws -> Post
  ) async throws -> Versioned<Post> {
    try await base.create(make, assigned: \.nextPostID) { post throws(ProfileStoreError) in
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

  private func writePosts<Value: Sendable>(
    of userID: ResourceID, _ change: (inout ProfileData) throws(ProfileStoreError) -> Value
  ) async throws(ProfileStoreError) -> Value {
    try await base.write { data throws(ProfileStoreError) in
      let value = try change(&data)
      return (value, userID, [.posts(data.newestPosts(of: userID) ?? [])])
    }
  }
}
