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
    /// The incidents by the names of view models, oldest first, each with its number.
    var kept: [Text: Deque<(number: Int, incident: LoggedIncident)>] = [:]
    /// The incidents in the order of their numbers; one that is no longer kept is skipped.
    var order: Deque<(number: Int, name: Text)> = []
    var count = 0
    var lastNumber = 0
    var totals: [ScreenIncident.Kind.Name: Int] = [:]

    mutating func add(_ incident: LoggedIncident, of name: Text) {
      totals[incident.kind.name, default: 0] += 1
      // Otherwise, a client that repeats a command would push the failures out of the list.
      if incident.kind.name == .transition,
        kept[name]?.contains(where: { $0.incident.kind == incident.kind }) == true
      {
        return
      }
      lastNumber += 1
      kept[name, default: []].append((lastNumber, incident))
      order.append((lastNumber, name))
      count += 1
      if kept[name].map({ $0.count > limitOfOne }) == true { dropFirst(of: name) }
      while count > limit, let oldest = order.popFirst() {
        if kept[oldest.name]?.first?.number == oldest.number { dropFirst(of: oldest.name) }
      }
      // Entries that are no longer kept go all at once, after as many were added.
      if order.count > 2 * limit {
        order.removeAll { entry in
          kept[entry.name]?.first.map { $0.number > entry.number } ?? true
        }
      }
    }

    private mutating func dropFirst(of name: Text) {
      kept[name]?.removeFirst()
      count -= 1
      if kept[name]?.isEmpty == true { kept[name] = nil }
    }

    mutating func removeAll(of name: Text) {
      count -= kept.removeValue(forKey: name)?.count ?? 0
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
  /// - Complexity: O(1) amortised; for an action that the state did not allow O(*n*), where *n* is the number of
  ///   incidents that are kept of the view model, at most 50.
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
    state.withLock { $0.kept[name]?.reversed().map(\.incident) ?? [] }
  }

  /// The number of all incidents of each kind, also of those that are no longer kept.
  var totals: [ScreenIncident.Kind.Name: Int] { state.withLock { $0.totals } }

  /// Forgets the incidents of a view model whose key was removed.
  func removeAll(of name: Text) { state.withLock { $0.removeAll(of: name) } }
}
