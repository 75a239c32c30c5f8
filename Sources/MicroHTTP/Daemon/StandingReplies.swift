import CMicroHTTPD
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
  enum Recall {
    /// There is a reply, which is valid if its condition still holds.
    case reply(StandingReply)
    /// The image came before, so a reply to it is worth keeping.
    case wanted
    /// The image is new.
    case unknown
  }

  private final class Place {
    /// The hash of the last image that had no reply here.
    var lastSeen: UInt64 = 0
    var reply: StandingReply?
  }

  private let places: [Place]

  /// Creates an empty cache.
  ///
  /// - Parameter count: The number of places, at least 1; rounded down to a power of two.
  init(places count: Int) {
    places = (0..<1 << (Int.bitWidth - 1 - count.leadingZeroBitCount)).map { _ in Place() }
  }

  /// Looks up an image and records that it came.
  ///
  /// - Complexity: O(n), where n is the size of the head, without an allocation.
  func recall(_ image: RequestImage, _ target: Target) -> Recall {
    let hash = image.hash
    let place = place(of: hash)
    if let reply = place.reply, reply.answers(image, target) { return .reply(reply) }
    if place.lastSeen == hash { return .wanted }
    place.lastSeen = hash
    return .unknown
  }

  /// Stores a reply in its place and removes the previous one.
  func keep(_ reply: StandingReply) {
    guard reply.response.bodySize <= Self.largestBody else { return }
    place(of: reply.hash).reply = reply
  }

  /// Removes a reply whose condition no longer holds. The caller must hold a reference.
  func forget(_ reply: StandingReply) {
    let place = place(of: reply.hash)
    if place.reply === reply { place.reply = nil }
  }

  private func place(of hash: UInt64) -> Place {
    places[Int(truncatingIfNeeded: hash) & (places.count - 1)]
  }
}

/// A reply to all requests with one image and one target as long as its condition holds.
final class StandingReply: Sendable {
  let response: Response
  let condition: @Sendable () -> Bool
  /// The hash of the image.
  let hash: UInt64
  private let target: Target
  private let head: [UInt8]

  init(
    _ response: Response, while condition: @escaping @Sendable () -> Bool, to image: RequestImage,
    _ target: Target
  ) {
    self.response = response
    self.condition = condition
    self.target = target
    hash = image.hash
    head = Array(image.head)
  }

  /// Returns whether this is the reply to requests with an image and a target.
  func answers(_ image: RequestImage, _ target: Target) -> Bool {
    guard head.count == image.head.count else { return false }
    let hasSameHead = head.withUnsafeBytes { head in
      head.baseAddress.flatMap { head in
        image.head.baseAddress.map { memcmp(head, $0, image.head.count) }
      } == 0
    }
    return hasSameHead && (self.target === target || self.target.bytes == target.bytes)
  }
}

/// What identifies a request without a body beside its target: the bytes of its head as the parser has left them in
/// the memory of the connection. Two requests with the same image and the same target are equal if the lines of both
/// follow each other without a gap; see ``HeadLines``.
///
/// The parser replaces what separates two parts of a head by NULs. So heads with other separators, in which it finds
/// other fields, can have the same bytes after it. Their lines begin at other addresses. Since version 1.0 the parser
/// refuses NULs, and equal bytes are equal fields.
struct RequestImage {
  /// The sizes of heads that have an image, in bytes. The shortest request line has more than the least.
  private static let sizes = 16...1024

  fileprivate let head: UnsafeRawBufferPointer

  /// Returns the image of a request whose head is complete; `nil` if the head is too long.
  ///
  /// - Parameters:
  ///   - head: The address of the head.
  ///   - connection: The connection that received it.
  init?(head: UnsafePointer<UInt8>?, of connection: OpaquePointer) {
    let size = viewdelta_head_size(connection)
    guard let head, Self.sizes.contains(size) else { return nil }
    self.head = UnsafeRawBufferPointer(start: head, count: size)
  }

  /// A hash of the head. It need not resist attacks: a collision only evicts a reply from the cache.
  fileprivate var hash: UInt64 {
    // The processor computes the hash of the even words and that of the odd ones at the same time.
    var (even, odd) = (UInt64(head.count), UInt64(0))
    func mix(_ hash: UInt64, wordAt index: Int) -> UInt64 {
      let word = head.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let product = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
      return product ^ product &>> 32
    }
    func mix(wordsAt index: Int) {
      even = mix(even, wordAt: index)
      odd = mix(odd, wordAt: index + 8)
    }
    let end = head.count - 16
    for index in stride(from: 0, to: end, by: 16) { mix(wordsAt: index) }
    // The last words overlap the ones before.
    mix(wordsAt: end)
    return even &+ odd &* 3
  }
}
