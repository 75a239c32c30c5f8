import CanonicalJSON

/// The hash of a snapshot's content: its sections, rows and states.
///
/// Equal content has an equal digest in every process, and a client recomputes it in a few lines:
///
/// - P = 2^61 − 1 and B = 0x13C6EF372FE94F83 (the golden ratio's first 61 bits behind the point,
///   made odd: 1425089352415399811);
/// - hash(v) = the 64-bit FNV-1a hash of the canonical JSON of v, modulo P;
/// - fold(list): acc = 1, then acc = (acc · B + x) mod P for each x of the list in turn; its text is
///   acc in base 36 with the digits 0 to 9 and a to z, without padding;
/// - the hash of a section is that of its object in which the value of `rows` is replaced by the
///   text of the fold of the rows' hashes;
/// - the digest is the hash of `{"sections":"…","states":{…}}` with the text of the fold of the
///   sections' hashes, itself written in base 36.
///
/// A fold is a Rabin–Karp fingerprint (Karp and Rabin, 1987), so the folds of two lists give that of
/// their concatenation. The text between two levels breaks the algebra: were a fold an element of
/// another fold, a row that goes from one section to the one before it could leave the sum as it
/// was. The digest proves that a replica is right against faults and mistakes, not against an
/// adversary: whoever may choose the content can make two contents collide.
public struct Digest: Hashable, Sendable {
  /// A number below 2^61 − 1.
  public let value: UInt64

  /// The digest of a content whose hash is given.
  init(hash: UInt64) {
    value = hash % DigestFold.modulus
  }
}

extension Digest: LosslessStringConvertible {
  /// The digest in base 36, 1 to 12 characters of `[0-9a-z]`.
  public var description: String { String(value, radix: 36) }

  /// Reads the string form; `nil` for anything that ``description`` does not give, such as upper
  /// case, leading zeros and numbers that are too large.
  public init?(_ description: String) {
    guard let value = UInt64(description, radix: 36), value < DigestFold.modulus,
      Text(String(value, radix: 36)) == Text(description)
    else { return nil }
    self.value = value
  }
}
