/// Why a write was not done. Nothing has changed.
public enum PodcastStoreError: Error, Hashable, Sendable {
  case unknownListener
  case unknownPodcast
  /// The listener has no feed yet: not even an empty one.
  case missingFeed
  /// There is a resource with this id already.
  case duplicateID(ResourceID)
  /// The resource is not of the version that the caller had read.
  case changedMeanwhile
  /// The store holds as many as it may.
  case full
}
