/// What the podcasts screen loads.
public enum PodcastsSource: String, CaseIterable, Sendable {
  case podcasts
}
