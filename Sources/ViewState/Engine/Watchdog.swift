import CanonicalJSON
import Synchronization

/// Records code of screens and stores that is not done after a second, while it still runs: an input, or
/// the first view of an instance, which is made for a reader.
///
/// One timer serves many of them. It is set when one begins and none is set, so there is at most one each
/// second, and none while nothing begins.
final class Watchdog: Sendable {
  /// The time that an input or a first view may take.
  static let limit = Duration.seconds(1)
  /// The time by which the timer may be late.
  private static let tolerance = Duration.milliseconds(100)

  private struct Running: Sendable {
    /// `nil` for a first view.
    let input: (position: Int, value: any Input)?
    let since: Duration
    /// The instance that is reached.
    var instance: Text?
    var isRecorded = false

    var incident: ScreenIncident {
      ScreenIncident(
        screen: instance ?? input?.value.subject ?? "", kind: .overdue(position: input?.position))
    }
  }

  private struct State: Sendable {
    var running: [Int: Running] = [:]
    /// The number of the input in `running`.
    var input: Int?
    var count = 0
    var isSet = false
  }

  private let environment: ScreenEnvironment
  private let incidents: IncidentLog
  private let state = Mutex(State())

  init(_ environment: ScreenEnvironment, _ incidents: IncidentLog) {
    self.environment = environment
    self.incidents = incidents
  }

  /// Notes that an input begins.
  func begin(_ input: some Input, at position: Int) {
    let number = begin(Running(input: (position, input), since: environment.scheduler.now))
    state.withLock { $0.input = number }
  }

  /// Notes which instance the input has reached.
  func reach(_ instance: Text) {
    state.withLock { state in
      if let input = state.input { state.running[input]?.instance = instance }
    }
  }

  /// Notes that the input is done.
  func end() {
    state.withLock { state in
      if let input = state.input { state.running[input] = nil }
    }
  }

  /// Makes the first view of an instance for a reader.
  func watch<Made, Failure: Error>(
    _ instance: Text, _ make: () throws(Failure) -> Made
  ) throws(Failure) -> Made {
    let number = begin(
      Running(input: nil, since: environment.scheduler.now, instance: instance))
    defer { state.withLock { $0.running[number] = nil } }
    return try make()
  }

  private func begin(_ running: Running) -> Int {
    state.withLock { state in
      state.count += 1
      state.running[state.count] = running
      if !state.isSet { set(&state, after: Self.limit) }
      return state.count
    }
  }

  private func set(_ state: inout State, after delay: Duration) {
    state.isSet = true
    _ = environment.scheduler.schedule(after: delay, tolerance: Self.tolerance) { [weak self] in
      self?.look()
    }
  }

  private func look() {
    let now = environment.scheduler.now
    let late = state.withLock { state -> [ScreenIncident] in
      state.isSet = false
      var late: [ScreenIncident] = []
      var next: Duration?
      for (number, running) in state.running where !running.isRecorded {
        let rest = running.since + Self.limit - now
        if rest > .zero {
          next = min(next ?? rest, rest)
        } else {
          state.running[number]?.isRecorded = true
          late.append(running.incident)
        }
      }
      if let next { set(&state, after: next) }
      return late
    }
    for incident in late { incidents.record(incident) }
  }
}
