/// The 64-bit FNV-1a hash of a sequence of bytes (Fowler, Noll, Vo;
/// draft-eastlake-fnv, offset basis and prime for 64 bits).
enum FNV1a {
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return hash
  }
}
