import CanonicalJSON
import DequeModule
import Synchronization

/// An incident of a view model that is kept for clients, which list the newest ones.
package struct LoggedIncident: Hashable, Sendable {
  /// The time of the input that made the incident; if none made it, the time at which it was recorded.
  package let time: Timestamp
  /// The revision that was current then; `nil` if none is known.
  package let revision: RevisionToken?
  /// The kind of the incident.
  package let kind: ScreenIncident.Kind
}

/// Records incidents: passes them to the log of the operator, and keeps the newest of each view model.
final class IncidentLog: Sendable {
  /// The largest number of incidents kept for one view model, and for all together. So one view model with many
  /// incidents does not drop those of the others.
  static let (limitOfOne, limit) = (50, 1_000)

  private struct State: Sendable {
    /// The incidents by the names of view models, oldest first.
    var kept: [Text: Deque<LoggedIncident>] = [:]
    /// The name of each kept incident, oldest first.
    var order: Deque<Text> = []
    var totals: [ScreenIncident.Kind.Name: Int] = [:]

    mutating func add(_ incident: LoggedIncident, of name: Text) {
      totals[incident.kind.name, default: 0] += 1
      let own = kept[name] ?? []
      // Otherwise, a client that repeats a command would push the failures out of the list.
      if incident.kind.name == .transition, own.contains(where: { $0.kind == incident.kind }) {
        return
      }
      if own.count == limitOfOne, let first = order.firstIndex(of: name) {
        drop(first)
      } else if order.count == limit {
        drop(0)
      }
      kept[name, default: []].append(incident)
      order.append(name)
    }

    /// Drops the incident at an index, which is the oldest one of its view model.
    private mutating func drop(_ index: Int) {
      let name = order.remove(at: index)
      kept[name]?.removeFirst()
      if kept[name]?.isEmpty == true { kept[name] = nil }
    }

    mutating func removeAll(of name: Text) {
      if kept.removeValue(forKey: name) != nil { order.removeAll { $0 == name } }
    }
  }

  private let environment: ScreenEnvironment
  private let state = Mutex(State())
  private let silence = Atomic(false)

  /// Whether incidents are kept and not logged, because an earlier process has logged them.
  var isSilent: Bool {
    get { silence.load(ordering: .relaxed) }
    set { silence.store(newValue, ordering: .relaxed) }
  }

  init(_ environment: ScreenEnvironment) {
    self.environment = environment
  }

  /// Records an incident. An action that the state did not allow is kept once.
  ///
  /// - Parameters:
  ///   - name: The name of the view model, with its session; that of the incident unless given.
  ///   - time: The time of the input that made it, which another process that applies the input has too; unless given,
  ///     the current time.
  /// - Complexity: O(*n*), where *n* is the number of kept incidents, at most 1,000.
  func record(
    _ incident: ScreenIncident, of name: Text? = nil, at revision: RevisionToken? = nil,
    _ time: Timestamp? = nil
  ) {
    let logged = LoggedIncident(
      time: time ?? environment.now(), revision: revision, kind: incident.kind)
    state.withLock { $0.add(logged, of: name ?? incident.screen) }
    if !isSilent { environment.record(incident) }
  }

  /// Returns the kept incidents of a view model, newest first.
  func incidents(of name: Text) -> [LoggedIncident] {
    state.withLock { $0.kept[name]?.reversed() ?? [] }
  }

  /// The number of all incidents of each kind, also of those that are no longer kept.
  var totals: [ScreenIncident.Kind.Name: Int] { state.withLock { $0.totals } }

  /// Forgets the incidents of a view model whose key was removed.
  func removeAll(of name: Text) { state.withLock { $0.removeAll(of: name) } }
}
