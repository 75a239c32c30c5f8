import Dispatch
import HTTPTypes
import MicroHTTP
import Synchronization
import TestSupport
import Testing

/// Collects the responders of parked requests for a test.
final class ParkingLot: Sendable {
  struct Late: Error {}

  private let responders = Mutex<[Responder]>([])
  private let arrived = DispatchSemaphore(value: 0)
  private let abandoned = DispatchSemaphore(value: 0)

  func add(_ responder: Responder) {
    responders.withLock { $0.append(responder) }
    arrived.signal()
  }

  /// Waits for the next responder and takes it.
  func next() throws -> Responder {
    try awaitArrival()
    return responders.withLock { $0.removeFirst() }
  }

  /// Takes all responders without waiting.
  func takeAll() -> [Responder] {
    responders.withLock { responders in
      defer { responders = [] }
      return responders
    }
  }

  func noteArrival() { arrived.signal() }

  func awaitArrival() throws {
    guard arrived.waitPatiently() else { throw Late() }
  }

  /// Adds a route, `/slow`, whose task waits until it is cancelled.
  func addWaitingTask(to router: inout Router, startsAtOnce: Bool) {
    router.on(.post, "/slow", startsAtOnce: { _ in startsAtOnce }) { [self] _ in
      noteArrival()
      await withTaskCancellationHandler {
        await waitForCancellation()
      } onCancel: {
        noteAbandonment()
      }
      return Response(status: .ok)
    }
  }

  /// Suspends until the task is cancelled.
  func waitForCancellation() async {
    // The stream has no elements; the loop over it ends when the task is cancelled.
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
    continuation.finish()
  }

  func noteAbandonment() { abandoned.signal() }

  func awaitAbandonment() throws {
    guard abandoned.waitPatiently() else { throw Late() }
  }
}

extension Router {
  /// Adds a route that parks its requests in a lot, and one that answers at once.
  mutating func park(on lot: ParkingLot) {
    route(.get, "/park") { _ in .later { lot.add($0) } }
    get("/now") { _ in Response(status: .ok, body: Array("now".utf8)) }
  }
}

/// A route whose handler blocks its serving thread until the test releases it.
final class BlockingRoute: Sendable {
  private let arrived = DispatchSemaphore(value: 0)
  private let released = DispatchSemaphore(value: 0)

  /// Adds the route, `/block`.
  func add(to router: inout Router) {
    router.get("/block") { [arrived, released] _ in
      arrived.signal()
      _ = released.waitPatiently()
      return Response(status: .noContent)
    }
  }

  /// Runs a closure while the threads of these connections are blocked, each of a different thread.
  func hold<Result>(_ clients: [SocketClient], while body: () throws -> Result) throws -> Result {
    let result = Swift.Result {
      for client in clients {
        try client.send("GET /block HTTP/1.1\r\nHost: t\r\n\r\n")
        guard arrived.waitPatiently() else { throw ParkingLot.Late() }
      }
      return try body()
    }
    for _ in clients { released.signal() }
    let value = try result.get()
    for client in clients { #expect(try client.readReply().status == 204) }
    return value
  }
}
