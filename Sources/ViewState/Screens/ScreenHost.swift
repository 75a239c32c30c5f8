import Synchronization

/// All instances of one kind of screen, made when they are first asked for.
final class ScreenHost<S: Screen>: AnyScreenHost {
  private let screen: S
  private let environment: ScreenEnvironment
  private let instances = Mutex<[ScreenKey: Interactor<S>]>([:])

  init(_ screen: S, environment: ScreenEnvironment) {
    self.screen = screen
    self.environment = environment
  }

  var descriptor: ScreenDescriptor { screen.descriptor }

  var stateMachines: [StateMachine] { screen.stateMachines }

  func instance(for name: String) throws(ScreenLookupError) -> any ScreenInstance {
    let key = ScreenKey(name: name)
    if let known = instances.withLock({ $0[key] }) { return known }
    let made = try make(key)
    // Two threads may have made one at once: the first to get here wins, and the other's is let
    // go before anyone has seen it.
    let winner = instances.withLock { instances in
      let winner = instances[key] ?? made
      instances[key] = winner
      return winner
    }
    if winner !== made { made.inbox.postRemoval()() }
    // The key may have gone before its instance was filed, when there was nothing to forget yet.
    if winner.isEnded {
      forget(key, winner.epoch)
      throw .deletedKey
    }
    return winner
  }

  /// Makes an instance; once more where a write came between its state and its subscription.
  private func make(_ key: ScreenKey) throws(ScreenLookupError) -> Interactor<S> {
    while true {
      let made = Interactor(
        screen: screen, key: key.name, state: try screen.initialState(for: key.name),
        environment: environment, onRemoval: { [weak self] in self?.forget(key, $0) })
      if let made { return made }
    }
  }

  func contains(_ epoch: RevisionEpoch) -> Bool {
    instances.withLock { $0.values.contains { $0.epoch == epoch } }
  }

  private func forget(_ key: ScreenKey, _ epoch: RevisionEpoch) {
    instances.withLock { instances in
      if instances[key]?.epoch == epoch { instances[key] = nil }
    }
  }
}

/// A key of a screen. Swift's strings compare by canonical equivalence; two keys are the same only
/// where their bytes are.
private struct ScreenKey: Hashable, Sendable {
  let name: String

  static func == (left: ScreenKey, right: ScreenKey) -> Bool {
    left.name.utf8.elementsEqual(right.name.utf8)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(name)
  }
}
