import TestSupport

/// Bytes to compress.
enum Samples {
  /// The sizes at which a buffer, a window or a 16-bit counter is full, and their neighbours.
  static let sizes = [
    0, 1, 1023, 1024, 32_767, 32_768, 32_769, 65_535, 65_536, 65_537, 5 * 1024 * 1024,
  ]

  /// Returns incompressible bytes.
  static func random(_ count: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: 1)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 7)
    while bytes.count < count {
      withUnsafeBytes(of: generator.next()) { bytes += $0 }
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// Returns bytes that repeat a pattern.
  static func repetitive(_ count: Int) -> [UInt8] {
    var bytes = Array(#"{"id":"post/1","title":"First post","type":"post"},"#.utf8)
    while bytes.count < count { bytes += bytes }
    return Array(bytes.prefix(count))
  }

  /// Returns about `count` bytes of JSON with few words and many numbers.
  static func document(_ count: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: 2)
    let words = ["profile", "posts", "loading", "dolor", "sit", "amet", "quis", "vero", "größer"]
    var text = "["
    var row = 0
    while text.utf8.count < count {
      row += 1
      let title = (0..<generator.number(in: 1...12)).map { _ in generator.pick(words) }
      text += #"{"id":"post/\#(row)","likes":\#(generator.number(in: 0...99_999)),"#
      text += #""title":"\#(title.joined(separator: " "))","type":"post"},"#
    }
    return Array((text + "null]").utf8)
  }
}
