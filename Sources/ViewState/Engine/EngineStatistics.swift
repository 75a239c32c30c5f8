import Synchronization

/// The numbers of an engine at one moment, for those who operate it.
package struct EngineStatistics: Sendable {
  /// The position of the last input.
  package let position: Int
  /// The memory of the states that inputs have given to view models, in bytes, estimated.
  package let stateByteCount: Int
  /// The number of incidents of each kind in this run of the process.
  package let incidents: [ScreenIncident.Kind.Name: Int]
  /// Whether the inputs are recorded.
  package let hasJournal: Bool
  /// The position of the newest checkpoint of the journal that this process knows; `nil` if there is none.
  package let checkpoint: Int?
  /// The space that the journal takes on the disks of this machine, in bytes; `nil` if it is not known.
  package let journalByteCount: Int?
}

extension Engine {
  /// The numbers of now. Reading them does not wait for an input that is being applied, which may never end.
  package var statistics: EngineStatistics {
    EngineStatistics(
      position: appliedPosition.load(ordering: .acquiring),
      stateByteCount: stateByteCount.load(ordering: .relaxed), incidents: incidents.totals,
      hasJournal: recorder != nil, checkpoint: recorder?.checkpoints.newest,
      journalByteCount: recorder?.journal.diskByteCount)
  }
}
