import Glibc

/// The cache of standing replies of a serving thread, keyed by request images. Only this thread
/// uses it.
///
/// A polling client repeats a request byte for byte until there is news, and clients with the same
/// software send equal requests. Checking, routing and negotiating such a request took a fifth of
/// the processor time of its reply; the look-up takes a twentieth.
///
/// The cache has a fixed number of places, and each image maps to one of them. The first request
/// with an image is only recorded; a reply is stored from the second one on. So a request that
/// comes once replaces no reply and uses no memory. A place stores a body of at most
/// ``largestBody`` bytes.
final class StandingReplies {
  /// The number of places in the caches of all threads of a server together.
  static let placeCount = 256
  /// The size of the largest body that is stored, in bytes. Sending a larger one costs much more
  /// than the look-up saves.
  private static let largestBody = 64 * 1024

  /// The result of looking up an image.
  enum Recall: Sendable {
    /// There is a reply, which is valid if its condition still holds.
    case reply(StandingReply)
    /// The image came before; store a standing reply to it under this image.
    case wanted([UInt8])
    /// The image is new.
    case unknown

    var isWanted: Bool { if case .wanted = self { true } else { false } }
  }

  private struct Place {
    /// The hash of the last image that had no reply here.
    var lastSeen: UInt64 = 0
    var reply: StandingReply?
  }

  private var places: [Place]

  /// Creates an empty cache.
  ///
  /// - Parameter count: The number of places, at least 1; rounded down to a power of two.
  init(places count: Int) {
    places = [Place](repeating: Place(), count: 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount))
  }

  /// Looks up an image and records that it came.
  ///
  /// - Complexity: O(n), where n is the size of the image, without an allocation unless the result
  ///   is ``Recall/wanted(_:)``.
  func recall(_ image: UnsafeRawBufferPointer) -> Recall {
    let hash = RequestImage.hash(image)
    let index = index(of: hash)
    if let reply = places[index].reply, reply.answers(image) { return .reply(reply) }
    if places[index].lastSeen == hash { return .wanted(Array(image)) }
    places[index].lastSeen = hash
    return .unknown
  }

  /// Stores a reply in its place and removes the previous one.
  func keep(_ reply: StandingReply) {
    guard reply.response.bodySize <= Self.largestBody else { return }
    let index = index(of: reply.image.withUnsafeBytes(RequestImage.hash))
    // Freeing the previous reply can run code of a handler, so this happens after the place is
    // consistent again.
    let former = places[index].reply
    places[index].reply = reply
    _ = former
  }

  /// Removes a reply whose condition no longer holds. The caller must hold a reference.
  func forget(_ reply: StandingReply) {
    let index = index(of: reply.image.withUnsafeBytes(RequestImage.hash))
    if places[index].reply === reply { places[index].reply = nil }
  }

  private func index(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (places.count - 1) }
}

/// A reply to all requests with one image as long as its condition holds.
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

  /// Returns whether this is the reply to requests with an image.
  func answers(_ image: UnsafeRawBufferPointer) -> Bool {
    guard self.image.count == image.count, let start = image.baseAddress else { return false }
    return self.image.withUnsafeBytes { $0.baseAddress.map { memcmp($0, start, image.count) } == 0 }
  }
}

/// The bytes that identify a request without a body: its method, target, version and header fields.
/// Two requests with the same image are equal.
///
/// Each part is preceded by its length, so that different lists of parts have different images. The
/// bytes are in borrowed memory; a request that does not fit has no image.
struct RequestImage {
  /// The size of the largest image in bytes. Temporary memory of this size is on the stack.
  static let capacity = 1024

  private let memory: UnsafeMutableRawBufferPointer
  private var count = 0
  private var isTooLarge = false

  init(in memory: UnsafeMutableRawBufferPointer) {
    self.memory = memory
  }

  /// Appends a part.
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

  /// Returns a hash of an image. It need not resist attacks: a collision only evicts a reply from
  /// the cache.
  fileprivate static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(bytes.count)
    func mix(wordAt index: Int) {
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
      hash ^= hash &>> 32
    }
    let end = bytes.count - 8
    for index in stride(from: 0, to: end, by: 8) { mix(wordAt: index) }
    // The last word overlaps the one before. An image has more bytes than a word: three lengths, a method
    // and a version.
    mix(wordAt: end)
    return hash
  }
}
