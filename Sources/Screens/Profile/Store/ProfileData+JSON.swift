public import CanonicalJSON

extension ProfileData {
  /// Reads a json-server file: an object with the arrays `users` and `posts`.
  ///
  /// Unknown members are ignored.
  ///
  /// - Throws: `JSONShapeError` at the first fault: a missing array, a member of the wrong type, an
  ///   id used twice, a post of a user who is not there, more than the limits allow.
  public init(
    _ reader: JSONReader, limits: ProfileStoreLimits = ProfileStoreLimits()
  ) throws(JSONShapeError) {
    self.init(limits: limits)
    for element in try reader.member("users").elements() {
      try load(User(element), from: element) { data, user throws(ProfileStoreError) in
        _ = try data.insert(user)
      }
    }
    for element in try reader.member("posts").elements() {
      try load(Post(element), from: element) { data, post throws(ProfileStoreError) in
        _ = try data.insert(post)
      }
    }
  }

  private mutating func load<Resource>(
    _ resource: Resource, from reader: JSONReader,
    insert: (inout ProfileData, Resource) throws(ProfileStoreError) -> Void
  ) throws(JSONShapeError) {
    do {
      try insert(&self, resource)
    } catch {
      switch error {
      case .duplicateID(let id):
        throw JSONShapeError(
          pointer: reader.pointer.appending("id"), message: "the id \(id) is used twice")
      case .unknownUser:
        throw JSONShapeError(
          pointer: reader.pointer.appending("userId"), message: "there is no user of this id")
      case .full:
        throw JSONShapeError(pointer: reader.pointer, message: "this is more than the store takes")
      case .unknownPost, .changedMeanwhile:
        preconditionFailure("an insert into a fresh store does not look anything else up")
      }
    }
  }
}
