import Dispatch
import HTTPTypes
import MicroHTTP
import TestSupport
import Testing

/// A route whose handler returns when the test says so, and holds its serving thread up until then.
final class BlockingRoute: Sendable {
  private let arrived = DispatchSemaphore(value: 0)
  private let released = DispatchSemaphore(value: 0)

  /// Adds the route, `/block`.
  func add(to router: inout Router) {
    router.get("/block") { [arrived, released] _ in
      arrived.signal()
      _ = released.wait(timeout: .now() + 30)
      return Response(status: .noContent)
    }
  }

  /// Runs a body while the threads of these connections serve nobody, each connection of another thread.
  func hold<Result>(_ clients: [SocketClient], while body: () throws -> Result) throws -> Result {
    let result = Swift.Result {
      for client in clients {
        try client.send("GET /block HTTP/1.1\r\nHost: t\r\n\r\n")
        guard arrived.wait(timeout: .now() + 30) == .success else { throw ParkingLot.Late() }
      }
      return try body()
    }
    for _ in clients { released.signal() }
    let value = try result.get()
    for client in clients { #expect(try client.readReply().status == 204) }
    return value
  }
}
