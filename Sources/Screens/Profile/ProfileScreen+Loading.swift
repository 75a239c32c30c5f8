public import CanonicalJSON
public import ViewState

extension ProfileScreen {
  public func start(
    _ source: ProfileSource, _ token: LoadToken, for key: Text, into inbox: Inbox<ProfileAction>
  ) -> any Cancellable {
    switch source {
    case .profile: profile.start(token, for: key, into: inbox.wrapping { .profile($0) })
    case .posts: posts.start(token, for: key, into: inbox.wrapping { .posts($0) })
    }
  }

  public func action(
    forFailed source: ProfileSource, _ token: LoadToken, _ failure: LoadFailure
  ) -> ProfileAction {
    switch source {
    case .profile: .profile(.failed(failure, token))
    case .posts: .posts(.failed(failure, token))
    }
  }

  public func subscribe(
    to key: Text, showing state: ProfileState, inbox: Inbox<ProfileAction>
  ) -> (any Cancellable)? {
    store.subscribe(to: ResourceID(named: key)) { change in
      switch change {
      case .holder(let user): inbox.post(.profile(.changed(user)))
      case .entries(let posts): inbox.post(.posts(.changed(posts)))
      case .removed: inbox.postRemoval()
      }
    }
  }
}
