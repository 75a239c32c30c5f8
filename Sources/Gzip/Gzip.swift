import CZlib

/// The gzip file format (RFC 1952) around data compressed with DEFLATE (RFC 1951), as HTTP's content
/// coding `gzip` has it (RFC 9110 §8.4.1.3). zlib does the work.
public enum Gzip {}

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

extension Gzip {
  /// What the members hold, one after the other (RFC 1952 §2.2).
  ///
  /// Fields of a header that say nothing of the content are skipped: name, comment, time, the extra
  /// field. Flags that the format reserves are refused, as it demands (§2.3.1.2).
  ///
  /// - Parameter limit: How many bytes the content may have. What a stranger sends can grow a
  ///   thousandfold; of that, no more than a byte beyond the limit is written.
  /// - Throws: ``GzipError`` unless the input is members, whole and correct, and nothing else. No content is returned then.
  /// - Precondition: `limit` is not negative.
  /// - Complexity: O(*n* + *m*), where *n* is the number of bytes and *m* that of their content.
  public static func decompress(
    _ bytes: Span<UInt8>, limit: Int
  ) throws(GzipError) -> [UInt8] {
    precondition(limit >= 0, "limit must not be negative")
    return try bytes.withUnsafeBufferPointer { (input) throws(GzipError) in
      try decompress(Inflater(input), limit: limit)
    }
  }

  /// The same for an array.
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
      // There is room for one byte beyond the limit: a member ends without it, or is too large.
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

/// Why some bytes are no gzip file, or none that the reader wants.
public enum GzipError: Error, Hashable, Sendable {
  /// The input ends within a member. An empty input does: a file has one member at least.
  case truncated
  /// The input is not of the format, or its content does not fit its checksum or its length; with
  /// zlib's words for it.
  case corrupted(String)
  /// Something that is no further member follows the last one, from this offset on.
  case trailingGarbage(offset: Int)
  /// The content is larger than the limit, in bytes.
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

/// Reads members one after the other with one stream of zlib, over input that stays where it is.
private struct Inflater: ~Copyable {
  /// How an attempt to fill some room ended.
  struct Step {
    /// How many bytes were written.
    var count: Int
    /// Whether the member is complete, and fits its checksum and its length.
    var isEnd: Bool
  }

  private let input: UnsafeBufferPointer<UInt8>
  /// How many bytes of the input have been read.
  private(set) var position = 0
  /// zlib's state points back at the stream, which therefore must not move.
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

  /// What has not been read yet.
  var rest: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: input[position...]) }

  /// Prepares for the next member, which begins where the last one ended.
  mutating func beginMember() {
    inflateReset(stream)
  }

  /// Writes what comes next.
  ///
  /// - Precondition: There is room for a byte at least, and for no more than 32 bits can count.
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
    // No progress in spite of the room: it lacks input.
    case Z_BUF_ERROR: throw .truncated
    case Z_DATA_ERROR: throw .corrupted(stream.pointee.msg.map { String(cString: $0) } ?? "")
    case Z_MEM_ERROR: Self.failForMemory()
    // Nothing else is documented for a gzip member. A code that a later zlib may have is no content.
    default: throw .corrupted("zlib gives the code \(code)")
    }
  }

  /// Ends the process, as Swift does where it gets no memory for an array.
  private static func failForMemory() -> Never {
    fatalError("out of memory to decompress")
  }
}
