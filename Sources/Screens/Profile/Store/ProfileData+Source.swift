extension ProfileData: SourceResources {
  typealias Failure = ProfileStoreError

  func contains(_ key: ResourceID) -> Bool { user(key) != nil }
}

extension ProfileStoreError: SourceResourcesError {
  static var unknownKey: ProfileStoreError { .unknownUser }
}

extension ProfileStore.Change: SourceChange {
  var isRemoval: Bool {
    switch self {
    case .removed: true
    case .user, .posts: false
    }
  }
}
