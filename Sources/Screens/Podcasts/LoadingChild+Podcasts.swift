import CanonicalJSON
import Snapshots
import ViewState

extension LoadingChild where Value == KeyedSequence<Podcast> {
  /// The podcasts of the listener that a screen's key names: what is going on, and the podcasts
  /// there are to show.
  static func podcasts(policy: RefreshPolicy) -> LoadingChild {
    LoadingChild(
      source: PodcastsSource.podcasts.rawValue,
      load: CommandDescriptor(
        type: "load", summary: "Loads the podcasts, or loads them again. Ignored while loading."),
      cancel: CommandDescriptor(
        type: "cancel", summary: "Calls the running load off. Ignored where none runs."),
      policy: policy,
      look: LoadingLook(
        error: (type: "contentError", text: "Couldn't load podcasts."),
        placeholder: { isLoading, rows in
          if isLoading { rows.podcastsLoading() }
        },
        content: { podcasts, isLoading, rows in
          if isLoading { rows.podcastsLoading() }
          if podcasts.isEmpty { rows.podcastsEmpty() }
          ForEach(podcasts, row: \.row)
        }),
      sample: [])
  }
}
