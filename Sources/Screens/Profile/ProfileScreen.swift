public import CanonicalJSON
import Snapshots
public import ViewState

/// A user's profile and posts, loaded from two sources that fail and are retried on their own.
public struct ProfileScreen: ScreenMachine {
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
    profile = .profile(policy: policy)
    posts = .posts(policy: policy)
  }

  public var descriptor: ScreenDescriptor {
    ScreenDescriptor(
      name: "profile", keyName: "userID",
      summary: "A user's profile and posts, loaded from two independent sources.",
      commands: [Self.appear, profile.load, posts.load, profile.cancel, posts.cancel],
      sources: ProfileSource.allCases.map(\.rawValue), opening: Self.appear.type)
  }

  public var stateMachines: [StateMachine] { [profile.stateMachine, posts.stateMachine] }

  public var shownPart: StorePart? { .element(of: store.store) }

  public func initialState(
    for key: Text, in stores: Stores
  ) throws(ScreenLookupError) -> ProfileState {
    _ = try store.find(key, in: stores)
    return ProfileState()
  }

  public func run(
    _ command: SentCommand, on state: inout ProfileState, for key: Text,
    in transaction: inout Transaction
  ) -> [Effect<ProfileSource>] {
    let isAppear = command.type == Self.appear.type
    let posts = isAppear ? .load : posts.action(for: command)
    let profile = isAppear ? .load : profile.action(for: command)
    return (posts.map { state.posts.reduce($0, of: .posts) } ?? [])
      + (profile.map { state.profile.reduce($0, of: .profile) } ?? [])
  }

  public func follow(
    _ stores: Stores, on state: inout ProfileState, for key: Text
  ) throws(ScreenLookupError) -> [Effect<ProfileSource>] {
    let user = try store.find(key, in: stores)
    let posts = stores[store.store].entries(of: user.resource.id) ?? []
    return state.profile.reduce(.changed(user.resource), of: .profile)
      + state.posts.reduce(.changed(posts), of: .posts)
  }

  public func start(
    _ source: ProfileSource, for key: Text, in transaction: inout Transaction
  ) -> Work {
    store.start(source, for: key, in: &transaction)
  }

  public func end(
    _ source: ProfileSource, _ token: LoadToken, failing failure: inout LoadFailure?,
    on state: inout ProfileState, for key: Text, in transaction: inout Transaction
  ) -> [Effect<ProfileSource>] {
    let (data, id) = (transaction[store.store], ResourceID(named: key))
    switch source {
    case .profile:
      let user = Loadable.loaded((try? data.holder(id))?.resource).unwrap()
      return state.profile.reduce(user.end(token, &failure), of: source)
    case .posts:
      let posts = Loadable.loaded(data.entries(of: id)).unwrap()
      return state.posts.reduce(posts.end(token, &failure), of: source)
    }
  }
}
