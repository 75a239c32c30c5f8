import CanonicalJSON
import Synchronization

/// All instances of one kind of screen, made when they are first asked for.
///
/// The host knows its instances without keeping them: a ``ScreenKeeper`` keeps those that must stay,
/// and who waits for a change keeps what it waits for. An instance that is let go was never touched, so
/// it is made anew as it was, under the same epoch while it shows the same.
final class ScreenHost<S: Screen>: AnyScreenHost {
  private let screen: S
  private let environment: ScreenEnvironment
  private let epochs: EpochSource
  private let keeper: ScreenKeeper
  private let instances = Mutex(Instances<S>())

  init(
    _ screen: S, environment: ScreenEnvironment, epochs: EpochSource, keeper: ScreenKeeper
  ) {
    self.screen = screen
    self.environment = environment
    self.epochs = epochs
    self.keeper = keeper
  }

  var descriptor: ScreenDescriptor { screen.descriptor }

  var stateMachines: [StateMachine] { screen.stateMachines }

  func instance(for key: Text) throws(ScreenLookupError) -> any ScreenInstance {
    while true {
      let (known, generation) = instances.withLock { ($0[key], $0.generation) }
      if let known {
        if !known.isTouched { keeper.wasRead(known) }
        return known
      }
      // Once more if a write came between the state of the instance and its subscription, or if an
      // instance went that may have had its epoch.
      guard let made = try make(key, in: generation),
        let filed = instances.withLock({ $0.file(made, of: generation) })
      else { continue }
      // What touched it before it was filed could not have it kept.
      if filed.isTouched { keeper.keep(filed) } else { keeper.wasRead(filed) }
      // The key may have gone before its instance was filed, when there was nothing to forget yet.
      if filed.isEnded {
        ended(filed)
        throw .deletedKey
      }
      return filed
    }
  }

  private func make(
    _ key: Text, in generation: Int
  ) throws(ScreenLookupError) -> Interactor<S>? {
    Interactor(
      screen: screen, key: key, state: try screen.initialState(for: key),
      environment: environment, host: self
    ) { epochs.epoch(of: $0, showing: $1, generation: generation) }
  }

  func contains(_ epoch: RevisionEpoch) -> Bool {
    instances.withLock { $0.epochs.contains(epoch) }
  }

  /// An input has touched the instance: from now on it is the only one that knows its state.
  func touched(_ instance: Interactor<S>) {
    // One that is not filed is kept as soon as it is, and never if another was faster.
    if instances.withLock({ $0.contains(instance) }) { keeper.keep(instance) }
  }

  /// The history of an instance has grown.
  func published(_ instance: Interactor<S>) {
    keeper.historyGrew(of: instance)
  }

  /// What the key of an instance names was removed.
  func ended(_ instance: Interactor<S>) {
    instances.withLock { $0.remove(instance) }
    keeper.forget(instance)
  }

  /// Forgets an instance whose last reference was dropped.
  func released(_ id: ObjectIdentifier, of key: Text) {
    instances.withLock { $0.remove(id, key) }
  }
}

/// The instances of a host by their keys, held weakly, and their epochs.
///
/// Every reference to an instance that is made here is returned: the last one must not be dropped under
/// the lock of the host, which is taken once more when an instance goes.
private struct Instances<S: Screen>: Sendable {
  private struct Entry: Sendable {
    weak var instance: Interactor<S>?
    let id: ObjectIdentifier
    let epoch: RevisionEpoch
  }

  private var entries: [Text: Entry] = [:]
  /// The epochs of all entries.
  private(set) var epochs: Set<RevisionEpoch> = []
  /// How many touched instances have ended. Only an instance of the current generation is filed, so
  /// none gets the epoch of one that had more revisions than the first.
  private(set) var generation = 0

  subscript(key: Text) -> Interactor<S>? { entries[key]?.instance }

  /// Whether it is the instance of its key.
  func contains(_ instance: Interactor<S>) -> Bool {
    entries[instance.key]?.id == ObjectIdentifier(instance)
  }

  /// Files an instance that was made in a generation.
  ///
  /// - Returns: the instance of the key: another one if that was there before; `nil` if the generation
  ///   is over.
  mutating func file(_ made: Interactor<S>, of generation: Int) -> Interactor<S>? {
    let key = made.key
    if let known = self[key] { return known }
    guard generation == self.generation else { return nil }
    let entry = Entry(instance: made, id: ObjectIdentifier(made), epoch: made.epoch)
    if let gone = entries.updateValue(entry, forKey: key) { epochs.remove(gone.epoch) }
    epochs.insert(made.epoch)
    return made
  }

  /// Removes an instance that has ended.
  mutating func remove(_ instance: Interactor<S>) {
    guard contains(instance) else { return }
    if instance.isTouched { generation += 1 }
    remove(ObjectIdentifier(instance), instance.key)
  }

  /// Removes an instance; not one that was filed in its place.
  mutating func remove(_ id: ObjectIdentifier, _ key: Text) {
    guard let entry = entries[key], entry.id == id else { return }
    entries[key] = nil
    epochs.remove(entry.epoch)
  }
}
