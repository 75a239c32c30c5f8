public import CanonicalJSON
import ViewState

extension ProfileData {
  /// Reads a json-server file: an object with the arrays `users` and `posts`. A missing one is empty.
  ///
  /// Unknown members are ignored.
  ///
  /// - Throws: `JSONShapeError` at the first fault: a member of the wrong type, an
  ///   id used twice, a post of a user who is not there, more than the limits allow.
  public init(
    _ reader: JSONReader, limits: AccountLimits = ProfileSchema.limits
  ) throws(JSONShapeError) {
    self.init(limits: limits)
    for element in try reader.nullableMember("users")?.elements() ?? [] {
      let user = try User(element)
      try element.storing { () throws(Failure) in _ = try insert(user) }
    }
    var filling = AccountFilling<ProfileSchema>()
    for element in try reader.nullableMember("posts")?.elements() ?? [] {
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
