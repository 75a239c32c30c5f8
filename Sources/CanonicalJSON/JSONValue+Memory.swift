extension JSONValue {
  /// The estimated memory of the value, in bytes.
  ///
  /// A small value takes many times its size as JSON: each has a place in an array or a table, of which up to half is
  /// vacant, and the elements, the members and a longer text have a block of memory of their own.
  ///
  /// - Complexity: O(*n*), where *n* is the number of values in it.
  package var memoryByteCount: Int {
    switch self {
    case .string(let text): Memory.place + text.memoryByteCount
    case .array(let elements):
      elements.reduce(Memory.place + (elements.isEmpty ? 0 : Memory.block)) {
        $0 + $1.memoryByteCount
      }
    case .object(let members):
      members.reduce(Memory.place + (members.isEmpty ? 0 : Memory.block)) {
        $0 + Memory.name + $1.key.memoryByteCount + $1.value.memoryByteCount
      }
    default: Memory.place
    }
  }

  /// The estimated memory of a value that is read from this one and shares its texts, in bytes.
  ///
  /// - Complexity: O(*n*), where *n* is the number of values in it.
  package var placesByteCount: Int {
    switch self {
    case .array(let elements): elements.reduce(Memory.place) { $0 + $1.placesByteCount }
    case .object(let members): members.reduce(Memory.place) { $0 + $1.value.placesByteCount }
    default: Memory.place
    }
  }
}

extension Text {
  /// The estimated memory that the text takes beside its place, in bytes.
  fileprivate var memoryByteCount: Int {
    // Swift stores up to 15 bytes in the place.
    byteCount > 15 ? Memory.block + byteCount : 0
  }
}

/// Estimates, in bytes.
private enum Memory {
  /// The place of a value.
  static let place = 32
  /// The place of the name of a member, and what the table needs to find it.
  static let name = 64
  /// The beginning of a block, and what the allocator adds to it.
  static let block = 48
}
