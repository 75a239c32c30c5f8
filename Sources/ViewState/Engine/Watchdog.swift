import CanonicalJSON
import Synchronization

/// Records an input that is not done after a second, while it still runs.
///
/// One timer serves many inputs. It is set when an input begins and none is set, so there is at most one
/// each second, and none while no input comes.
final class Watchdog: Sendable {
  /// How long an input may take.
  static let limit = Duration.seconds(1)
  /// How late the timer may be.
  private static let tolerance = Duration.milliseconds(100)

  private struct Running: Sendable {
    let position: Int
    let input: any Input
    let since: Duration
    /// The instance that the input has reached.
    var instance: Text?
    var isRecorded = false
  }

  private struct State: Sendable {
    var running: Running?
    var isSet = false
  }

  private let environment: ScreenEnvironment
  private let state = Mutex(State())

  init(_ environment: ScreenEnvironment) {
    self.environment = environment
  }

  /// Notes that an input begins.
  func begin(_ input: some Input, at position: Int) {
    let now = environment.scheduler.now
    state.withLock { state in
      state.running = Running(position: position, input: input, since: now)
      if !state.isSet { set(&state, after: Self.limit) }
    }
  }

  /// Notes which instance the input has reached.
  func reach(_ instance: Text) {
    state.withLock { $0.running?.instance = instance }
  }

  /// Notes that the input is done.
  func end() {
    state.withLock { $0.running = nil }
  }

  private func set(_ state: inout State, after delay: Duration) {
    state.isSet = true
    _ = environment.scheduler.schedule(after: delay, tolerance: Self.tolerance) { [weak self] in
      self?.look()
    }
  }

  private func look() {
    let now = environment.scheduler.now
    let late = state.withLock { state -> Running? in
      state.isSet = false
      guard let running = state.running, !running.isRecorded else { return nil }
      let rest = running.since + Self.limit - now
      if rest > .zero {
        set(&state, after: rest)
        return nil
      }
      state.running?.isRecorded = true
      return running
    }
    guard let late else { return }
    environment.record(
      ScreenIncident(
        screen: late.instance ?? late.input.subject, kind: .overdue(position: late.position)))
  }
}
