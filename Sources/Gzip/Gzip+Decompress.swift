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
