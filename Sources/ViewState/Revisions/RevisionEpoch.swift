/// The name of a history of a view model.
///
/// Each history has its own epoch: it depends on the seed of the engine, on the screen and the key, and changes if a
/// key is created again. The text has eight characters of base 62 (47 bits): few enough to keep the diff
/// of one field small, and enough that two epochs are not equal by chance.
package struct RevisionEpoch: Hashable, Sendable {
  /// Below `RevisionEpoch.count`.
  private let value: UInt64

  /// The number of epochs: 62 to the power of `length`.
  private static let count: UInt64 = 218_340_105_584_896
  /// The number of characters of the text form.
  package static let length = 8
  private static let digits = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  /// Creates the epoch of a hash.
  init(hash: UInt64) {
    value = hash.multipliedFullWidth(by: Self.count).high
  }
}

extension RevisionEpoch: LosslessStringConvertible {
  /// Reads an epoch; returns `nil` unless the text has eight characters of `[0-9A-Za-z]`.
  package init?(_ text: String) {
    self.init(bytes: text.utf8.span)
  }

  init?(bytes: Span<UInt8>) {
    guard bytes.count == Self.length else { return nil }
    var value: UInt64 = 0
    for index in bytes.indices {
      let byte = bytes[index]
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = byte - UInt8(ascii: "A") + 10
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = byte - UInt8(ascii: "a") + 36
      default: return nil
      }
      value = value * 62 + UInt64(digit)
    }
    self.value = value
  }

  package var description: String {
    String(unsafeUninitializedCapacity: Self.length) { text in
      write(to: text[...])
      return Self.length
    }
  }

  /// Initializes the first bytes of a buffer, which has at least ``length``, with the text form.
  func write(to text: Slice<UnsafeMutableBufferPointer<UInt8>>) {
    var rest = value
    for index in (0..<Self.length).reversed() {
      text.initializeElement(at: text.startIndex + index, to: Self.digits[Int(rest % 62)])
      rest /= 62
    }
  }
}
