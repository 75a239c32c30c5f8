import Synchronization

extension ProfileStore {
  /// The rest of a source's fault script; `nil` where it has none.
  public func faultScript(
    _ source: ProfileSource, of userID: ResourceID
  ) throws(ProfileStoreError) -> FaultScript? {
    let found = contents.withLock { contents in
      contents.data.user(userID).map { _ in contents.faults[userID]?[source] }
    }
    guard let found else { throw .unknownUser }
    return found
  }

  /// Lets a source of a user behave by a script from its next load on; `nil` ends that.
  public func setFaultScript(
    _ script: FaultScript?, for source: ProfileSource, of userID: ResourceID
  ) throws(ProfileStoreError) {
    let isKnown = contents.withLock { contents in
      guard contents.data.user(userID) != nil else { return false }
      contents.faults[userID, default: [:]][source] = script
      return true
    }
    guard isKnown else { throw .unknownUser }
  }
}
