import Dispatch
import HTTPTypes
import MicroHTTP
import Synchronization

/// A stream of the latest number, in pieces of a fixed size: what a client has no room for, it misses.
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

  /// How often the server asked.
  var asked: Int { state.withLock { $0.asked } }

  /// Sets the number and says so, without a lock.
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
    guard over.wait(timeout: .now() + 30) == .success else { throw ParkingLot.Late() }
  }
}
