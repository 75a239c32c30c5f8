import CanonicalJSON
public import Snapshots
public import ViewState

extension PodcastsScreen {
  public func assemble(
    _ state: PodcastsState, rows: inout RowCache
  ) throws(SnapshotError) -> Snapshot {
    let child = child(state.policy)
    return try Snapshot(
      states: [child.source: Text(state.podcasts.loadable.stateName)], reusing: rows.snapshot
    ) {
      Section(id: "podcasts") {
        rows.podcastsHeader(PodcastsHeader(listener: state.listener.name, policy: state.policy))
        child.rows(state.podcasts, &rows)
      }
    }
  }
}
