public import Snapshots
public import ViewState

extension ProfileScreen {
  public func assemble(
    _ state: ProfileState, rows: inout RowCache
  ) throws(SnapshotError) -> Snapshot {
    try Snapshot(
      states: [
        ProfileSource.posts.rawValue: state.posts.loadable.stateName,
        ProfileSource.profile.rawValue: state.profile.loadable.stateName,
      ], reusing: rows.snapshot
    ) {
      Section(id: "profile", rows: profileRows(state.profile.loadable, &rows))
      Section(id: "posts", rows: postsRows(state.posts.loadable, &rows))
    }
  }

  /// The rows of the first half: a header in every state but a failure with nothing to show.
  @ListBuilder<Row>
  private func profileRows(_ profile: Loadable<User>, _ rows: inout RowCache) -> [Row] {
    let user = profile.shown(under: policy)
    switch profile {
    case .notRequested:
      rows.profileHeader(ProfileHeader(user: nil, isLoading: false))
    case .isLoading:
      rows.profileHeader(ProfileHeader(user: user, isLoading: true))
      rows.attributes(of: user)
    case .loaded:
      rows.profileHeader(ProfileHeader(user: user, isLoading: false))
      rows.attributes(of: user)
    case .failed(let failure, _):
      rows.profileError(failure)
      if let user {
        rows.profileHeader(ProfileHeader(user: user, isLoading: false))
        rows.attributes(of: user)
      }
    }
  }

  /// The rows of the second half: the header, what is going on, and the posts there are to show.
  @ListBuilder<Row>
  private func postsRows(_ posts: Loadable<[Post]>, _ rows: inout RowCache) -> [Row] {
    rows.contentHeader()
    switch posts {
    case .isLoading: rows.contentLoading()
    case .failed(let failure, _): rows.contentError(failure)
    case .notRequested, .loaded: [Row]()
    }
    if let shown = posts.shown(under: policy) { rows.content(shown) }
  }
}
