import CanonicalJSON
import Synchronization

/// Records code of screens and stores that is not done after a second, while it still runs: an input, or
/// the making of a view model for its first reader.
///
/// One timer serves many of them. It is set when one begins and none is set, so there is at most one each
/// second, and none while nothing begins.
final class Watchdog: Sendable {
  /// The time that an input, or the making of a view model, may take.
  static let limit = Duration.seconds(1)
  /// The time by which the timer may be late.
  private static let tolerance = Duration.milliseconds(100)

  private struct Running: Sendable {
    /// `nil` if a view model is made.
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
    /// The input that is applied; `nil` if none is.
    var input: Running?
    /// The view models that are made.
    var views: [Int: Running] = [:]
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
    let running = Running(input: (position, input), since: environment.scheduler.now)
    state.withLock { state in
      state.input = running
      setUnlessSet(&state)
    }
  }

  /// Notes which instance the input has reached.
  func reach(_ instance: Text) {
    state.withLock { $0.input?.instance = instance }
  }

  /// Notes that the input is done.
  func end() {
    state.withLock { $0.input = nil }
  }

  /// Makes the view model of an instance for its first reader.
  func watch<Made, Failure: Error>(
    _ instance: Text, _ make: () throws(Failure) -> Made
  ) throws(Failure) -> Made {
    let running = Running(input: nil, since: environment.scheduler.now, instance: instance)
    let number = state.withLock { state in
      state.count += 1
      state.views[state.count] = running
      setUnlessSet(&state)
      return state.count
    }
    defer { state.withLock { $0.views[number] = nil } }
    return try make()
  }

  private func setUnlessSet(_ state: inout State) {
    if !state.isSet { set(&state, after: Self.limit) }
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
      func checked(_ running: Running) -> Running {
        if running.isRecorded { return running }
        let rest = running.since + Self.limit - now
        if rest > .zero {
          next = min(next ?? rest, rest)
          return running
        }
        late.append(running.incident)
        var running = running
        running.isRecorded = true
        return running
      }
      state.input = state.input.map(checked)
      state.views = state.views.mapValues(checked)
      if let next { set(&state, after: next) }
      return late
    }
    for incident in late { incidents.record(incident) }
  }
}
