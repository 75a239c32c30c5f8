public import CanonicalJSON
public import ViewState

extension PodcastsScreen {
  public func start(
    _ source: PodcastsSource, _ token: LoadToken, for key: Text,
    into inbox: Inbox<PodcastsAction>
  ) -> any Cancellable {
    child.start(token, for: key, into: inbox.wrapping { .podcasts($0) })
  }

  public func action(
    forFailed source: PodcastsSource, _ token: LoadToken, _ failure: LoadFailure
  ) -> PodcastsAction {
    .podcasts(.failed(failure, token))
  }

  /// Hears of writes. One that leaves the feed unreadable is no news: what was loaded stays, and
  /// the next load fails as `malformed`.
  public func subscribe(
    to key: Text, showing state: PodcastsState, inbox: Inbox<PodcastsAction>
  ) -> (any Cancellable)? {
    store.subscribe(to: state.listener.id, showing: state.listener) { change in
      switch change {
      case .holder(let listener): inbox.post(.listener(listener))
      case .entries(let feed):
        Loadable.loaded(feed).map(Podcast.list).value.map { inbox.post(.podcasts(.changed($0))) }
      case .removed: inbox.postRemoval()
      }
    }
  }
}
