import Synchronization

/// Whether the server wants new work.
final class Readiness: Sendable {
  private let state = Atomic(true)

  var isReady: Bool { state.load(ordering: .relaxed) }

  /// From now on the answer is no.
  func end() {
    state.store(false, ordering: .relaxed)
  }
}
