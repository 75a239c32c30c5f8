extension ProfileStore {
  /// The rest of a source's fault script; `nil` where it has none.
  public func faultScript(
    _ source: ProfileSource, of userID: ResourceID
  ) throws(ProfileStoreError) -> FaultScript? {
    try base.faultScript(source, of: userID)
  }

  /// Lets a source of a user behave by a script from its next load on; `nil` ends that.
  public func setFaultScript(
    _ script: FaultScript?, for source: ProfileSource, of userID: ResourceID
  ) throws(ProfileStoreError) {
    try base.setFaultScript(script, for: source, of: userID)
  }
}
