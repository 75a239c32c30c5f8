import Dispatch
import HTTPTypes
import MicroHTTP
import Synchronization

/// Where tests find the sources of the streams that a server has opened, in their order.
final class StreamLot<Source: StreamSource>: Sendable {
  private let sources = Mutex<[Source]>([])
  private let opened = DispatchSemaphore(value: 0)

  func add(_ source: Source) -> Source {
    sources.withLock { $0.append(source) }
    opened.signal()
    return source
  }

  /// Waits for the next source.
  func next() throws -> Source {
    guard opened.wait(timeout: .now() + 30) == .success else { throw ParkingLot.Late() }
    return sources.withLock { $0.removeFirst() }
  }

  /// Whether there is a source that nobody waited for.
  var isEmpty: Bool { sources.withLock { $0.isEmpty } }
}

extension Router {
  /// A path that opens streams of a test, and one for ordinary requests.
  mutating func stream<Source: StreamSource>(
    to lot: StreamLot<Source>, _ make: @escaping @Sendable (StreamSignal) -> Source
  ) {
    route(.get, "/stream") { _ in
      .stream(fields: [.contentType: "text/event-stream", .cacheControl: "no-store"]) { signal in
        lot.add(make(signal))
      }
    }
    get("/now") { _ in Response(status: .ok, body: Array("now".utf8)) }
  }
}

/// A request for a stream.
let streamRequest = "GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n"
