import Synchronization

/// The standing replies of a server, found by the images of requests.
///
/// A poller asks for the same thing in the same words until there is something new, and so do all
/// clients of one make. Checking, routing and negotiating such a request each time took a fifth of the
/// processor time of its reply; finding it here takes a twentieth.
///
/// The table has a fixed number of places, and an image can only be in one of them. It is noted when
/// it comes for the first time and kept when it comes for the second, so that requests which are made
/// once drive nobody out and cost no memory. At most ``placeCount`` times ``largestBody`` bytes are
/// kept.
final class StandingReplies: Sendable {
  /// The number of places; a power of two.
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

  private struct Place: Sendable {
    /// The hash of the last image that came and had no reply here.
    var lastSeen: UInt64 = 0
    var reply: StandingReply?
  }

  private let places = Mutex([Place](repeating: Place(), count: StandingReplies.placeCount))

  /// Looks an image up, and notes that it came.
  ///
  /// - Complexity: O(n) in the size of the image, without an allocation unless it is wanted.
  func recall(_ image: UnsafeRawBufferPointer) -> Recall {
    let hash = RequestImage.hash(image)
    let (reply, isKnown) = places.withLock { (places) -> (StandingReply?, Bool) in
      let index = Self.index(hash)
      let reply = places[index].reply
      // Compared under the lock, because it is short; the place must know whether it was meant.
      if let reply, reply.answers(image) { return (reply, true) }
      defer { places[index].lastSeen = hash }
      return (nil, places[index].lastSeen == hash)
    }
    if let reply { return .reply(reply) }
    return isKnown ? .wanted(Array(image)) : .unknown
  }

  /// Keeps a reply, in place of the one that was there.
  func keep(_ reply: StandingReply) {
    guard reply.response.bodySize <= Self.largestBody else { return }
    let index = Self.index(reply.image.withUnsafeBytes(RequestImage.hash))
    let former = places.withLock { places in
      defer { places[index].reply = reply }
      return places[index].reply
    }
    // The last reference may free a reply and run code of a handler: never under the lock.
    _ = former
  }

  /// Lets a reply go whose condition holds no longer.
  func forget(_ reply: StandingReply) {
    let index = Self.index(reply.image.withUnsafeBytes(RequestImage.hash))
    places.withLock { places in
      // The caller has a reference, so that the last one is not let go under the lock.
      if places[index].reply === reply { places[index].reply = nil }
    }
  }

  private static func index(_ hash: UInt64) -> Int { Int(hash & UInt64(placeCount - 1)) }
}
