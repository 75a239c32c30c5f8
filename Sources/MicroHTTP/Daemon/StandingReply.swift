import Glibc

/// A reply that answers all requests of one image as long as its condition holds.
final class StandingReply: Sendable {
  let response: Response
  let condition: any ReplyCondition
  /// The ``RequestImage`` of the requests.
  let image: [UInt8]

  init(_ response: Response, while condition: any ReplyCondition, image: [UInt8]) {
    self.response = response
    self.condition = condition
    self.image = image
  }

  /// Whether it answers the requests of an image.
  func answers(_ image: UnsafeRawBufferPointer) -> Bool {
    guard self.image.count == image.count, let start = image.baseAddress else { return false }
    return self.image.withUnsafeBytes { $0.baseAddress.map { memcmp($0, start, image.count) } == 0 }
  }
}
