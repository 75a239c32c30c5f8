import CanonicalJSON
import Synchronization

/// All instances of one kind of screen, made when they are first asked for.
///
/// The host knows its instances without keeping them: a ``ScreenKeeper`` keeps those that must stay,
/// and who waits for a change keeps what it waits for. An instance that is let go is made anew as it was,
/// of the stores or of its ``Rest``, under the same epoch while it shows the same.
final class ScreenHost<S: Screen>: AnyScreenHost {
  private let screen: DeclaredScreen<S>
  private let engine: Engine
  /// Keeps instances that keep this host, so the host does not keep it.
  private weak let keeper: ScreenKeeper?
  private let instances = Mutex(Instances<S>())

  init(_ screen: DeclaredScreen<S>, engine: Engine, keeper: ScreenKeeper) {
    self.screen = screen
    self.engine = engine
    self.keeper = keeper
  }

  var descriptor: ScreenDescriptor { screen.descriptor }

  var stateMachines: [StateMachine] { screen.stateMachines }

  func instance(for key: Text) throws(ScreenLookupError) -> any ScreenInstance {
    try find(key)
  }

  /// The instance of a key.
  func find(_ key: Text) throws(ScreenLookupError) -> Instance<S> {
    while true {
      let (known, rest) = instances.withLock { ($0[key], $0.rests[key]) }
      if let known {
        if !known.isTouched { keeper?.wasRead(known) }
        return known
      }
      let stores = engine.stores
      let made = try Instance(
        screen: screen, key: key, rest: rest, stores: stores, engine: engine, host: self)
      let version = stores.version(of: screen.shownPart, for: key)
      let filed = engine.arrive(version, of: screen.shownPart, for: key) {
        instances.withLock { $0.file(made, of: rest) }
      }
      // Once more if an input changed what the instance shows while it was made.
      guard let filed = filed ?? nil else { continue }
      keeper?.wasRead(filed)
      // What the clock loads may have changed meanwhile.
      if rest != nil { filed.startRefreshes() }
      return filed
    }
  }

  /// The instance of a key, if there is one or something was kept of it.
  func known(_ key: Text) -> Instance<S>? {
    instances.withLock { $0.isKnown(key) } ? try? find(key) : nil
  }

  func input(_ json: JSONReader) throws(JSONShapeError) -> any Input {
    let key = try json.member("key").string()
    let kind = try json.member("kind").string()
    guard kind == "command" else {
      let epoch = try json.member("epoch")
      guard let name = RevisionEpoch(try epoch.string().string) else {
        throw epoch.error("expected an epoch")
      }
      let source = try json.member("source").decode(PartWork.self)
      if kind == "refresh" {
        return Refresh(
          host: self, key: key, epoch: name, source: source, value: try json.member("value").value)
      }
      return LoadEnd(
        host: self, key: key, epoch: name, source: source,
        token: LoadToken(ordinal: try json.member("token").integer()),
        value: try json.optionalMember("value")?.value,
        failure: try json.optionalMember("failure")?.decode(LoadFailure.self))
    }
    let body = try json.member("body")
    let expected = try json.optionalMember("expected")?.elements()
    var tokens: Set<RevisionToken>? = expected == nil ? nil : []
    for element in expected ?? [] {
      guard let token = RevisionToken(try element.string().string) else {
        throw element.error("expected a revision")
      }
      tokens?.insert(token)
    }
    do throws(Refusal) {
      return CommandInput(
        host: self, key: key, command: try SentCommand(JSONReader(body.value)), expected: tokens)
    } catch {
      throw body.error(error.message)
    }
  }

  func instances(showing change: StoreChange, of store: Int) -> [any MovingInstance] {
    // Also of those that are at rest: their states have to follow.
    switch screen.shownPart {
    case .element(store): change.keys.compactMap(known)
    case .whole(store): instances.withLock { $0.keys }.compactMap(known)
    default: []
    }
  }

  func contains(_ epoch: RevisionEpoch) -> Bool {
    instances.withLock { $0.epochs.contains(epoch) }
  }

  /// An input has touched the instance: from now on it is the only one that knows its state.
  func touched(_ instance: Instance<S>) {
    keeper?.keep(instance)
    _ = instances.withLock { $0.rests.removeValue(forKey: instance.key) }
  }

  /// An instance need not be kept any more, because it can be made of the rest; of the stores if that is
  /// `nil`.
  func rests(_ instance: Instance<S>, as rest: Rest<S.State>?) {
    instances.withLock { $0.rests[instance.key] = rest }
  }

  /// The history of an instance has grown.
  func published(_ instance: Instance<S>) {
    keeper?.historyGrew(of: instance)
  }

  /// What the key of an instance names was removed.
  func ended(_ instance: Instance<S>) {
    _ = instances.withLock { instances in
      defer { instances.remove(instance) }
      return instances.rests.removeValue(forKey: instance.key)
    }
    keeper?.forget(instance)
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
    weak var instance: Instance<S>?
    let id: ObjectIdentifier
    let epoch: RevisionEpoch
  }

  private var entries: [Text: Entry] = [:]
  /// What was kept of instances that could not be made of the stores alone.
  var rests: [Text: Rest<S.State>] = [:]
  /// The epochs of all entries and rests.
  private(set) var epochs: Set<RevisionEpoch> = []

  subscript(key: Text) -> Instance<S>? { entries[key]?.instance }

  func isKnown(_ key: Text) -> Bool { self[key] != nil || rests[key] != nil }

  /// The keys of all instances and rests.
  var keys: [Text] { entries.keys + rests.keys.filter { entries[$0] == nil } }

  /// Files an instance that was made of a rest, or of the stores.
  ///
  /// - Returns: The instance of the key: another one if that was there before. `nil` if the key has another
  ///   rest meanwhile.
  mutating func file(_ made: Instance<S>, of rest: Rest<S.State>?) -> Instance<S>? {
    let key = made.key
    if let known = self[key] { return known }
    if rests[key]?.token != rest?.token { return nil }
    let entry = Entry(instance: made, id: ObjectIdentifier(made), epoch: made.epoch)
    if let gone = entries.updateValue(entry, forKey: key) { epochs.remove(gone.epoch) }
    epochs.insert(made.epoch)
    return made
  }

  /// Removes an instance that has ended.
  mutating func remove(_ instance: Instance<S>) {
    remove(ObjectIdentifier(instance), instance.key)
  }

  /// Removes an instance; not one that was filed in its place.
  mutating func remove(_ id: ObjectIdentifier, _ key: Text) {
    guard let entry = entries[key], entry.id == id else { return }
    entries[key] = nil
    if rests[key]?.token.epoch != entry.epoch { epochs.remove(entry.epoch) }
    // Tables do not shrink by themselves, and most of the instances of a burst go at once.
    if entries.count < entries.capacity / 8 { entries = entries.filter { _ in true } }
    if epochs.count < epochs.capacity / 8 { epochs = epochs.filter { _ in true } }
  }
}

/// A kind of screen with its instances, whatever the kind.
protocol AnyScreenHost: AnyObject, Sendable {
  var descriptor: ScreenDescriptor { get }
  var stateMachines: [StateMachine] { get }
  func instance(for key: Text) throws(ScreenLookupError) -> any ScreenInstance
  func contains(_ epoch: RevisionEpoch) -> Bool
  /// Reads an input for an instance.
  func input(_ json: JSONReader) throws(JSONShapeError) -> any Input
  /// The instances that may show what a write changed in a store.
  func instances(showing change: StoreChange, of store: Int) -> [any MovingInstance]
}
