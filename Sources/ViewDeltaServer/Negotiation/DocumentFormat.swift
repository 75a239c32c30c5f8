/// The formats in which a change can be asked for.
enum DocumentFormat: Hashable, Sendable, CaseIterable {
  /// The documents of the contract: snapshot, diff and reset.
  case json
  /// The same change as a patch of the snapshot document (RFC 6902).
  case jsonPatch
  /// The documents of the contract as Server-Sent Events.
  case eventStream
  /// The same in the block that opens a stream. It names the revision that the client holds from then
  /// on even if there is no document for it.
  case firstEvent

  /// The two halves of the media type.
  var mediaType: (type: Substring, subtype: Substring) {
    switch self {
    case .json: ("application", "json")
    case .jsonPatch: ("application", "json-patch+json")
    case .eventStream, .firstEvent: ("text", "event-stream")
    }
  }

  /// The value of Content-Type.
  var contentType: String { "\(mediaType.type)/\(mediaType.subtype)" }
}
