package import CanonicalJSON

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CNettle
#endif

/// A SHA-256 (FIPS 180-4) of bytes that are appended in pieces.
///
///     var hash = SHA256()
///     hash.update(bytes)
///     let value = hash.finalize()  // 32 bytes
///
/// On Apple's platforms CryptoKit computes it, elsewhere Nettle, on which each libmicrohttpd with
/// TLS depends anyway. swift-crypto would first build all of BoringSSL.
package struct SHA256 {
  #if canImport(CryptoKit)
    private var state = CryptoKit.SHA256()
  #else
    private var state = sha256_ctx()
  #endif

  /// Creates the hash of no bytes.
  package init() {
    #if !canImport(CryptoKit)
      nettle_sha256_init(&state)
    #endif
  }

  /// Appends bytes to those that are hashed.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package mutating func update(_ bytes: [UInt8]) {
    #if canImport(CryptoKit)
      state.update(data: bytes)
    #else
      nettle_sha256_update(&state, bytes.count, bytes)
    #endif
  }

  /// Returns the hash of all bytes.
  package consuming func finalize() -> [UInt8] {
    #if canImport(CryptoKit)
      return Array(state.finalize())
    #else
      return Array(unsafeUninitializedCapacity: Int(SHA256_DIGEST_SIZE)) { buffer, count in
        // The buffer has at least the requested capacity, which is the length of the hash.
        viewdelta_sha256_digest(&state, buffer.baseAddress)
        count = Int(SHA256_DIGEST_SIZE)
      }
    #endif
  }
}

extension Sequence<UInt8> {
  /// The bytes as hexadecimal digits, two for each.
  package var hexadecimal: Text {
    Text(map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
  }
}
