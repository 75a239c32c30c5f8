/// Names one history of one screen.
///
/// It stands for the process run, the screen, the key, the schema and the first revision at once: a
/// token of any other history carries another epoch.
/// The eight characters are base 62 (47 bits), short enough for a diff of one field to stay small
/// and wide enough that a restart does not hit an old epoch by chance.
public struct RevisionEpoch: Hashable, Sendable {
  /// Below `RevisionEpoch.count`.
  private let value: UInt64

  /// How many epochs there are: 62 to the power of `length`.
  private static let count: UInt64 = 218_340_105_584_896
  /// The number of characters of the text form.
  public static let length = 8
  private static let digits = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  /// Draws an epoch.
  public init(using generator: inout some RandomNumberGenerator) {
    value = UInt64.random(in: 0..<Self.count, using: &generator)
  }

  /// The epoch of a hash. Different hashes have the same epoch no more often than by chance.
  init(hash: UInt64) {
    value = hash.multipliedFullWidth(by: Self.count).high
  }

  /// Draws an epoch from the system's generator.
  public static func random() -> RevisionEpoch {
    var generator = SystemRandomNumberGenerator()
    return RevisionEpoch(using: &generator)
  }
}

extension RevisionEpoch: LosslessStringConvertible {
  /// The epoch with this text form; `nil` for anything but eight characters `[0-9A-Za-z]`.
  public init?(_ text: String) {
    let bytes = text.utf8
    guard bytes.count == Self.length else { return nil }
    var value: UInt64 = 0
    for byte in bytes {
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

  public var description: String {
    var rest = value
    var text: [UInt8] = []
    for _ in 0..<Self.length {
      text.append(Self.digits[Int(rest % 62)])
      rest /= 62
    }
    return String(decoding: text.reversed(), as: UTF8.self)
  }
}
