import CZlib

/// Reads members one after the other with one stream of zlib, over input that stays where it is.
struct Inflater: ~Copyable {
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
