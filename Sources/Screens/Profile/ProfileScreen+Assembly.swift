import CanonicalJSON
public import Snapshots
public import ViewState

extension ProfileScreen {
  public func assemble(
    _ state: ProfileState, rows: inout RowCache
  ) throws(SnapshotError) -> Snapshot {
    try Snapshot(
      states: [
        posts.source: Text(state.posts.loadable.stateName),
        profile.source: Text(state.profile.loadable.stateName),
      ], reusing: rows.snapshot
    ) {
      rows.section("profile", profile.rows(state.profile, &rows))
      rows.section("posts", posts.rows(state.posts, &rows))
    }
  }
}
