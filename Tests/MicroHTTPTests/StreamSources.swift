import Dispatch
import HTTPTypes
import MicroHTTP
import Synchronization
import TestSupport

/// A stream of the latest number, in pieces of a fixed size. A slow client misses numbers.
final class LatestSource: StreamSource {
  private struct State {
    var latest = 0
    var sent = 0
    var asked = 0
  }

  let signal: StreamSignal
  private let size: Int
  private let state = Mutex(State())
  private let over = DispatchSemaphore(value: 0)

  init(_ signal: StreamSignal, size: Int) {
    self.signal = signal
    self.size = size
  }

  /// The number of calls of ``next()``.
  var asked: Int { state.withLock { $0.asked } }

  /// Sets the number and raises the signal, without a lock.
  func set(_ number: Int) {
    state.withLock { $0.latest = number }
    signal.raise()
  }

  func next() -> StreamStep {
    let number = state.withLock { state in
      state.asked += 1
      defer { state.sent = state.latest }
      return state.sent < state.latest ? state.latest : nil
    }
    guard let number else { return .wait }
    let text = Array("\(number)".utf8)
    let fill = [UInt8](repeating: UInt8(ascii: " "), count: size - 1 - text.count)
    return .send(Response(status: .ok, body: text + fill + [UInt8(ascii: "\n")]))
  }

  func ended() { over.signal() }

  func awaitEnd() throws {
    guard over.waitPatiently() else { throw ParkingLot.Late() }
  }
}

/// A stream of pieces that a test pushes.
final class QueueSource: StreamSource {
  private struct State {
    var steps: [StreamStep] = []
    var asked = 0
    var ends = 0
  }

  let signal: StreamSignal
  private let state = Mutex(State())
  private let over = DispatchSemaphore(value: 0)

  init(_ signal: StreamSignal) { self.signal = signal }

  /// The number of calls of ``next()``.
  var asked: Int { state.withLock { $0.asked } }
  /// The number of calls of ``ended()``.
  var ends: Int { state.withLock { $0.ends } }

  /// Adds a step and raises the signal.
  func push(_ step: StreamStep) {
    state.withLock { $0.steps.append(step) }
    signal.raise()
  }

  /// Adds a piece and raises the signal.
  func push(_ text: String) { push(.send(Response(status: .ok, body: Array(text.utf8)))) }

  func next() -> StreamStep {
    state.withLock { state in
      state.asked += 1
      return state.steps.isEmpty ? .wait : state.steps.removeFirst()
    }
  }

  func ended() {
    state.withLock { $0.ends += 1 }
    over.signal()
  }

  func awaitEnd() throws {
    guard over.waitPatiently() else { throw ParkingLot.Late() }
  }
}

/// Collects the sources of opened streams for a test, in the order of opening.
final class StreamLot<Source: StreamSource>: Sendable {
  private let sources = Mutex<[Source]>([])
  private let opened = DispatchSemaphore(value: 0)

  func add(_ source: Source) -> Source {
    sources.withLock { $0.append(source) }
    opened.signal()
    return source
  }

  /// Waits for the next source and takes it.
  func next() throws -> Source {
    guard opened.waitPatiently() else { throw ParkingLot.Late() }
    return sources.withLock { $0.removeFirst() }
  }

  /// Whether no source is left to take.
  var isEmpty: Bool { sources.withLock { $0.isEmpty } }
}

extension Router {
  /// Adds a route that opens streams, and one for ordinary requests.
  mutating func stream<Source: StreamSource>(
    to lot: StreamLot<Source>, at path: String = "/stream",
    _ make: @escaping @Sendable (StreamSignal) -> Source
  ) {
    route(.get, path) { _ in
      .stream(fields: [.contentType: "text/event-stream", .cacheControl: "no-store"]) { signal in
        lot.add(make(signal))
      }
    }
    get("/now") { _ in Response(status: .ok, body: Array("now".utf8)) }
  }
}

/// A request for a stream.
let streamRequest = "GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n"

/// Runs a closure on a thread of its own.
struct Writer: Sendable {
  private let group = DispatchGroup()

  init(_ body: @escaping @Sendable () -> Void) {
    // A new queue gets a thread at once, even if many others are blocked.
    DispatchQueue(label: "writer").async(group: group, execute: DispatchWorkItem(block: body))
  }

  /// Waits until the closure has returned.
  func wait() { group.wait() }
}
