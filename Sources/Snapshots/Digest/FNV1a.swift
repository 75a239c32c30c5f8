/// The 64-bit FNV-1a hash of a sequence of bytes (Fowler, Noll, Vo; draft-eastlake-fnv, with the
/// offset basis and the prime for 64 bits).
struct FNV1a {
  /// The hash of the bytes so far.
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Appends bytes to the sequence.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  mutating func combine(_ bytes: some Sequence<UInt8>) {
    var value = value
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    self.value = value
  }

  /// The hash of a whole sequence.
  static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash = FNV1a()
    hash.combine(bytes)
    return hash.value
  }
}
