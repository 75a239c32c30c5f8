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
      rows.section("podcasts", parts(state, of: child, &rows))
    }
  }

  @ListBuilder<RowPart>
  private func parts(
    _ state: PodcastsState, of child: LoadingChild<KeyedSequence<Podcast>>, _ rows: inout RowCache
  ) -> [RowPart] {
    rows.podcastsHeader(PodcastsHeader(listener: state.listener.name, policy: state.policy))
    child.rows(state.podcasts, &rows)
  }
}
