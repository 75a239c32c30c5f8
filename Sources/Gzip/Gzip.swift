import CZlib

/// Compresses bytes to the gzip format with zlib.
///
/// The gzip file format (RFC 1952) wraps DEFLATE data (RFC 1951); HTTP's content coding `gzip` uses
/// it (RFC 9110 §8.4.1.3).
///
/// ```swift
/// let compressed = Gzip.compress(Array("Hello".utf8))
/// ```
package enum Gzip {
  /// The levels of ``compress(_:level:)``: 1 is the fastest, 9 gives the smallest result.
  package static let levels = 1...9

  /// The level with the lowest latency for a reply: the time of compressing and sending it.
  ///
  /// A higher level pays if sending the bytes that it saves takes longer than the additional
  /// compression. Measured with zlib 1.2.13 in a release build, for a view model of posts that is
  /// compressed once for all clients:
  ///
  /// | level | of 20 KB | time | of 2 MB | time |
  /// |---|---|---|---|---|
  /// | 1 | 6,723 | 0.06 ms | 554,432 | 15 ms |
  /// | 4 | 6,119 | 0.11 ms | 490,851 | 27 ms |
  /// | 5 | 5,967 | 0.17 ms | 479,145 | 43 ms |
  /// | 6 | 5,912 | 0.26 ms | 468,514 | 67 ms |
  /// | 9 | 5,907 | 0.34 ms | 464,665 | 99 ms |
  ///
  /// Level 4 saves 64 KB of the large document in 12 ms compared with level 1, which pays on links
  /// below 43 Mbit/s. Level 6 saves 22 KB more in 40 ms, which pays only below 5 Mbit/s, while
  /// clients wait for the new revision. Higher levels save almost nothing.
  package static let defaultLevel = 4

  /// Compresses bytes to one gzip member.
  ///
  /// Equal input gives equal output at each call and on every thread: the header has no time and no
  /// name, and the whole input is compressed at once. So a reply keeps its bytes as long as it
  /// keeps its entity tag. This holds within one process; another version of zlib can give another
  /// result.
  ///
  /// - Precondition: `level` is in ``levels``.
  /// - Complexity: O(*n*) time, where *n* is the number of bytes, with a factor that grows with the
  ///   level; 256 KiB and O(*n*) of temporary memory.
  package static func compress(_ bytes: [UInt8], level: Int = defaultLevel) -> [UInt8] {
    precondition(levels.contains(level), "level must be in 1...9")
    return bytes.withUnsafeBufferPointer { compress($0, level: Int32(level)) }
  }

  private static func compress(_ bytes: UnsafeBufferPointer<UInt8>, level: Int32) -> [UInt8] {
    // zlib's state points to the stream, which must therefore not move.
    withUnsafeTemporaryAllocation(of: z_stream.self, capacity: 1) { memory in
      memory.initialize(repeating: z_stream())
      let stream = memory.baseAddress!
      guard viewdelta_deflate_init(stream, level) == Z_OK else {
        // Like Swift if it cannot allocate an array; zlib allocates 256 KiB here.
        fatalError("out of memory to compress \(bytes.count) bytes")
      }
      defer { deflateEnd(stream) }
      let bound = Int(deflateBound(stream, UInt(bytes.count)))
      // Most of the bound remains unused. The array is created afterwards, so that it is no larger
      // than its content.
      return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bound) { output in
        let count = deflate(bytes, into: output, stream)
        return Array(output[..<count])
      }
    }
  }

  /// Compresses all input and returns the number of bytes written. The output must have room for
  /// them.
  ///
  /// zlib's counters have 32 bits, so that larger input takes several rounds.
  private static func deflate(
    _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>,
    _ stream: UnsafeMutablePointer<z_stream>
  ) -> Int {
    var read = 0
    var written = 0
    while true {
      let source = UInt32(clamping: input.count - read)
      let room = UInt32(clamping: output.count - written)
      stream.pointee.next_in = input.baseAddress.map { $0 + read }
      stream.pointee.avail_in = source
      stream.pointee.next_out = output.baseAddress.map { $0 + written }
      stream.pointee.avail_out = room
      let isLast = read + Int(source) == input.count
      let code = CZlib.deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
      read += Int(source - stream.pointee.avail_in)
      written += Int(room - stream.pointee.avail_out)
      if code == Z_STREAM_END { return written }
      // A call without progress gives Z_BUF_ERROR: the bound was too small. zlib guarantees that
      // this does not happen (RoundTripTests compresses the input that grows the most).
      precondition(code == Z_OK, "zlib cannot finish within its own bound")
    }
  }
}
