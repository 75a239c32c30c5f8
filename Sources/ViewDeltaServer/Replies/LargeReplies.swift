import MicroHTTP
import Synchronization

/// Makes large replies on another thread than those that serve connections: all connections of such a thread
/// would wait, 14 ms for each MiB that is compressed and 1 ms for one that is not.
///
/// It makes one reply at a time. So a reply that many ask for is made for the first of them, and commands
/// always find a thread.
final class LargeReplies: Sendable {
  /// The size of the largest content that is compressed while other connections wait, in bytes.
  private static let briefContent = 128 * 1024
  /// The size of the largest content that is only encoded while other connections wait, in bytes.
  private static let briefPlainContent = 1024 * 1024

  /// The number of requests that may wait for their replies. One more gets plain content.
  static let limit = 1_000

  private actor Press {
    func run(_ work: () -> Void) { work() }
  }

  private let press = Press()
  private let waiting = Atomic<Int>(0)

  /// Returns whether a reply does not take long to make.
  ///
  /// - Parameters:
  ///   - representation: The representation that the client prefers.
  ///   - byteCount: The size of the content in bytes, at most.
  func isBrief(_ representation: Representation, upTo byteCount: Int) -> Bool {
    byteCount
      <= (representation.coding == .identity ? Self.briefPlainContent : Self.briefContent)
  }

  /// Makes a reply, on another thread if that takes long.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - representation: The representation that the client prefers.
  ///   - byteCount: The size of the content in bytes, at most.
  ///   - make: Makes the reply in a representation, which has plain content if too many requests wait.
  /// - Throws: The problems of `make` if it is called at once.
  func reply(
    to request: Request, as representation: Representation, upTo byteCount: Int,
    _ make: @escaping @Sendable (Representation) throws(ProblemDetails) -> Reply
  ) throws(ProblemDetails) -> Reply {
    if isBrief(representation, upTo: byteCount) { return try make(representation) }
    guard waiting.add(1, ordering: .relaxed).newValue <= Self.limit else {
      waiting.subtract(1, ordering: .relaxed)
      return try make(Representation(format: representation.format, coding: .identity))
    }
    return .later { [self] responder in
      Task {
        await press.run {
          responder.respond(to: request) { () throws(ProblemDetails) in
            try make(representation)
          }
        }
        waiting.subtract(1, ordering: .relaxed)
      }
    }
  }
}
