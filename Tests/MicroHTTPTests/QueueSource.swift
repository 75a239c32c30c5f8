import Dispatch
import HTTPTypes
import MicroHTTP
import Synchronization

/// A stream whose pieces a test pushes.
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

  /// How often the server asked.
  var asked: Int { state.withLock { $0.asked } }
  /// How often the server said that the stream is over.
  var ends: Int { state.withLock { $0.ends } }

  /// Adds a step and says so.
  func push(_ step: StreamStep) {
    state.withLock { $0.steps.append(step) }
    signal.raise()
  }

  /// Adds a piece and says so.
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
    guard over.wait(timeout: .now() + 30) == .success else { throw ParkingLot.Late() }
  }
}
