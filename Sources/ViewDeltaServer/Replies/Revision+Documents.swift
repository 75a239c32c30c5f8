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
    whole(of: screen, .reset(reason: Text(reason.rawValue)), as: format)
  }

  /// - Parameter name: what the client calls the older revision.
  func diff(
    of screen: any ScreenInstance, from older: Revision, named name: Text,
    as format: DocumentFormat
  ) -> [UInt8] {
    let change = snapshot.difference(from: older.snapshot)
    let token = Text(token.description)
    switch format {
    case .json:
      return change.encoded(screen: screen.name, from: name, revision: token)
    case .eventStream, .firstEvent:
      return event(change.encoded(screen: screen.name, from: name, revision: token), format)
    case .jsonPatch:
      return change.encodedPatch(of: older.snapshot, from: name, revision: token)
    }
  }

  private func whole(
    of screen: any ScreenInstance, _ kind: Snapshot.DocumentKind, as format: DocumentFormat
  ) -> [UInt8] {
    let token = Text(token.description)
    switch format {
    case .json:
      return snapshot.encoded(kind: kind, screen: screen.name, revision: token)
    case .eventStream, .firstEvent:
      return event(snapshot.encoded(kind: kind, screen: screen.name, revision: token), format)
    case .jsonPatch:
      // A patch leads to the snapshot document, whatever made it necessary.
      return snapshot.encodedPatch(screen: screen.name, revision: token)
    }
  }

  /// The block that opens the stream of a client which holds what this revision shows. Without `data`
  /// a browser takes the `id` and dispatches nothing (HTML Living Standard, section 9.2.6).
  var placeEvent: [UInt8] { event(nil, .firstEvent) }

  /// A document as a Server-Sent Event. Canonical JSON has no line break, so it is one line of data,
  /// with the same bytes as anywhere else.
  ///
  /// The first block of a stream says how soon to come back after its end, in milliseconds. It does so
  /// beside the `id`, for there are clients that fail at a block which has no other field.
  private func event(_ document: [UInt8]?, _ format: DocumentFormat) -> [UInt8] {
    let retry = format == .firstEvent ? "retry: 1000\n" : ""
    var block = Array("\(retry)id: \(token)\n".utf8)
    if let document { block += Array("data: ".utf8) + document + Array("\n".utf8) }
    return block + Array("\n".utf8)
  }
}
