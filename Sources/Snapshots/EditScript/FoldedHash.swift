/// A fast 64-bit hash of text: it multiplies eight bytes at a time to 128 bits and folds the two
/// halves into one.
///
/// The folded product comes from Wang Yi's wyhash. The hash depends on ``ProcessKey`` and must
/// never leave the process.
@usableFromInline
package enum FoldedHash {
  /// An odd constant with an irregular pattern of bits: digits of the golden ratio.
  @inlinable
  package static var multiplier: UInt64 { 0x9E37_79B9_7F4A_7C15 }

  /// Returns the folded product of two numbers.
  @inlinable
  package static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  /// Returns the hash of the UTF-8 bytes of a text.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  @inlinable
  package static func hash(_ text: String, key: UInt64) -> UInt64 {
    // Native Swift strings are contiguous, so copying is the exception.
    text.utf8.withContiguousStorageIfAvailable { hash(UnsafeRawBufferPointer($0), key: key) }
      ?? Array(text.utf8).withUnsafeBytes { hash($0, key: key) }
  }

  /// Returns the exclusive or of the first and the last byte of a text. Reading both fetches all of
  /// a short text into the cache.
  @inlinable @inline(__always)
  package static func ends(of text: String) -> UInt8 {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.isEmpty ? 0 : bytes[0] ^ bytes[bytes.count - 1]
    } ?? 0
  }

  /// Returns the hash of bytes.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  @inlinable
  package static func hash(_ bytes: UnsafeRawBufferPointer, key: UInt64) -> UInt64 {
    let count = bytes.count
    var state = fold(key ^ UInt64(truncatingIfNeeded: count), multiplier)
    guard count >= 8 else {
      var last: UInt64 = 0
      for byte in bytes { last = last << 8 | UInt64(byte) }
      return fold(state ^ last, multiplier ^ key)
    }
    var offset = 0
    while offset < count - 8 {
      state = fold(state ^ word(at: offset, of: bytes), multiplier ^ key)
      offset += 8
    }
    // The last word overlaps the one before it unless the length is a multiple of 8.
    return fold(state ^ word(at: count - 8, of: bytes), multiplier ^ key)
  }

  /// Reads eight bytes as one word.
  ///
  /// - Precondition: The 8 bytes from the offset on are in the buffer.
  @inlinable
  package static func word(at offset: Int, of bytes: UnsafeRawBufferPointer) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
}

/// A random number of this process, which makes the layout of hash tables unpredictable for
/// clients.
@usableFromInline
package enum ProcessKey {
  @usableFromInline package static let value = UInt64.random(in: .min ... .max)
}
