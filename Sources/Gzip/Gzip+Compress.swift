import CZlib

extension Gzip {
  /// The levels of ``compress(_:level:)``: 1 is the fastest, 9 the smallest.
  public static let levels = 1...9

  /// The level that brings a reply to its readers soonest.
  ///
  /// A higher level is worth its time if the bytes that it saves would take longer on the way. With
  /// zlib 1.2.13, built for release, a view model of posts takes this, once for all its clients:
  ///
  /// | level | of 20 KB | takes | of 2 MB | takes |
  /// |---|---|---|---|---|
  /// | 1 | 6,723 | 0.06 ms | 554,432 | 15 ms |
  /// | 4 | 6,119 | 0.11 ms | 490,851 | 27 ms |
  /// | 5 | 5,967 | 0.17 ms | 479,145 | 43 ms |
  /// | 6 | 5,912 | 0.26 ms | 468,514 | 67 ms |
  /// | 9 | 5,907 | 0.34 ms | 464,665 | 99 ms |
  ///
  /// From 1 to 4 a large document gains 64 KB in 12 ms, which pays below 43 Mbit/s. From 4 to 6 it
  /// gains 22 KB in 40 ms, which pays below 5 Mbit/s only, and those who wait for the new revision
  /// wait meanwhile. Beyond 6 nothing is gained.
  public static let defaultLevel = 4

  /// One member that holds the bytes.
  ///
  /// Equal bytes give an equal result at each call, whatever was compressed before and on whichever
  /// thread: the header has neither a time nor a name, and the whole input is handed over at once.
  /// So a reply keeps its bytes for as long as it keeps its entity tag. Another version of zlib may
  /// find other matches, so that this holds within one process, not from one machine to the next.
  ///
  /// - Precondition: `level` is one of ``levels``.
  /// - Complexity: O(*n*) time, where *n* is the number of bytes, with a factor that grows with the
  ///   level; 256 KiB and O(*n*) of memory until it returns.
  public static func compress(_ bytes: Span<UInt8>, level: Int = defaultLevel) -> [UInt8] {
    precondition(levels.contains(level), "level must be in 1...9")
    return bytes.withUnsafeBufferPointer { compress($0, level: Int32(level)) }
  }

  /// The same for an array.
  public static func compress(_ bytes: [UInt8], level: Int = defaultLevel) -> [UInt8] {
    compress(bytes.span, level: level)
  }

  private static func compress(_ bytes: UnsafeBufferPointer<UInt8>, level: Int32) -> [UInt8] {
    // zlib's state points back at the stream, which therefore must not move.
    withUnsafeTemporaryAllocation(of: z_stream.self, capacity: 1) { memory in
      memory.initialize(repeating: z_stream())
      let stream = memory.baseAddress!
      guard viewdelta_deflate_init(stream, level) == Z_OK else {
        // As Swift does where it gets no memory for an array: zlib asks for 256 KiB here.
        fatalError("out of memory to compress \(bytes.count) bytes")
      }
      defer { deflateEnd(stream) }
      let bound = Int(deflateBound(stream, UInt(bytes.count)))
      // Most of the bound stays unused. The array is made afterwards, so that it is no larger than
      // what it holds.
      return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bound) { output in
        let count = deflate(bytes, into: output, stream)
        return Array(output[..<count])
      }
    }
  }

  /// Compresses everything and returns how many bytes it wrote. The output has room for them.
  ///
  /// zlib counts in 32 bits what it is handed at a time, so that more takes several rounds.
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
      // Without progress it would be Z_BUF_ERROR: the bound was too small. It is zlib's promise that
      // it never is, whatever the bytes (RoundTripTests has those that grow the most).
      precondition(code == Z_OK, "zlib cannot finish within its own bound")
    }
  }
}
