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
