import CanonicalJSON

/// The SHA-256 of a view model's content: of the canonical JSON of `{"sections":…,"states":…}`.
///
/// Equal content has an equal hash in every process and on every run, and two contents with one hash
/// cannot be found, which is not so for a ``Digest``. So it proves what a client holds if its revision is
/// not known.
public struct ContentHash: Hashable, Sendable {
  private let bytes: [UInt8]
  /// The number of characters of the text form.
  public static let length = 43
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The hash of the content of a snapshot.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes of the content.
  public init(of snapshot: Snapshot) {
    var hash = SHA256()
    snapshot.forEachContentPiece { hash.update($0) }
    bytes = hash.finalize()
  }
}

extension ContentHash: LosslessStringConvertible {
  /// The hash with this text form, base64url without padding (RFC 4648, section 5); `nil` for anything
  /// else.
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
