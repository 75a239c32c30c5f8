import CanonicalJSON
import Snapshots
import Synchronization

/// All instances of a screen, each made by its first reader.
///
/// The host does not keep its instances: an ``InstanceKeeper`` keeps those that must stay, and a waiting reader
/// keeps its own. An instance that is not kept is made again from the stores or from its ``Rest``, with the
/// same epoch.
final class ScreenHost: Sendable {
  let screen: any EngineScreen
  private let isPersonal: Bool
  /// The keys whose instances a write to a whole store makes in a replay.
  private let listed: [Text]
  let engine: Engine
  /// Keeps instances that keep this host, so the host does not keep it.
  private weak let keeper: InstanceKeeper?
  let instances = Mutex(HostedInstances())
  let awaited = Mutex(AwaitedKeys())

  /// The number of sessions that one input may change while a thread waits that has other work.
  static let fewSessions = 64

  /// The largest number of instances that a write makes without a reader.
  private static let unreadLimit = 128

  init(_ screen: any EngineScreen, keys: [Text], engine: Engine, keeper: InstanceKeeper) {
    self.screen = screen
    // Each read asks for it, and the descriptor has many parts to copy.
    isPersonal = screen.descriptor.isPersonal
    listed = Array(keys.prefix(Self.unreadLimit))
    self.engine = engine
    self.keeper = keeper
  }

  var descriptor: ScreenDescriptor { screen.descriptor }

  /// Whether a write that all sessions show may take long.
  var hasManySessions: Bool {
    isPersonal && instances.withLock { $0.sessionCount > Self.fewSessions }
  }

  var shownStores: [ShownStore] { screen.shownStores }

  func instance(for text: Text) throws(ScreenLookupError) -> Instance {
    let key = try self.key(text)
    if let found = try look(for: key) { return found }
    // Inputs change what it shows faster than it can be made, so they wait.
    return try engine.betweenInputs { () throws(ScreenLookupError) in
      while true {
        if let found = try look(for: key) { return found }
      }
    }
  }

  /// Checks that there are instances of an element.
  func requireElement(_ element: Text) throws(ScreenLookupError) {
    // An “@” that begins no session belongs to the id of the element.
    let hasSession = (try? key(element))?.hasSession == true
    guard !hasSession, ResourceID.isValid(element) else { throw .unknownKey }
    _ = try engine.watchdog.watch(loggedName(element)) { () throws(ScreenLookupError) in
      try screen.initialState(for: element, in: engine.stores)
    }
  }

  /// Returns whether a reader of a key makes its instance. Of a key that does not exist there is none to make.
  func mustMake(_ text: Text) -> Bool {
    let (known, rest) = found(text)
    if known != nil { return false }
    if rest != nil { return true }
    let state = try? engine.watchdog.watch(loggedName(text)) { () throws(ScreenLookupError) in
      try screen.initialState(for: key(text).element, in: engine.stores)
    }
    return state != nil
  }

  /// Returns the instance of a key for a reader, and makes it if there is none.
  ///
  /// - Returns: `nil` if an input changed what the instance shows while it was made.
  private func look(for key: InstanceKey) throws(ScreenLookupError) -> Instance? {
    let (known, rest) = found(key.text)
    if let known {
      known.use.noteRead()
      if !known.isTouched { keeper?.wasRead(known) }
      return known
    }
    // The watchdog looks at inputs anyway.
    let made = try engine.watchdog.watch(loggedName(key.text)) {
      () throws(ScreenLookupError) in try make(key, rest, forInput: false)
    }
    if let made, rest != nil {
      // What the clock loads may have changed meanwhile.
      made.refreshAll()
      instances.withLock { $0.uses[key.text]?.wasUsed = true }
    }
    return made
  }

  /// Returns the instance of a key for an input, and makes it if there is none.
  func find(_ text: Text) throws(ScreenLookupError) -> Instance {
    let key = try key(text)
    // While an input is applied nothing else changes the stores and the rests.
    while true {
      let (known, rest) = found(text)
      if let known { return known }
      if let made = try make(key, rest, forInput: true) { return made }
    }
  }

  /// Returns the name of the view model of a key.
  func name(of key: InstanceKey) -> Text { "\(descriptor.name)/\(key.text)" }

  /// The name of the view model of a key, as it is logged.
  func loggedName(_ key: Text) -> Text {
    "\(descriptor.name)/\((try? self.key(key).logged) ?? key)"
  }

  func key(_ text: Text) throws(ScreenLookupError) -> InstanceKey {
    try InstanceKey(text, isPersonal: isPersonal)
  }

  /// Makes the instance of a key, and adds it.
  ///
  /// - Returns: The instance, or another one that was added before; `nil` if an input changed what the
  ///   instance shows while it was made.
  private func make(
    _ key: InstanceKey, _ rest: Rest?, forInput isInput: Bool
  ) throws(ScreenLookupError) -> Instance? {
    let stores = engine.stores
    let (sibling, first) =
      key.hasSession
      ? instances.withLock { ($0.sibling(of: key), $0.firstView(of: key.element)) } : (nil, nil)
    // What a session without a state of its own shows now is newer than its first view, because it follows the stores.
    let view = sibling?.firstView ?? first
    let made = try Instance(
      of: self, key, rest: rest, like: view, SharedRows(view?.rows ?? sibling?.rows.cache),
      stores: stores, forInput: isInput)
    let shown = key.hasSession && rest == nil ? made.firstView : nil
    let version = stores.version(of: screen.shownStores, for: key.element)
    let filed = engine.gate.arrive(
      version, of: screen.shownStores, for: key.element, forInput: isInput
    ) {
      instances.withLock { $0.file(made, of: rest, showing: shown) }
    }
    guard let filed = filed ?? nil else { return nil }
    keeper?.wasRead(filed)
    return filed
  }

  /// Runs a command; see ``ScreenRegistry/send(_:to:_:expecting:once:)``.
  func send(
    _ command: SentCommand, to key: Text, expecting expected: Set<RevisionToken>?,
    once request: RequestKey?
  ) async throws(CommandFailure) -> CommandOutcome {
    let input = CommandInput(host: self, key: key, command: command, expected: expected)
    guard let request else { return try await engine.submit(input) }
    return try await engine.submit(Once(input: input, key: request))
  }

  /// Returns the instance of a key if it is there, or at rest.
  func known(_ key: Text) -> Instance? {
    let (known, rest) = found(key)
    return known ?? (rest == nil ? nil : try? find(key))
  }

  private func found(_ key: Text) -> (known: Instance?, rest: Rest?) {
    instances.withLock { ($0[key], $0.rests[key]) }
  }

  /// Returns the instances that may show a change of a store. One may come several times.
  func instances(
    showing change: StoreChange, of store: Int, in stores: Stores
  ) -> [Instance] {
    // Each write asks the hosts of all screens.
    let shown = screen.shownStores
    if shown.isEmpty { return [] }
    let isWhole = shown.contains { $0.index == store && $0.isWhole }
    let isElement = shown.contains { $0.index == store && !$0.isWhole }
    guard isWhole || isElement else { return [] }
    // Also those at rest, because their states must follow.
    let (keys, rests) = instances.withLock { $0.showing(isWhole ? nil : change.keys) }
    let moved = rests.filter { key, rest in moves(rest, key, stores) }.keys
    // In the same order in each process, because their work may write to stores.
    let known = (keys + moved).sorted().compactMap(known)
    guard engine.makesUnread.load(ordering: .relaxed) else { return known }
    var unread: Set<Text> = []
    if isElement { unread.formUnion(change.changed.list) }
    if isWhole { unread.formUnion(listed) }
    return known + unread.sorted().compactMap { try? find($0) }
  }

  /// Whether a write changes the state of an instance at rest.
  private func moves(_ rest: Rest, _ key: Text, _ stores: Stores) -> Bool {
    var state = rest.state
    do throws(ScreenLookupError) {
      // Work that starts or ends changes the state, too.
      _ = try screen.follow(stores, on: &state, for: self.key(key).element)
      return state != rest.state
    } catch {
      return true
    }
  }

  /// What the screen would show of an element of a store; `nil` if it shows none, or fails.
  func content(of element: Text, of store: Int, in stores: Stores) -> String? {
    let isShown = screen.shownStores.contains { $0.index == store && !$0.isWhole }
    guard isShown else { return nil }
    var rows = RowCache()
    return screen.initialSnapshot(for: element, in: stores, rows: &rows)
      .map { "\(descriptor.name)/\(element) \($0.digest)" }
  }

  /// Returns whether an instance has this epoch, or one at rest.
  func contains(_ epoch: RevisionEpoch) -> Bool {
    instances.withLock { $0.epochs.contains(epoch) }
  }

  /// Keeps an instance that an input has touched: only the instance has its state now.
  func touched(_ instance: Instance) {
    keeper?.keep(instance)
    // Released after the lock.
    _ = instances.withLock { $0.rests.removeValue(forKey: instance.key.text) }
  }

  /// Begins the looks at the session of an instance with a state of its own, so that it is forgotten once it is unused.
  func ownsState(_ instance: Instance) {
    if instance.key.hasSession { lookAfter(instance.key) }
  }

  /// Keeps the rest of an instance, from which it can be made again; `nil` if it can be made from the stores.
  func rests(_ instance: Instance, as rest: Rest?) {
    let key = instance.key.text
    instances.withLock { instances in
      instances.rests[key] = rest
      // The next look may not find the instance.
      if let use = instances.uses[key], instance.use.isKnown(since: use.lastLook) {
        instances.uses[key]?.wasUsed = true
      }
    }
  }

  /// Looks at a session again and again until its state is forgotten.
  func lookAfter(_ key: InstanceKey, _ use: SessionUse = SessionUse()) {
    if instances.withLock({ $0.begin(use, of: key.text) }) { lookLater(key) }
  }

  private func lookLater(_ key: InstanceKey) {
    let now = engine.environment.scheduler.now
    guard let look = keeper?.later({ [weak self] in self?.look(at: key, $0) }) else { return }
    instances.withLock { $0.uses[key.text]?.looked(at: now, next: look) }
  }

  /// Tells other servers if a session is in use here, and forgets its state if it was in use nowhere for long enough.
  ///
  /// - Parameter look: The number of the look, which does nothing if the session has another one.
  private func look(at key: InstanceKey, _ look: Int) {
    let (known, rest, use) = instances.withLock { instances in
      (instances[key.text], instances.rests[key.text], instances.uses[key.text])
    }
    // Otherwise it was removed meanwhile, and may have been made again.
    guard let use, use.look == look else { return }
    // Also in case another input comes before one of these.
    lookLater(key)
    if use.wasUsed || known?.wasUsed(since: use.lastLook) == true {
      wasUsed(key.text)
      if engine.isShared { engine.post(Use(host: self, key: key.text)) }
    } else if instances.withLock({ $0.uses[key.text]?.addUnused() == true }),
      // An instance with a history is not at rest.
      let token = (known?.newestRest ?? rest)?.token
    {
      engine.post(Forget(host: self, key: key.text, token: token))
    }
  }

  /// Notes that a session was in use on some server.
  func wasUsed(_ key: Text) {
    instances.withLock { $0.uses[key]?.renew() }
  }

  /// Notes that the history of an instance has grown.
  func published(_ instance: Instance) {
    keeper?.historyGrew(of: instance)
  }

  /// Notes that a reader has made the view model of an instance.
  func laidOut(_ instance: Instance) {
    keeper?.laidOut(instance)
  }

  /// Forgets an instance whose key was removed.
  func ended(_ instance: Instance) {
    let key = instance.key.text
    let (_, use) = instances.withLock { instances in
      defer { instances.remove(ObjectIdentifier(instance), key) }
      return (instances.rests.removeValue(forKey: key), instances.uses.removeValue(forKey: key))
    }
    if let use { keeper?.cancelLook(use.look) }
    keeper?.forget(instance)
    // A watcher that was added since has found this instance, and the key may have another one from now on.
    let watchers = awaited.withLock { $0.take([instance.key.element]) }
    for watcher in watchers { watcher.revisionPublished() }
  }

  /// Forgets an instance whose last reference was dropped.
  func released(_ id: ObjectIdentifier, of key: Text) {
    instances.withLock { $0.remove(id, key) }
  }
}
