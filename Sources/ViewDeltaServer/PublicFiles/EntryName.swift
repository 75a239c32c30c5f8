import Glibc

/// A name in a directory. Linux takes any bytes but zero and the slash.
struct EntryName: Sendable {
  /// The bytes, with a zero at the end.
  let bytes: [CChar]

  /// Copies the name out of what `readdir` gave, which lasts until the next call only.
  init(_ entry: UnsafeMutablePointer<dirent>) {
    bytes = withUnsafePointer(to: &entry.pointee.d_name) { name in
      let start = UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self)
      return Array(UnsafeBufferPointer(start: start, count: strlen(start) + 1))
    }
  }

  /// The name as text; `nil` where it is not UTF-8.
  var text: String? {
    String(validating: bytes.dropLast().lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The name for people, whatever its bytes are.
  var shown: String {
    String(decoding: bytes.dropLast().lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Whether the name begins with a dot, as do those of the directory itself and the one above it.
  var isPrivate: Bool { bytes[0] == CChar(bitPattern: UInt8(ascii: ".")) }

  /// Whether a request can name it: the router takes braces for parameters.
  var isRoutable: Bool {
    text.map { !$0.utf8.contains(UInt8(ascii: "{")) && !$0.utf8.contains(UInt8(ascii: "}")) }
      ?? false
  }
}
