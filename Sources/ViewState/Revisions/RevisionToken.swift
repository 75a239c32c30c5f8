/// The opaque name of one revision of one instance, as clients hold it: `epoch.number`.
///
/// Clients compare tokens for equality only. The number is the position of the input that changed the view model
/// last, so the server can tell a revision that is no longer kept from one that it has not reached; the epoch binds
/// the token to its history.
public struct RevisionToken: Hashable, Sendable {
  /// The history that the revision belongs to.
  package let epoch: RevisionEpoch
  /// The number of the input that made the revision; 0 if none did.
  package let number: Int

  /// Creates the token for a history and an input.
  ///
  /// - Precondition: `number` is not negative.
  package init(epoch: RevisionEpoch, number: Int) {
    precondition(number >= 0, "inputs are numbered from 1")
    self.epoch = epoch
    self.number = number
  }

  /// The form of the tokens of any server, for people.
  package static let form = "1 to 64 of A-Z a-z 0-9 . _ -"

  /// Returns whether the text has the ``form`` of a token.
  package static func isWellFormed(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isBase64URL || $0 == UInt8(ascii: ".") }
  }
}

extension RevisionToken: LosslessStringConvertible {
  /// Reads a token; returns `nil` for a text that no server writes, such as one with an epoch of another length, a
  /// sign, leading zeros, or a number that no history reaches.
  public init?(_ text: String) {
    // By bytes, because most requests name a revision.
    let bytes = text.utf8.span
    let start = RevisionEpoch.length + 1
    guard bytes.count > start, bytes[start - 1] == UInt8(ascii: "."),
      bytes[start] != UInt8(ascii: "0") || bytes.count == start + 1,
      let epoch = RevisionEpoch(bytes: bytes.extracting(first: RevisionEpoch.length))
    else { return nil }
    var number = 0
    for index in start..<bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, hasOverflow) = tens.addingReportingOverflow(Int(digit))
      guard digit <= 9, !isTooLarge, !hasOverflow else { return nil }
      number = sum
    }
    self.init(epoch: epoch, number: number)
  }

  public var description: String {
    // The epoch, a dot and at most 19 digits, of which the last one comes first.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: RevisionEpoch.length + 20) { text in
      var (rest, start) = (number, text.count)
      repeat {
        start -= 1
        text.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(rest % 10))
        rest /= 10
      } while rest > 0
      text.initializeElement(at: start - 1, to: UInt8(ascii: "."))
      start -= 1 + RevisionEpoch.length
      epoch.write(to: text[start...])
      return String(decoding: text[start...], as: UTF8.self)
    }
  }
}

/// Coded as its text form.
extension RevisionToken: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let token = RevisionToken(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected a revision")
    }
    self = token
  }

  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
