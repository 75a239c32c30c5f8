import CanonicalJSON
import Snapshots
import ViewState

/// The documents of a revision, in every format.
extension Revision {
  func snapshot(of screen: any ScreenInstance, as format: DocumentFormat) -> [UInt8] {
    whole(of: screen, .snapshot, as: format)
  }

  func reset(
    of screen: any ScreenInstance, reason: ResetReason, as format: DocumentFormat
  ) -> [UInt8] {
    whole(of: screen, .reset(reason: reason.rawValue), as: format)
  }

  /// - Parameter name: what the client calls the older revision.
  func diff(
    of screen: any ScreenInstance, from older: Revision, named name: String,
    as format: DocumentFormat
  ) -> [UInt8] {
    let change = snapshot.difference(from: older.snapshot)
    let token = token.description
    switch format {
    case .json:
      return change.encoded(screen: screen.name, from: name, revision: token)
    case .eventStream:
      return event(change.encoded(screen: screen.name, from: name, revision: token))
    case .jsonPatch:
      return change.encodedPatch(of: older.snapshot, from: name, revision: token)
    }
  }

  private func whole(
    of screen: any ScreenInstance, _ kind: Snapshot.DocumentKind, as format: DocumentFormat
  ) -> [UInt8] {
    let token = token.description
    switch format {
    case .json:
      return snapshot.encoded(kind: kind, screen: screen.name, revision: token)
    case .eventStream:
      return event(snapshot.encoded(kind: kind, screen: screen.name, revision: token))
    case .jsonPatch:
      // A patch leads to the snapshot document, whatever made it necessary.
      return snapshot.encodedPatch(screen: screen.name, revision: token)
    }
  }

  /// A document as a Server-Sent Event (HTML Living Standard, section 9.2.5). Canonical JSON has no
  /// line break, so it is one line of data, with the same bytes as anywhere else.
  private func event(_ document: [UInt8]) -> [UInt8] {
    Array("id: \(token)\ndata: ".utf8) + document + Array("\n\n".utf8)
  }
}
