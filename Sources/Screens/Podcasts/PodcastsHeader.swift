import ViewState

/// What the header of the podcasts is made from.
struct PodcastsHeader: Equatable, Sendable {
  let listener: String
  let policy: RefreshPolicy
}
