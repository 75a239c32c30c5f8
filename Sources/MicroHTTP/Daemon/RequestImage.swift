import Glibc

/// Everything that a request without a body says, as one run of bytes: its method, target, version
/// and fields. Two requests with the same image ask for the same thing in the same words.
///
/// Each part stands behind its length, so that no two lists of parts have the same image. The bytes
/// lie in memory that the maker lends; a request that does not fit has no image.
struct RequestImage {
  /// The largest image in bytes. Temporary memory of this size is on the stack.
  static let capacity = 1024

  private let memory: UnsafeMutableRawBufferPointer
  private var count = 0
  private var isTooLarge = false

  init(in memory: UnsafeMutableRawBufferPointer) {
    self.memory = memory
  }

  /// Adds a part.
  mutating func append(_ part: UnsafeBufferPointer<UInt8>) {
    let length = MemoryLayout<UInt16>.size
    guard !isTooLarge, part.count + length <= memory.count - count,
      let end = memory.baseAddress.map({ $0 + count })
    else {
      isTooLarge = true
      return
    }
    end.storeBytes(of: UInt16(truncatingIfNeeded: part.count), as: UInt16.self)
    if let start = part.baseAddress { memcpy(end + length, start, part.count) }
    count += length + part.count
  }

  /// The bytes; nil if they did not fit.
  var bytes: UnsafeRawBufferPointer? {
    isTooLarge ? nil : UnsafeRawBufferPointer(rebasing: memory[..<count])
  }

  /// A number that tells most images apart. It is no secret: whoever makes two images collide only
  /// makes the server forget that it knew one of them.
  static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(bytes.count)
    func mix(_ word: UInt64) {
      hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
      hash ^= hash &>> 32
    }
    var index = 0
    while index + 8 <= bytes.count {
      mix(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    while index < bytes.count {
      mix(UInt64(bytes[index]))
      index += 1
    }
    return hash
  }
}
