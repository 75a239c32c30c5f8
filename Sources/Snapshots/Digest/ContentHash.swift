/// The SHA-256 of the content of a view model: of the canonical JSON of
/// `{"sections":…,"states":…}`.
///
/// Equal content has the same hash in every process and every run. Unlike for a ``Digest``, it is
/// not feasible to find two contents with the same hash, so the hash proves which content a client
/// has if its revision is unknown.
///
///     let text = ContentHash(of: snapshot).description  // 43 characters
///     ContentHash(text) == ContentHash(of: snapshot)  // true
public struct ContentHash: Hashable, Sendable {
  private let bytes: [UInt8]
  /// The number of characters of the text form.
  private static let length = 43
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// Computes the hash of the content of a snapshot.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes of the content.
  public init(of snapshot: Snapshot) {
    // Piece by piece: the JSON of a long view model is never in memory as a whole.
    var hash = SHA256()
    let comma = [UInt8(ascii: ",")]
    hash.update(Array("{\"sections\":[".utf8))
    for (index, section) in snapshot.sections.enumerated() {
      if index > 0 { hash.update(comma) }
      hash.update(section.encodedHead)
      for (index, row) in section.rows.enumerated() {
        if index > 0 { hash.update(comma) }
        hash.update(row.encoded)
      }
      hash.update(section.encodedTail)
    }
    hash.update(Array("],\"states\":".utf8))
    hash.update(snapshot.sourceStates.encoded)
    hash.update([UInt8(ascii: "}")])
    bytes = hash.finalize()
  }
}

extension ContentHash: LosslessStringConvertible {
  /// Parses the text form, base64url without padding (RFC 4648 §5). Returns `nil` for any other
  /// text.
  public init?(_ text: String) {
    guard text.utf8.count == Self.length else { return nil }
    var bytes: [UInt8] = []
    var (bits, count): (UInt32, Int) = (0, 0)
    for character in text.utf8 {
      guard let value = Self.alphabet.firstIndex(of: character) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    // The two bits behind the last byte.
    guard bits & 0b11 == 0 else { return nil }
    self.bytes = bytes
  }

  /// The text form, base64url without padding (RFC 4648 §5).
  public var description: String {
    var text: [UInt8] = []
    var (bits, count): (UInt32, Int) = (0, 0)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        text.append(Self.alphabet[Int(bits >> UInt32(count)) & 63])
      }
    }
    text.append(Self.alphabet[Int(bits << UInt32(6 - count)) & 63])
    return String(decoding: text, as: UTF8.self)
  }
}
