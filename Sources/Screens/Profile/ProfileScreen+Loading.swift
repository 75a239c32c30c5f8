public import ViewState

extension ProfileScreen {
  public func startLoad(
    _ source: ProfileSource, _ token: LoadToken, for key: String, into inbox: Inbox<ProfileAction>
  ) -> any Cancellable {
    switch source {
    case .profile:
      store.loadUser(ResourceID(named: key)) { result in
        switch result {
        case .success(let user): inbox.post(.profile(.loaded(user, token)))
        case .failure(let failure): inbox.post(.profile(.failed(failure, token)))
        }
      }
    case .posts:
      store.loadPosts(of: ResourceID(named: key)) { result in
        switch result {
        case .success(let posts): inbox.post(.posts(.loaded(posts, token)))
        case .failure(let failure): inbox.post(.posts(.failed(failure, token)))
        }
      }
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

  public func subscribe(to key: String, inbox: Inbox<ProfileAction>) -> (any Cancellable)? {
    store.subscribe(toUser: ResourceID(named: key)) { change in
      switch change {
      case .user(let user): inbox.post(.profile(.changed(user)))
      case .posts(let posts): inbox.post(.posts(.changed(posts)))
      case .removed: inbox.postRemoval()
      }
    }
  }
}
