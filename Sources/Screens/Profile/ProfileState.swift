public import Snapshots
public import ViewState

/// What the profile screen knows: its two halves, each in a state of its own.
public struct ProfileState: Codable, Equatable, Sendable {
  /// The user.
  public var profile: LoadState<User>
  /// Newest first.
  public var posts: LoadState<KeyedSequence<Post>>

  /// Two halves that nobody has asked for, unless told otherwise.
  public init(
    profile: LoadState<User> = LoadState(), posts: LoadState<KeyedSequence<Post>> = LoadState()
  ) {
    self.profile = profile
    self.posts = posts
  }
}
