import CanonicalJSON
public import ViewState

/// A user's profile and posts, loaded from two sources that fail and are retried on their own.
public struct ProfileScreen: Screen {
  let store: ProfileStore
  let policy: RefreshPolicy

  /// - Parameters:
  ///   - store: where users and posts come from.
  ///   - policy: what stays on the screen while a half is loaded again.
  public init(store: ProfileStore, policy: RefreshPolicy = .keepPrevious) {
    self.store = store
    self.policy = policy
  }

  public var descriptor: ScreenDescriptor {
    ScreenDescriptor(
      name: "profile", keyName: "userID",
      summary: "A user's profile and posts, loaded from two independent sources.",
      commands: ProfileCommand.allCases.map(\.descriptor),
      sources: ProfileSource.allCases.map(\.rawValue))
  }

  public func presence(of key: String) -> KeyPresence {
    store.presence(ofUser: ResourceID(named: key))
  }

  public func initialState(for key: String) -> ProfileState {
    ProfileState()
  }

  public func actions(for command: Command) throws(CommandRefusal) -> [ProfileAction] {
    guard let known = ProfileCommand(rawValue: command.type) else {
      throw CommandRefusal(
        pointer: command.body.pointer.appending("type"),
        message: "the profile screen has no command of this name")
    }
    try command.allowOnly([])
    return known.actions
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
    case .profile(let action):
      action.cause(
        source: .profile, load: ProfileCommand.loadProfile, cancel: ProfileCommand.cancelProfile)
    case .posts(let action):
      action.cause(
        source: .posts, load: ProfileCommand.loadPosts, cancel: ProfileCommand.cancelPosts)
    }
  }
}

extension LoadAction {
  /// The command, result or write that the action stands for.
  fileprivate func cause(
    source: ProfileSource, load: ProfileCommand, cancel: ProfileCommand
  ) -> RevisionCause {
    switch self {
    case .load: .command(load.rawValue)
    case .cancel: .command(cancel.rawValue)
    case .loaded: .loaded(source: source.rawValue)
    case .failed(let failure, _): .failed(source: source.rawValue, code: failure.code)
    case .changed: .storeWrite(source: source.rawValue)
    }
  }
}
