import Dispatch
import HTTPTypes
import MicroHTTP
import Synchronization

/// Where tests find the responders of requests that a server has parked.
final class ParkingLot: Sendable {
  struct Late: Error {}

  private let responders = Mutex<[Responder]>([])
  private let arrived = DispatchSemaphore(value: 0)
  private let abandoned = DispatchSemaphore(value: 0)

  func add(_ responder: Responder) {
    responders.withLock { $0.append(responder) }
    arrived.signal()
  }

  /// Waits for the next responder.
  func next() throws -> Responder {
    try awaitArrival()
    return responders.withLock { $0.removeFirst() }
  }

  /// Takes all responders that are there.
  func takeAll() -> [Responder] {
    responders.withLock { responders in
      defer { responders = [] }
      return responders
    }
  }

  func noteArrival() { arrived.signal() }

  func awaitArrival() throws {
    guard arrived.wait(timeout: .now() + 30) == .success else { throw Late() }
  }

  /// Work that ends when its task is cancelled, and by nothing else.
  func waitForCancellation() async {
    // A stream that nobody writes to; the loop over it ends with the task.
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
    continuation.finish()
  }

  func noteAbandonment() { abandoned.signal() }

  func awaitAbandonment() throws {
    guard abandoned.wait(timeout: .now() + 30) == .success else { throw Late() }
  }
}

extension Router {
  /// A path that parks its requests in a lot, and one that does not.
  mutating func park(on lot: ParkingLot) {
    route(.get, "/park") { _ in .later { lot.add($0) } }
    get("/now") { _ in Response(status: .ok, body: Array("now".utf8)) }
  }
}
