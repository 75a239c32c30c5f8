public import CanonicalJSON

/// What the podcasts screen loads.
public enum PodcastsSource: Text, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
  case podcasts
}
