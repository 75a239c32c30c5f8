import CanonicalJSON

/// A section's or row's id with its hash, as a key of index tables.
///
/// The hash is SipHash under Swift's key of this process, so nobody outside can choose ids that
/// collide; it must never leave the process.
struct Identifier: Hashable, Sendable {
  let text: Text
  let textHash: Int

  init(_ text: Text) {
    self.init(text, textHash: text.hashValue)
  }

  /// An id whose hash is known already.
  init(_ text: Text, textHash: Int) {
    self.text = text
    self.textHash = textHash
  }

  static func == (left: Identifier, right: Identifier) -> Bool {
    left.textHash == right.textHash && left.text == right.text
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(textHash)
  }
}
