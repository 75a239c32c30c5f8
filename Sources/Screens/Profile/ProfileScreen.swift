public import CanonicalJSON
import Snapshots
public import ViewState

/// A user's profile and posts, loaded from two sources that fail and are retried on their own.
public struct ProfileScreen: Screen {
  let store: ProfileStore
  let profile: LoadingChild<User>
  let posts: LoadingChild<KeyedSequence<Post>>

  /// The one command that is not of one half.
  private static let appear = CommandDescriptor(
    type: "appear",
    summary: "The screen comes into view: loads the posts, then the profile, each time.")

  /// - Parameters:
  ///   - store: where users and posts come from.
  ///   - policy: what stays on the screen while a half is loaded again.
  public init(store: ProfileStore, policy: RefreshPolicy = .keepPrevious) {
    self.store = store
    profile = .profile(of: store, policy: policy)
    posts = .posts(of: store, policy: policy)
  }

  public var descriptor: ScreenDescriptor {
    ScreenDescriptor(
      name: "profile", keyName: "userID",
      summary: "A user's profile and posts, loaded from two independent sources.",
      commands: [Self.appear, profile.load, posts.load, profile.cancel, posts.cancel],
      sources: ProfileSource.allCases.map(\.rawValue), opening: Self.appear.type)
  }

  public var stateMachines: [StateMachine] { [profile.stateMachine, posts.stateMachine] }

  public func initialState(for key: Text) throws(ScreenLookupError) -> ProfileState {
    try store.lookUp(ResourceID(named: key))
    return ProfileState()
  }

  public func plan(
    _ command: Command, in state: ProfileState
  ) throws(CommandRefusal) -> CommandPlan<ProfileAction> {
    if command.type == Self.appear.type { return .steps([.posts(.load), .profile(.load)]) }
    return .steps(
      [
        profile.action(for: command).map(ProfileAction.profile),
        posts.action(for: command).map(ProfileAction.posts),
      ].compactMap(\.self))
  }

  public func reduce(
    _ state: inout ProfileState, _ action: ProfileAction
  ) -> [Effect<ProfileSource>] {
    switch action {
    case .profile(let action): state.profile.reduce(action, of: .profile)
    case .posts(let action): state.posts.reduce(action, of: .posts)
    }
  }

  public func cause(of action: ProfileAction) -> RevisionCause {
    switch action {
    case .profile(let action): profile.cause(of: action)
    case .posts(let action): posts.cause(of: action)
    }
  }
}
