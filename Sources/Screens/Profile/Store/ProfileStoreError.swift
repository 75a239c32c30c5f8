/// Why a write was not done. Nothing has changed.
public enum ProfileStoreError: Error, Hashable, Sendable {
  case unknownUser
  case unknownPost
  /// There is a resource with this id already.
  case duplicateID(ResourceID)
  /// The resource is not of the version that the caller had read.
  case changedMeanwhile
  /// The store holds as many as it may.
  case full
}
