/// A fold of hashes modulo 2^61 − 1, in the form that composes: the folds of two lists give the
/// fold of their concatenation.
///
/// For a list x₁…xₙ, `sum` is Σ xᵢ·Bⁿ⁻ⁱ and `power` is Bⁿ; the fold that starts at 1 is their sum.
struct DigestFold: Hashable, Sendable {
  /// P = 2^61 − 1, a Mersenne prime, by which a product is reduced with shifts and an addition.
  static let modulus: UInt64 = 1 << 61 - 1
  /// B; see `Digest`, whose definition fixes it for ever.
  static let base: UInt64 = 0x13C6_EF37_2FE9_4F83

  private(set) var sum: UInt64
  private(set) var power: UInt64

  /// The fold of the empty list.
  init() {
    sum = 0
    power = 1
  }

  /// The fold of a list of one element, which is reduced first.
  init(of element: UInt64) {
    sum = element % Self.modulus
    power = Self.base
  }

  /// The fold of a list; each element is reduced first.
  init(_ elements: some Sequence<UInt64>) {
    self.init()
    for element in elements { append(element) }
  }

  /// acc for this list, started at 1.
  var value: UInt64 { Self.add(power, sum) }

  /// Appends one element to the list.
  mutating func append(_ element: UInt64) {
    sum = Self.add(Self.multiply(sum, Self.base), element % Self.modulus)
    power = Self.multiply(power, Self.base)
  }

  /// Appends another list.
  mutating func append(_ other: DigestFold) {
    sum = Self.add(Self.multiply(sum, other.power), other.sum)
    power = Self.multiply(power, other.power)
  }

  private static func add(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let sum = left + right  // Below 2^62: both are below the modulus.
    return sum >= modulus ? sum - modulus : sum
  }

  private static func multiply(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    // The product is below 2^122, and 2^61 ≡ 1: add its upper 61 bits to its lower 61 bits.
    return add(low & modulus, high << 3 | low >> 61) % modulus
  }
}

extension DigestFold: CustomStringConvertible {
  /// The fold in base 36, as it stands in the texts that are hashed.
  var description: String { String(value, radix: 36) }
}
