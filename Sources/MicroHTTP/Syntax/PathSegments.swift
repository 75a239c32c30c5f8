/// Walks over the segments of a raw path, without copying or decoding them.
///
/// `/a/b` has the segments `a` and `b`; `/a/` has `a` and an empty one; `/` has an empty one.
struct PathSegments {
  private var position: Int
  private let end: Int

  init(_ target: Target) {
    // A path that does not begin with a slash has no segments: `*`, or an empty absolute form.
    let path = target.path
    let isPath = !path.isEmpty && target.bytes[path.lowerBound] == UInt8(ascii: "/")
    position = isPath ? path.lowerBound : path.upperBound
    end = path.upperBound
  }

  /// Whether all segments were walked over.
  var isAtEnd: Bool { position >= end }

  /// Where the next segment is, or nil after the last one.
  ///
  /// - Complexity: O(n) in the length of the segment.
  mutating func next(in bytes: [UInt8]) -> Range<Int>? {
    guard position < end else { return nil }
    let start = position + 1
    var index = start
    while index < end, bytes[index] != UInt8(ascii: "/") { index += 1 }
    position = index
    return start..<index
  }
}
