import CanonicalJSON

/// A section's or row's id with its hash, as a key of index tables.
///
/// Ids are equal if their UTF-8 bytes are. The hash is SipHash under Swift's key of this process,
/// so nobody outside can choose ids that collide; it must never leave the process.
struct Identifier: Hashable, Sendable {
  let text: String
  let textHash: Int

  init(_ text: String) {
    self.text = text
    var hasher = Hasher()
    // String's own hash would normalise the text first, for an equality that is not wanted here.
    // Strings that Swift makes itself are contiguous, so the copy is the exception.
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isDone == nil {
      for byte in text.utf8 { hasher.combine(byte) }
    }
    textHash = hasher.finalize()
  }

  /// An id whose hash is known already.
  init(_ text: String, textHash: Int) {
    self.text = text
    self.textHash = textHash
  }

  static func == (left: Identifier, right: Identifier) -> Bool {
    left.textHash == right.textHash && left.text.hasSameBytes(as: right.text)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(textHash)
  }
}
