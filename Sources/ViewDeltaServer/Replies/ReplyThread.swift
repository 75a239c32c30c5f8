import MicroHTTP
import Synchronization
import ViewState

/// Makes replies that take long on a thread of its own. All connections of a thread that serves them would wait, 8 ms
/// for each MiB that is compressed and 1 ms for one that is not, and inputs would wait for a thread of Swift's pool.
///
/// It makes one reply at a time, in the order of the requests, and none for a client that has left by then. So a reply
/// that many ask for is made for the first of them. A reply that waits for something holds up no other one.
final class ReplyThread: Sendable {
  /// The size of the largest content that is compressed while other connections wait, in bytes.
  private static let briefContent = 128 * 1024
  /// The size of the largest content that is only encoded while other connections wait, in bytes.
  static let briefPlainContent = 1024 * 1024

  /// The number of requests that may wait for their replies. One more gets plain content, if that does not take long.
  static let limit = 1_000

  private let thread = OutsideThreads(count: 1)
  private let waiting = Atomic<Int>(0)

  /// Returns whether a reply does not take long to make.
  ///
  /// - Parameters:
  ///   - representation: The representation that the client prefers.
  ///   - byteCount: The size of the content in bytes, at most.
  static func isBrief(_ representation: Representation, upTo byteCount: Int) -> Bool {
    byteCount <= (representation.coding == .identity ? briefPlainContent : briefContent)
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
    if Self.isBrief(representation, upTo: byteCount) { return try make(representation) }
    let plain = representation.plain
    if waiting.load(ordering: .relaxed) >= Self.limit, Self.isBrief(plain, upTo: byteCount) {
      return try make(plain)
    }
    return reply(to: request) { () throws(ProblemDetails) in try make(representation) }
  }

  /// Makes a reply on another thread.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - make: Makes the reply, which must not be a stream.
  func reply(
    to request: Request, _ make: @escaping @Sendable () throws(ProblemDetails) -> Reply
  ) -> Reply {
    waiting.add(1, ordering: .relaxed)
    return .later { [self] responder in
      run { [self] in
        responder.respond(to: request, make)
        waiting.subtract(1, ordering: .relaxed)
      }
    }
  }

  /// Does work for a reply on the other thread, on which other replies are made while it awaits something.
  func run(_ work: @escaping @Sendable () async -> Void) {
    Task(executorPreference: thread, operation: work)
  }
}

extension Responder {
  /// Answers a parked request with a reply that is made now, unless its client has left.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - reply: Makes the reply, which must not be a stream.
  func respond(to request: Request, _ reply: () throws(ProblemDetails) -> Reply) {
    guard isWaiting else { return }
    do throws(ProblemDetails) {
      switch try reply() {
      case .now(let response), .standing(let response, _): respond(response)
      case .later(let park): park(self)
      // Without a response the client gets a 500.
      case .stream: return
      }
    } catch {
      respond(error.response(instance: request.path))
    }
  }
}
