import CZlib

/// Compresses and decompresses gzip data with zlib.
///
/// The gzip file format (RFC 1952) wraps DEFLATE data (RFC 1951); HTTP's content coding `gzip` uses
/// it (RFC 9110 §8.4.1.3).
///
/// ```swift
/// let bytes = Array("Hello".utf8)
/// let compressed = Gzip.compress(bytes)
/// let restored = try Gzip.decompress(compressed, limit: 1024)  // equals bytes
/// ```
public enum Gzip {}

extension Gzip {
  /// The levels of ``compress(_:level:)``: 1 is the fastest, 9 gives the smallest result.
  public static let levels = 1...9

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
  public static let defaultLevel = 4

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
  public static func compress(_ bytes: Span<UInt8>, level: Int = defaultLevel) -> [UInt8] {
    precondition(levels.contains(level), "level must be in 1...9")
    return bytes.withUnsafeBufferPointer { compress($0, level: Int32(level)) }
  }

  /// Compresses an array of bytes; see ``compress(_:level:)-(Span<UInt8>,_)``.
  public static func compress(_ bytes: [UInt8], level: Int = defaultLevel) -> [UInt8] {
    compress(bytes.span, level: level)
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

extension Gzip {
  /// Decompresses one or more gzip members and returns their concatenated content (RFC 1952 §2.2).
  ///
  /// It skips header fields that do not affect the content: name, comment, time and the extra
  /// field. It refuses reserved flags, as the format demands (§2.3.1.2).
  ///
  /// - Parameters:
  ///   - bytes: The gzip data.
  ///   - limit: The maximum size of the content in bytes. Untrusted data can expand a thousandfold;
  ///     at most one byte beyond the limit is decompressed.
  /// - Throws: ``GzipError`` unless the input consists of complete and correct members and nothing
  ///   else.
  /// - Precondition: `limit` is not negative.
  /// - Complexity: O(*n* + *m*), where *n* is the number of bytes and *m* the size of their
  ///   content.
  public static func decompress(
    _ bytes: Span<UInt8>, limit: Int
  ) throws(GzipError) -> [UInt8] {
    precondition(limit >= 0, "limit must not be negative")
    return try bytes.withUnsafeBufferPointer { (input) throws(GzipError) in
      try decompress(Inflater(input), limit: limit)
    }
  }

  /// Decompresses an array of bytes; see ``decompress(_:limit:)-(Span<UInt8>,_)``.
  public static func decompress(_ bytes: [UInt8], limit: Int) throws(GzipError) -> [UInt8] {
    try decompress(bytes.span, limit: limit)
  }

  private static func decompress(
    _ inflater: consuming Inflater, limit: Int
  ) throws(GzipError) -> [UInt8] {
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 * 1024)
    defer { buffer.deallocate() }
    var content: [UInt8] = []
    while true {
      // The buffer has room for one byte beyond the limit, which detects content that is too large.
      let left = limit - content.count
      let room = left < buffer.count ? left + 1 : buffer.count
      let step = try inflater.inflate(into: UnsafeMutableBufferPointer(rebasing: buffer[..<room]))
      guard step.count <= left else { throw .tooLarge(limit: limit) }
      content += buffer[..<step.count]
      guard step.isEnd else { continue }
      guard !inflater.rest.isEmpty else { return content }
      guard inflater.rest.starts(with: [0x1F, 0x8B]) else {
        throw .trailingGarbage(offset: inflater.position)
      }
      inflater.beginMember()
    }
  }
}

/// An error in gzip data.
public enum GzipError: Error, Hashable, Sendable {
  /// The input ends within a member. Empty input does too, because a file has at least one member.
  case truncated
  /// The input is not gzip data, or its content does not match its checksum or length. The value is
  /// zlib's message.
  case corrupted(String)
  /// Data that is not a further member follows the last one, beginning at this offset.
  case trailingGarbage(offset: Int)
  /// The content exceeds the limit in bytes.
  case tooLarge(limit: Int)
}

extension GzipError: CustomStringConvertible {
  /// One sentence for people.
  public var description: String {
    switch self {
    case .truncated: "the gzip data ends too early"
    case .corrupted(let reason): "the gzip data is corrupt: \(reason)"
    case .trailingGarbage(let offset): "byte \(offset) of the gzip data follows its end"
    case .tooLarge(let limit): "the gzip data holds more than \(limit) bytes"
    }
  }
}

/// Decompresses consecutive members with one zlib stream. The input must not move.
private struct Inflater: ~Copyable {
  /// The result of one call of ``inflate(into:)``.
  struct Step {
    /// The number of bytes written.
    var count: Int
    /// Whether the member is complete and matches its checksum and length.
    var isEnd: Bool
  }

  private let input: UnsafeBufferPointer<UInt8>
  /// The number of input bytes that were read.
  private(set) var position = 0
  /// zlib's state points to the stream, which must therefore not move.
  private let stream: UnsafeMutablePointer<z_stream>

  init(_ input: UnsafeBufferPointer<UInt8>) {
    self.input = input
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard viewdelta_inflate_init(stream) == Z_OK else { Self.failForMemory() }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// The input that was not read yet.
  var rest: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: input[position...]) }

  /// Prepares for the next member, which begins at the end of the previous one.
  mutating func beginMember() {
    inflateReset(stream)
  }

  /// Decompresses the next bytes.
  ///
  /// - Precondition: The size of the output is in 1...UInt32.max.
  mutating func inflate(
    into output: UnsafeMutableBufferPointer<UInt8>
  ) throws(GzipError) -> Step {
    let rest = rest
    let source = UInt32(clamping: rest.count)
    stream.pointee.next_in = rest.baseAddress
    stream.pointee.avail_in = source
    stream.pointee.next_out = output.baseAddress
    stream.pointee.avail_out = UInt32(output.count)
    let code = CZlib.inflate(stream, Z_NO_FLUSH)
    position += Int(source - stream.pointee.avail_in)
    let count = output.count - Int(stream.pointee.avail_out)
    switch code {
    case Z_OK: return Step(count: count, isEnd: false)
    case Z_STREAM_END: return Step(count: count, isEnd: true)
    // There is room, so the lack of progress means that input is missing.
    case Z_BUF_ERROR: throw .truncated
    case Z_DATA_ERROR: throw .corrupted(stream.pointee.msg.map { String(cString: $0) } ?? "")
    case Z_MEM_ERROR: Self.failForMemory()
    // zlib documents no other code for a gzip member. An unknown code of a later version is an
    // error.
    default: throw .corrupted("zlib gives the code \(code)")
    }
  }

  /// Ends the process, like Swift if it cannot allocate an array.
  private static func failForMemory() -> Never {
    fatalError("out of memory to decompress")
  }
}
