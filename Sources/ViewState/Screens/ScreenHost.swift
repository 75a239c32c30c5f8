import CanonicalJSON
import Synchronization

/// All instances of a screen, each made by its first reader.
///
/// The host does not keep its instances: a ``ScreenKeeper`` keeps those that must stay, and a waiting reader
/// keeps its own. An instance that is not kept is made again from the stores or from its ``Rest``, with the
/// same epoch.
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
    if let found = try look(for: key) { return found }
    // Inputs change what it shows faster than it can be made, so they wait.
    return try engine.betweenInputs { () throws(ScreenLookupError) in
      while true {
        if let found = try look(for: key) { return found }
      }
    }
  }

  /// Returns the instance of a key for a reader, and makes it if there is none.
  ///
  /// - Returns: `nil` if an input changed what the instance shows while it was made.
  private func look(for key: Text) throws(ScreenLookupError) -> Instance<S>? {
    let (known, rest) = instances.withLock { ($0[key], $0.rests[key]) }
    if let known {
      if !known.isTouched { keeper?.wasRead(known) }
      return known
    }
    // The watchdog looks at inputs anyway.
    let made = try engine.watchdog.watch("\(descriptor.name)/\(key)") {
      () throws(ScreenLookupError) in try make(key, rest, forInput: false)
    }
    // What the clock loads may have changed meanwhile.
    if let made, rest != nil { made.startRefreshes() }
    return made
  }

  /// Returns the instance of a key for an input, and makes it if there is none.
  func find(_ key: Text) throws(ScreenLookupError) -> Instance<S> {
    // While an input is applied nothing else changes the stores and the rests.
    while true {
      let (known, rest) = instances.withLock { ($0[key], $0.rests[key]) }
      if let known { return known }
      if let made = try make(key, rest, forInput: true) { return made }
    }
  }

  /// Makes the instance of a key, and adds it.
  ///
  /// - Returns: The instance, or another one that was added before; `nil` if an input changed what the
  ///   instance shows while it was made.
  private func make(
    _ key: Text, _ rest: Rest<S.State>?, forInput isInput: Bool
  ) throws(ScreenLookupError) -> Instance<S>? {
    let stores = engine.stores
    let made = try Instance(
      screen: screen, key: key, rest: rest, stores: stores, engine: engine, host: self)
    let version = stores.version(of: screen.shownParts, for: key)
    let filed = engine.arrive(version, of: screen.shownParts, for: key, forInput: isInput) {
      instances.withLock { $0.file(made, of: rest) }
    }
    guard let filed = filed ?? nil else { return nil }
    keeper?.wasRead(filed)
    return filed
  }

  func send(
    _ command: SentCommand, to key: Text, expecting expected: Set<RevisionToken>?,
    once request: RequestKey?
  ) async throws(CommandFailure) -> CommandOutcome {
    let input = CommandInput(host: self, key: key, command: command, expected: expected)
    guard let request else { return try await engine.submit(input).get() }
    return try await engine.submit(Once(input: input, key: request)).get()
  }

  /// Returns the instance of a key if it is there, or at rest.
  func known(_ key: Text) -> Instance<S>? {
    let (known, rest) = instances.withLock { ($0[key], $0.rests[key]) }
    return known ?? (rest == nil ? nil : try? find(key))
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

  func instances(
    showing change: StoreChange, of store: Int, in stores: Stores
  ) -> [any MovingInstance] {
    // Also those at rest, because their states must follow.
    if screen.shownParts.contains(.whole(of: store)) {
      let (keys, rests) = instances.withLock { ($0.keys, $0.rests) }
      let moved = rests.filter { key, rest in moves(rest, key, stores) }.keys
      // In the same order in each process, because their work may write to stores.
      return Set(keys).union(moved).sorted().compactMap(known)
    }
    return screen.shownParts.contains(.element(of: store))
      ? change.keys.sorted().compactMap(known) : []
  }

  /// Whether a write changes the state of an instance at rest, and not only its token, which it gets when
  /// it is made again.
  private func moves(_ rest: Rest<S.State>, _ key: Text, _ stores: Stores) -> Bool {
    var state = rest.state
    do throws(ScreenLookupError) {
      let effects = try screen.follow(stores, on: &state, for: key)
      return !effects.isEmpty || state != rest.state
    } catch {
      return true
    }
  }

  func contains(_ epoch: RevisionEpoch) -> Bool {
    instances.withLock { $0.epochs.contains(epoch) }
  }

  /// Keeps an instance that an input has touched: only the instance has its state now.
  func touched(_ instance: Instance<S>) {
    keeper?.keep(instance)
    _ = instances.withLock { $0.rests.removeValue(forKey: instance.key) }
  }

  /// Keeps the rest of an instance, from which it can be made again; `nil` if it can be made from the stores.
  func rests(_ instance: Instance<S>, as rest: Rest<S.State>?) {
    instances.withLock { $0.rests[instance.key] = rest }
  }

  /// Notes that the history of an instance has grown.
  func published(_ instance: Instance<S>) {
    keeper?.historyGrew(of: instance)
  }

  /// Forgets an instance whose key was removed.
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
/// Each strong reference to an instance is returned to the caller: the last one must not be released under the
/// lock of the host, because the end of an instance takes the lock.
private struct Instances<S: Screen>: Sendable {
  private struct Entry: Sendable {
    weak var instance: Instance<S>?
    let id: ObjectIdentifier
    let epoch: RevisionEpoch
  }

  private var entries: [Text: Entry] = [:]
  /// The rests of instances that cannot be made from the stores alone.
  var rests: [Text: Rest<S.State>] = [:]
  /// The epochs of all entries and rests.
  private(set) var epochs: Set<RevisionEpoch> = []

  subscript(key: Text) -> Instance<S>? { entries[key]?.instance }

  /// The keys of all instances.
  var keys: [Text] { Array(entries.keys) }

  /// Adds an instance that was made from a rest, or from the stores.
  ///
  /// - Returns: The instance of the key, which is another one if that was added before. `nil` if the key has
  ///   another rest meanwhile.
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

  /// Removes an instance, but not one that was added in its place.
  mutating func remove(_ id: ObjectIdentifier, _ key: Text) {
    guard let entry = entries[key], entry.id == id else { return }
    entries[key] = nil
    if rests[key]?.token.epoch != entry.epoch { epochs.remove(entry.epoch) }
    // Tables do not shrink by themselves, and most of many instances made at once go at once.
    if entries.count < entries.capacity / 8 { entries = entries.filter { _ in true } }
    if epochs.count < epochs.capacity / 8 { epochs = epochs.filter { _ in true } }
  }
}

/// A screen with its instances, without the type of its state.
protocol AnyScreenHost: AnyObject, Sendable {
  var descriptor: ScreenDescriptor { get }
  var stateMachines: [StateMachine] { get }
  func instance(for key: Text) throws(ScreenLookupError) -> any ScreenInstance
  /// Runs a command; see ``ScreenRegistry/send(_:to:_:expecting:once:)``.
  func send(
    _ command: SentCommand, to key: Text, expecting expected: Set<RevisionToken>?,
    once request: RequestKey?
  ) async throws(CommandFailure) -> CommandOutcome
  func contains(_ epoch: RevisionEpoch) -> Bool
  /// Reads an input for an instance.
  func input(_ json: JSONReader) throws(JSONShapeError) -> any Input
  /// Returns the instances that may show a change of a store.
  func instances(
    showing change: StoreChange, of store: Int, in stores: Stores
  ) -> [any MovingInstance]
}
