import ViewState

/// The entity tags of the store's resources: the number of the write that made a resource as it
/// is, bound to this run, so that a tag of another run matches nothing.
struct ResourceTags: Sendable {
  private let epoch: RevisionEpoch

  init(epoch: RevisionEpoch) {
    self.epoch = epoch
  }

  func tag(of version: Int) -> EntityTag { EntityTag("\(epoch)-\(version)") }
}
