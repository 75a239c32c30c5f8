import CanonicalJSON
import ViewState

/// What the header of the podcasts is made from.
struct PodcastsHeader: Equatable, Sendable {
  let listener: Text
  let policy: RefreshPolicy
}
