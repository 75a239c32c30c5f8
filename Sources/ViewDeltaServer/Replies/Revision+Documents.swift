import CanonicalJSON
import Snapshots
import ViewState

/// The documents of a revision, as JSON or as a JSON Patch; events carry those in JSON.
extension Revision {
  func snapshot(of screen: any ScreenInstance, as format: DocumentFormat) -> [UInt8] {
    whole(of: screen, .snapshot, as: format)
  }

  func reset(
    of screen: any ScreenInstance, reason: ResetReason, as format: DocumentFormat
  ) -> [UInt8] {
    whole(of: screen, .reset(reason: Text(reason.rawValue)), as: format)
  }

  /// The document of a diff, as it stands in the reply or in an event.
  ///
  /// - Parameter name: what the client calls the older revision.
  func diff(
    of screen: any ScreenInstance, from older: Revision, named name: Text,
    as format: DocumentFormat
  ) -> [UInt8] {
    let change = snapshot.difference(from: older.snapshot)
    let token = Text(token.description)
    return format == .jsonPatch
      ? change.encodedPatch(of: older.snapshot, from: name, revision: token)
      : change.encoded(screen: screen.name, from: name, revision: token)
  }

  private func whole(
    of screen: any ScreenInstance, _ kind: Snapshot.DocumentKind, as format: DocumentFormat
  ) -> [UInt8] {
    let token = Text(token.description)
    // A patch leads to the snapshot document, whatever made it necessary.
    return format == .jsonPatch
      ? snapshot.encodedPatch(screen: screen.name, revision: token)
      : snapshot.encoded(kind: kind, screen: screen.name, revision: token)
  }

  /// A document as it is sent, in an event if there are events. An event without a document opens the
  /// stream of a client that holds what this revision shows: without `data` a browser takes the `id`
  /// and dispatches nothing (HTML Living Standard, section 9.2.6).
  func framed(_ document: [UInt8]?, as format: DocumentFormat) -> [UInt8] {
    switch format {
    case .json, .jsonPatch: document ?? []
    case .eventStream, .firstEvent: event(document, format)
    }
  }

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
