import Synchronization

extension SourceStore {
  /// The rest of a source's fault script; `nil` where it has none.
  func faultScript(_ source: Source, of key: ResourceID) throws(Failure) -> FaultScript? {
    let (isKnown, script) = contents.withLock { contents in
      (contents.resources.contains(key), contents.faults[key]?[source])
    }
    guard isKnown else { throw Failure.missing(Resources.missingKey) }
    return script
  }

  /// Lets a source of a key behave by a script from its next load on; `nil` ends that.
  func setFaultScript(
    _ script: FaultScript?, for source: Source, of key: ResourceID
  ) throws(Failure) {
    let isKnown = contents.withLock { contents in
      guard contents.resources.contains(key) else { return false }
      contents.faults[key, default: [:]][source] = script
      return true
    }
    guard isKnown else { throw Failure.missing(Resources.missingKey) }
  }
}
