import CDeflate

/// Compresses bytes to the gzip format with libdeflate.
///
/// The gzip file format (RFC 1952) wraps DEFLATE data (RFC 1951); HTTP's content coding `gzip` uses
/// it (RFC 9110 §8.4.1.3).
///
/// ```swift
/// let compressed = Gzip.compress(Array("Hello".utf8))
/// ```
package enum Gzip {
  /// The levels of ``compress(_:level:)``: 1 is the fastest, 9 gives the smallest result. The levels from 10 on of
  /// libdeflate take 9 MB of memory, and are too slow for replies.
  package static let levels = 1...9

  /// The level with the lowest latency for a reply: the time of compressing and sending it.
  ///
  /// A higher level pays if sending the bytes that it saves takes longer than the additional
  /// compression. Measured with libdeflate 1.14, for a view model of posts that is compressed once for
  /// all clients:
  ///
  /// | level | of 20 KB | time | of 2 MB | time |
  /// |---|---|---|---|---|
  /// | 1 | 5,076 | 0.07 ms | 382,623 | 7 ms |
  /// | 4 | 4,502 | 0.21 ms | 327,040 | 15 ms |
  /// | 6 | 4,256 | 0.40 ms | 302,957 | 35 ms |
  /// | 9 | 4,119 | 1.38 ms | 279,453 | 287 ms |
  ///
  /// Level 4 saves 56 KB of the large document in 8 ms compared with level 1, which pays on links
  /// below 56 Mbit/s. Level 6 saves 24 KB more in 20 ms, which pays only below 10 Mbit/s, while
  /// clients wait for the new revision.
  package static let defaultLevel = 4

  /// Compresses bytes to one gzip member.
  ///
  /// Equal input gives equal output at each call and on every thread: the header has no time and no
  /// name. So a reply keeps its bytes as long as it keeps its entity tag. This holds within one
  /// process; another version of libdeflate can give another result.
  ///
  /// - Precondition: `level` is in ``levels``.
  /// - Complexity: O(*n*) time, where *n* is the number of bytes, with a factor that grows with the
  ///   level; 700 KB and O(*n*) of temporary memory.
  package static func compress(_ bytes: [UInt8], level: Int = defaultLevel) -> [UInt8] {
    precondition(levels.contains(level), "level must be in \(levels)")
    guard let compressor = libdeflate_alloc_compressor(Int32(level)) else {
      // Like Swift if it cannot allocate an array.
      fatalError("out of memory to compress \(bytes.count) bytes")
    }
    defer { libdeflate_free_compressor(compressor) }
    let bound = libdeflate_gzip_compress_bound(compressor, bytes.count)
    // Most of the bound remains unused. The array is created afterwards, so that it is no larger
    // than its content.
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bound) { output in
      let count = bytes.withUnsafeBytes { input in
        libdeflate_gzip_compress(
          compressor, input.baseAddress, input.count, output.baseAddress, output.count)
      }
      precondition(count > 0, "libdeflate exceeds its own bound")
      return Array(output[..<count])
    }
  }
}
