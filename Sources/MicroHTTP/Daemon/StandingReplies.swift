/// The standing replies of a serving thread, found by the images of requests. Only this thread uses
/// them.
///
/// A poller asks for the same thing in the same words until there is something new, and so do all
/// clients of one make. Checking, routing and negotiating such a request each time took a fifth of the
/// processor time of its reply; finding it here takes a twentieth.
///
/// The table has a fixed number of places, and each image belongs to one of them. The table notes an
/// image that comes for the first time, and keeps its reply from the second time on: a request that is
/// made once replaces no reply and costs no memory. A place keeps at most ``largestBody`` bytes.
final class StandingReplies {
  /// The number of places of all threads of a server together.
  static let placeCount = 256
  /// The size of the largest reply that is kept, in bytes. To send a larger one costs far more than
  /// to find it.
  static let largestBody = 64 * 1024

  /// What is known of an image.
  enum Recall: Sendable {
    /// There is a reply, if its condition still holds.
    case reply(StandingReply)
    /// It came before; a standing reply to it is worth keeping, with this image.
    case wanted([UInt8])
    /// Nothing.
    case unknown
  }

  private struct Place {
    /// The hash of the last image that came and had no reply here.
    var lastSeen: UInt64 = 0
    var reply: StandingReply?
  }

  private var places: [Place]

  /// - Parameter count: The number of places, at least 1; rounded down to a power of two.
  init(places count: Int) {
    places = [Place](repeating: Place(), count: 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount))
  }

  /// Looks an image up, and notes that it came.
  ///
  /// - Complexity: O(n) in the size of the image, without an allocation unless it is wanted.
  func recall(_ image: UnsafeRawBufferPointer) -> Recall {
    let hash = RequestImage.hash(image)
    let index = index(of: hash)
    if let reply = places[index].reply, reply.answers(image) { return .reply(reply) }
    if places[index].lastSeen == hash { return .wanted(Array(image)) }
    places[index].lastSeen = hash
    return .unknown
  }

  /// Keeps a reply, in place of the one that was there.
  func keep(_ reply: StandingReply) {
    guard reply.response.bodySize <= Self.largestBody else { return }
    let index = index(of: reply.image.withUnsafeBytes(RequestImage.hash))
    // The last reference may free a reply and run code of a handler: only when the place is whole again.
    let former = places[index].reply
    places[index].reply = reply
    _ = former
  }

  /// Lets a reply go whose condition holds no longer. The caller has a reference.
  func forget(_ reply: StandingReply) {
    let index = index(of: reply.image.withUnsafeBytes(RequestImage.hash))
    if places[index].reply === reply { places[index].reply = nil }
  }

  private func index(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (places.count - 1) }
}
