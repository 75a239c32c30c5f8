import CanonicalJSON

/// The hash of a snapshot's content: its sections, rows and states.
///
/// Equal content has the same digest in every process, and a client can recompute it in a few
/// lines:
///
/// - P = 2^61 − 1 and B = 0x13C6EF372FE94F83 (the first 61 bits of the golden ratio's fraction,
///   made odd: 1425089352415399811);
/// - hash(v) = the 64-bit FNV-1a hash of the canonical JSON of v, modulo P;
/// - fold(list): acc = 1, then acc = (acc · B + x) mod P for each x of the list in order; the text
///   of a fold is acc in base 36 with the digits 0 to 9 and a to z, without padding;
/// - the hash of a section is the hash of its object with the value of `rows` replaced by the text
///   of the fold of the rows' hashes;
/// - the digest is the hash of `{"sections":"…","states":{…}}` with the text of the fold of the
///   sections' hashes, in base 36.
///
/// A fold is a Rabin–Karp fingerprint (Karp and Rabin, 1987), so the folds of two lists give the
/// fold of their concatenation. Using the text of a fold breaks the algebra between the two levels:
/// if the fold of the rows were an element of the fold of the sections, moving a row to the section
/// before could leave the result unchanged. The digest protects a replica against faults and
/// mistakes, but not against an adversary: those who choose the content can make two contents
/// collide.
public struct Digest: Hashable, Sendable {
  /// A number below 2^61 − 1.
  let value: UInt64

  /// Creates the digest of content with a given hash.
  init(hash: UInt64) {
    value = hash % DigestFold.modulus
  }
}

extension Digest: LosslessStringConvertible {
  /// The digest in base 36: 1 to 12 characters of `[0-9a-z]`.
  public var description: String { String(value, radix: 36) }

  /// Parses the text form. Returns `nil` for any text that ``description`` does not give, such as
  /// upper case, leading zeros and numbers that are too large.
  public init?(_ description: String) {
    guard let value = UInt64(description, radix: 36), value < DigestFold.modulus,
      Text(String(value, radix: 36)) == Text(description)
    else { return nil }
    self.value = value
  }
}

/// A fold of hashes modulo 2^61 − 1, in a form that composes: the folds of two lists give the fold
/// of their concatenation.
///
/// For a list x₁…xₙ, `sum` is Σ xᵢ·Bⁿ⁻ⁱ and `power` is Bⁿ. The fold that starts with 1 is `power` +
/// `sum`.
struct DigestFold: Hashable, Sendable {
  /// P = 2^61 − 1, a Mersenne prime, so that a product is reduced with shifts and an addition.
  static let modulus: UInt64 = 1 << 61 - 1
  /// B. The definition of `Digest` fixes it for ever.
  static let base: UInt64 = 0x13C6_EF37_2FE9_4F83

  private(set) var sum: UInt64 = 0
  private(set) var power: UInt64 = 1

  /// Creates the fold of the empty list.
  init() {}

  /// Creates the fold of a list with one element, which is reduced first.
  init(of element: UInt64) {
    sum = element % Self.modulus
    power = Self.base
  }

  /// The value of acc for this list, started with 1.
  var value: UInt64 { Self.add(power, sum) }

  /// Appends another list.
  mutating func append(_ other: DigestFold) {
    sum = Self.add(Self.multiply(sum, other.power), other.sum)
    power = Self.multiply(power, other.power)
  }

  /// Replaces a part of the list by one of the same length.
  ///
  /// - Parameter count: The number of elements behind the part.
  /// - Complexity: O(log *n*), where *n* is the number of elements behind the part.
  mutating func replace(_ old: DigestFold, with new: DigestFold, before count: Int) {
    let change = Self.add(new.sum, Self.modulus - old.sum)
    sum = Self.add(sum, Self.multiply(change, Self.power(count)))
  }

  /// Returns B to the power of a number, by repeated squaring.
  private static func power(_ exponent: Int) -> UInt64 {
    var (result, square, rest) = (1 as UInt64, base, exponent)
    while rest > 0 {
      if rest & 1 == 1 { result = multiply(result, square) }
      square = multiply(square, square)
      rest >>= 1
    }
    return result
  }

  private static func add(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let sum = left + right  // Below 2^62: both are below the modulus.
    return sum >= modulus ? sum - modulus : sum
  }

  private static func multiply(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    // The product is below 2^122, and 2^61 ≡ 1: add its upper 61 bits to its lower 61 bits. Of these at most
    // the lower ones are equal to the modulus, so the sum is below twice the modulus.
    return add(low & modulus, high << 3 | low >> 61)
  }
}

/// The 64-bit FNV-1a hash of a sequence of bytes (Fowler, Noll, Vo; draft-eastlake-fnv, with the
/// offset basis and the prime for 64 bits).
package struct FNV1a: Sendable {
  /// The hash of the bytes so far.
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Appends bytes to the sequence.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  mutating func combine(_ bytes: some Sequence<UInt8>) {
    var value = value
    for byte in bytes { value = Self.next(value, byte) }
    self.value = value
  }

  @inline(__always)
  private static func next(_ value: UInt64, _ byte: UInt8) -> UInt64 {
    (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  /// Returns the hashes of four lists, in about the time of one: each product depends on the one before, and while the
  /// processor waits for it, it multiplies for the other lists.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  static func hashes(
    _ a: [UInt8], _ b: [UInt8], _ c: [UInt8], _ d: [UInt8]
  ) -> (UInt64, UInt64, UInt64, UInt64) {
    let common = min(a.count, b.count, c.count, d.count)
    var (first, second, third, fourth) = (FNV1a(), FNV1a(), FNV1a(), FNV1a())
    for index in 0..<common {
      first.value = next(first.value, a[index])
      second.value = next(second.value, b[index])
      third.value = next(third.value, c[index])
      fourth.value = next(fourth.value, d[index])
    }
    first.combine(a[common...])
    second.combine(b[common...])
    third.combine(c[common...])
    fourth.combine(d[common...])
    return (first.value, second.value, third.value, fourth.value)
  }

  /// Appends the text of a fold to the sequence.
  mutating func combine(_ fold: DigestFold) {
    // A value below 2^61 has at most twelve digits in base 36. They are found from the last to the first, in two halves
    // (36^6 is 2,176,782,336), because each division waits for the one before.
    var (high, low) = fold.value.quotientAndRemainder(dividingBy: 2_176_782_336)
    func nextDigit(_ half: inout UInt64) -> UInt8 {
      let (quotient, digit) = half.quotientAndRemainder(dividingBy: 36)
      half = quotient
      return UInt8(digit) + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 12) { digits in
      for place in (0..<6).reversed() {
        digits.initializeElement(at: place, to: nextDigit(&high))
        digits.initializeElement(at: place + 6, to: nextDigit(&low))
      }
      let start = digits.firstIndex { $0 != UInt8(ascii: "0") } ?? 11
      combine(digits[start...])
    }
  }

  /// Returns the hash of a whole sequence.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash = FNV1a()
    hash.combine(bytes)
    return hash.value
  }
}
