/// A Server-Sent Event (HTML Living Standard, section 9.2) as it is sent.
struct EventBlock {
  /// The text that a client sends in `Last-Event-ID` if it connects again.
  let id: String
  /// The document; `nil` if the client holds what the `id` names: without `data` a browser takes the `id` and
  /// dispatches nothing (section 9.2.6). Canonical JSON has no line break, so it is one line, with the same
  /// bytes as in other replies.
  let data: [UInt8]?
  /// Whether this is the first block of a stream. It has the time after which a client reconnects, in
  /// milliseconds: in the block with the `id`, because some clients fail at a block that has no other field.
  let isFirst: Bool

  var bytes: [UInt8] {
    var bytes = Array("\(isFirst ? "retry: 1000\n" : "")id: \(id)\n".utf8)
    if let data { bytes += Array("data: ".utf8) + data + Array("\n".utf8) }
    return bytes + Array("\n".utf8)
  }
}
