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
      ],
      sections: [
        Section(id: "profile", rows: profileRows(state.profile.loadable, &rows)),
        Section(id: "posts", rows: postsRows(state.posts.loadable, &rows)),
      ])
  }

  /// The rows of the first half: a header in every state but a failure with nothing to show.
  private func profileRows(_ profile: Loadable<User>, _ rows: inout RowCache) -> [Row] {
    let user = profile.shown(under: policy)
    switch profile {
    case .notRequested:
      return [rows.profileHeader(ProfileHeader(user: nil, isLoading: false))]
    case .isLoading:
      return [rows.profileHeader(ProfileHeader(user: user, isLoading: true))]
        + rows.attributes(of: user)
    case .loaded:
      return [rows.profileHeader(ProfileHeader(user: user, isLoading: false))]
        + rows.attributes(of: user)
    case .failed(let failure, _):
      let error = rows.profileError(failure)
      guard let user else { return [error] }
      return [error, rows.profileHeader(ProfileHeader(user: user, isLoading: false))]
        + rows.attributes(of: user)
    }
  }

  /// The rows of the second half: the header, what is going on, and the posts there are to show.
  private func postsRows(_ posts: Loadable<[Post]>, _ rows: inout RowCache) -> [Row] {
    let header = rows.contentHeader()
    let content = posts.shown(under: policy).map { rows.content($0) } ?? []
    switch posts {
    case .notRequested: return [header]
    case .isLoading: return [header, rows.contentLoading()] + content
    case .loaded: return [header] + content
    case .failed(let failure, _): return [header, rows.contentError(failure)] + content
    }
  }
}
