package import CanonicalJSON
import OrderedCollections

/// The screens of an engine. A screen is added by registering it; no route knows its name.
package struct ScreenRegistry: Sendable {
  private var hosts: OrderedDictionary<Text, ScreenHost> = [:]
  package let engine: Engine
  let keeper: InstanceKeeper
  private let faults: Store<ScriptedFaults>?
  private let latencies: Latencies

  /// Creates a registry without screens. The engine runs the screens that are registered later.
  ///
  /// - Parameters:
  ///   - faults: The fault scripts of their sources.
  ///   - latencies: The latencies of their sources.
  package init(
    _ engine: Engine, faults: Store<ScriptedFaults>? = nil, latencies: Latencies = Latencies()
  ) {
    self.engine = engine
    (self.faults, self.latencies) = (faults, latencies)
    keeper = InstanceKeeper(engine)
  }

  /// Registers a screen under its name.
  ///
  /// - Parameters:
  ///   - screen: The screen.
  ///   - keys: Its keys, if the program knows all of them. A replay of a journal shows how writes to a whole store change
  ///     the first 128, though nobody has read them.
  /// - Precondition: No other screen has the same name, the name and the keys can be parts of paths, no two of its
  ///   commands or parts have the same name, its opening command is one of its commands and requires no arguments, and the
  ///   commands of its rows are among its commands.
  package mutating func register<S: Screen>(_ screen: S, keys: [Text] = []) {
    // A mistake in it, such as a wrong description of a form, ends the process now, and not at the first request.
    _ = (S.State.self as? any ScreenState.Type)?.init()
    let screen = DeclaredScreen(screen, faults: faults, latencies: latencies)
    let descriptor = screen.descriptor
    let name = descriptor.name
    guard hosts[name] == nil else { fatalError("two screens are named \(name)") }
    guard ScreenDescriptor.isName(name) else {
      fatalError(
        "“\(name)” cannot be the name of a screen, which has letters, digits, “-”, “_” and “.”")
    }
    for key in keys {
      guard ResourceID.isValid(key) else {
        fatalError(
          "“\(key)” cannot be a key of the screen \(name): a key has 1 to 128 bytes without “/”")
      }
    }
    guard descriptor.isOpeningComplete else {
      fatalError("the opening command of \(name) is not one of its commands, or requires arguments")
    }
    let host = ScreenHost(screen, keys: keys, engine: engine, keeper: keeper)
    hosts[name] = host
    engine.contents.add(host)
  }

  /// The screens, in the order of their registration.
  package var descriptors: [ScreenDescriptor] { hosts.values.map(\.descriptor) }

  /// The number of view models that inputs have touched and that are in memory, and the estimated memory of their
  /// histories, in bytes.
  package var kept: (count: Int, byteCount: Int) { keeper.kept }

  /// Checks that a screen has view models of an element, which is their key without the session.
  ///
  /// - Throws: `ScreenLookupError` if there is no such screen or element.
  package func requireElement(_ element: Text, of screen: Text) throws(ScreenLookupError) {
    guard let host = hosts[screen] else { throw .unknownScreen }
    try host.requireElement(element)
  }

  /// Returns whether there is a screen of this name.
  package func offers(_ screen: Text) -> Bool { hosts[screen] != nil }

  /// Returns the state machines of a screen; `nil` if there is no such screen.
  package func stateMachines(of screen: Text) -> [StateMachine]? {
    hosts[screen]?.screen.stateMachines
  }

  /// Returns the view model of a screen and a key, in its initial state if no input has changed it. It may
  /// fail: see ``Instance/failure``.
  ///
  /// - Throws: `ScreenLookupError` if there is no such screen or key.
  /// - Complexity: O(1) expected.
  package func instance(
    screen: Text, key: Text
  ) throws(ScreenLookupError) -> Instance {
    guard let host = hosts[screen] else { throw .unknownScreen }
    return try host.instance(for: key)
  }

  /// Returns whether ``instance(screen:key:)`` makes the rows of a view model, which takes long if they are many.
  ///
  /// - Complexity: O(1) expected, and that of `initialState` of the screen if there is no view model.
  package func mustMake(screen: Text, key: Text) -> Bool { hosts[screen]?.mustMake(key) ?? false }

  /// Notifies `watcher` once, when a write may have given a key a view model.
  ///
  /// - Returns: The subscription; `nil`, without a subscription, if the key has a view model, or there is no such screen.
  package func watchAbsent(
    screen: Text, key: Text, _ watcher: any RevisionWatcher
  ) -> (any Cancellable)? {
    hosts[screen]?.watchAbsent(key, watcher)
  }

  /// Runs a command, unless its request came before: then the outcome of the first request is returned.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - screen: The name of the screen.
  ///   - key: The key of the view model.
  ///   - expected: The revisions of which one must be current for the command to run; `nil` allows any. No input comes
  ///     between the check and the command.
  ///   - request: The key of the request; `nil` if it has none.
  /// - Throws: ``CommandFailure`` if the command has no outcome.
  package func send(
    _ command: SentCommand, to screen: Text, _ key: Text,
    expecting expected: Set<RevisionToken>? = nil, once request: RequestKey? = nil
  ) async throws(CommandFailure) -> CommandOutcome {
    guard let host = hosts[screen] else { throw .unavailable(.unknownScreen) }
    return try await host.send(command, to: key, expecting: expected, once: request)
  }

  /// Finds a revision of an instance by the name that a client gives it.
  ///
  /// - Throws: The reason why there is no such revision.
  /// - Complexity: O(log *n* + *m*) expected, where *n* is the number of kept revisions and *m* the number of
  ///   registered screens.
  package func revision(
    named name: Text, of instance: Instance
  ) throws(ResetReason) -> Revision {
    // A name that this server does not write is of a server of another make, so of another run.
    guard let token = RevisionToken(name.string) else { throw .epochChanged }
    do {
      return try instance.revision(token)
    } catch {
      guard error == .epochChanged else { throw error }
      throw contains(token.epoch) ? .otherInstance : .epochChanged
    }
  }

  /// Returns whether a screen on offer has a history of this epoch for some key.
  func contains(_ epoch: RevisionEpoch) -> Bool { hosts.values.contains { $0.contains(epoch) } }
}

extension ScreenRegistry {
  /// Reads several view models at one moment: either all of them show a write or none does.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of names, for each try: it reads again if a write
  ///   has created a view model meanwhile.
  package func reading(
    of names: [(screen: Text, key: Text)]
  ) -> [Result<(instance: Instance, revision: Revision), ScreenLookupError>] {
    while true {
      let found = names.map(find)
      let published = engine.gate.read { found.map { $0.map { ($0, $0.published) } } }
      // A view model that was not found may have been created before the others were read. Then one of
      // them, such as a list, could name it although it is said not to exist.
      let isSettled = zip(names, found).allSatisfy { name, result in
        guard case .failure(let error) = result else { return true }
        guard case .failure(error) = find(name) else { return false }
        return true
      }
      // Views that nobody has read yet are made now, when no input waits at the gate.
      if isSettled { return published.map { $0.flatMap { Self.reading($0, $1) } } }
    }
  }

  private func find(
    _ name: (screen: Text, key: Text)
  ) -> Result<Instance, ScreenLookupError> {
    Result { () throws(ScreenLookupError) in try instance(screen: name.screen, key: name.key) }
  }

  private static func reading(
    _ instance: Instance, _ published: Instance.Published
  ) -> Result<(instance: Instance, revision: Revision), ScreenLookupError> {
    published.shownFailure.map { .failure($0) } ?? .success((instance, published.revision))
  }
}
