/// A set that finds a number which comes twice. It is much faster than a `Set`, because each number is its own hash. So
/// the numbers must be random, or made so by a product.
struct DistinctNumbers {
  /// A table with linear probing, in which 0 marks a free place.
  private var table: [UInt64]
  private let mask: Int

  /// - Parameter count: The largest number of numbers.
  init(capacity count: Int) {
    let size = 1 << (Int.bitWidth - max(2 * count, 8).leadingZeroBitCount)
    table = Array(repeating: 0, count: size)
    mask = size - 1
  }

  /// Adds a number.
  ///
  /// - Returns: `false` if the number is there already, or if it is 0, which the set does not know.
  /// - Complexity: O(1) expected.
  mutating func insert(_ number: UInt64) -> Bool {
    var place = Int(truncatingIfNeeded: number) & mask
    while table[place] != 0 {
      if table[place] == number { return false }
      place = (place + 1) & mask
    }
    table[place] = number
    return number != 0
  }

  /// Adds an identity of a node, which another kind of number does not equal but by chance.
  mutating func insert(_ identity: NodeIdentity) -> Bool {
    insert(identity.number &* FoldedHash.multiplier)
  }
}
