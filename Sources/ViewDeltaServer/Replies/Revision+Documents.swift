import Snapshots
import ViewState

/// The wire documents of a revision.
extension Revision {
  func snapshot(of screen: any ScreenInstance) -> [UInt8] {
    snapshot.encoded(kind: .snapshot, screen: screen.name, revision: token.description)
  }

  func reset(of screen: any ScreenInstance, reason: ResetReason) -> [UInt8] {
    snapshot.encoded(
      kind: .reset(reason: reason.rawValue), screen: screen.name, revision: token.description)
  }

  /// - Parameter name: what the client calls the older revision.
  func diff(of screen: any ScreenInstance, from older: Revision, named name: String) -> [UInt8] {
    snapshot.difference(from: older.snapshot)
      .encoded(screen: screen.name, from: name, revision: token.description)
  }
}
