public import CanonicalJSON
import OrderedCollections

/// The screens on offer. A screen is added by registering it; no route knows its name.
public struct ScreenRegistry: Sendable {
  private var hosts: OrderedDictionary<Text, any AnyScreenHost> = [:]
  private let engine: Engine
  private let keeper: ScreenKeeper

  /// No screens yet; the engine runs all that will be registered.
  public init(_ engine: Engine) {
    self.engine = engine
    keeper = ScreenKeeper(engine)
  }

  /// Offers a screen under its name.
  ///
  /// - Precondition: No other screen has that name, no two of its commands or parts have one name, and
  ///   its opening command is one of its commands and requires no arguments.
  public mutating func register(_ screen: some Screen) {
    let screen = DeclaredScreen(screen)
    let descriptor = screen.descriptor
    let name = descriptor.name
    precondition(hosts[name] == nil, "two screens are named \(name)")
    precondition(
      descriptor.isOpeningComplete,
      "the opening command of \(name) is not one of its commands, or requires arguments")
    let host = ScreenHost(screen, engine: engine, keeper: keeper)
    hosts[name] = host
    engine.add(host)
  }

  /// The screens, in the order of their registration.
  public var descriptors: [ScreenDescriptor] { hosts.values.map(\.descriptor) }

  /// The state machines of a screen; `nil` where there is no such screen.
  public func stateMachines(of screen: Text) -> [StateMachine]? { hosts[screen]?.stateMachines }

  /// The screen of a key, in its initial state where nobody has asked for it before. It may fail: see
  /// ``ScreenInstance/failure``.
  ///
  /// - Throws: `ScreenLookupError` where there is no such screen or key.
  /// - Complexity: O(1) expected.
  public func instance(
    screen: Text, key: Text
  ) throws(ScreenLookupError) -> any ScreenInstance {
    guard let host = hosts[screen] else { throw .unknownScreen }
    return try host.instance(for: key)
  }

  /// Finds a revision of a screen by the name that a client gives it.
  ///
  /// - Throws: The reason why there is none: a name is never guessed at.
  /// - Complexity: O(log *n* + *m*) expected, where *n* is the number of kept revisions and *m* that of the
  ///   screens on offer.
  public func revision(
    named name: Text, of screen: any ScreenInstance
  ) throws(ResetReason) -> Revision {
    // A name that this server does not write is of a server of another make, so of another run.
    guard let token = RevisionToken(name.string) else { throw .epochChanged }
    do {
      return try screen.revision(token)
    } catch {
      guard error == .epochChanged else { throw error }
      throw contains(token.epoch) ? .otherScreen : .epochChanged
    }
  }

  /// Returns whether a screen on offer has a history of this epoch for some key.
  func contains(_ epoch: RevisionEpoch) -> Bool { hosts.values.contains { $0.contains(epoch) } }
}

extension ScreenRegistry {
  /// Reads several view models at one moment: of what one write moves together, either all show the
  /// write or none does.
  ///
  /// Never waits for a running step.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of names; what it takes once more each
  ///   time a view model came to be while it read, which means that a write got through.
  public func reading(
    of names: [(screen: Text, key: Text)]
  ) -> [Result<ScreenReading, ScreenLookupError>] {
    while true {
      let found = names.map(find)
      let readings = read(found)
      // One that was not there may have come before the others were read: then a list of them could
      // name one that is said not to exist.
      let isSettled = zip(names, found).allSatisfy { name, result in
        guard case .failure(let error) = result else { return true }
        guard case .failure(error) = find(name) else { return false }
        return true
      }
      if isSettled { return readings }
    }
  }

  private func find(
    _ name: (screen: Text, key: Text)
  ) -> Result<any ScreenInstance, ScreenLookupError> {
    Result { () throws(ScreenLookupError) in try instance(screen: name.screen, key: name.key) }
  }

  /// Reads what was found at one moment.
  private func read(
    _ found: [Result<any ScreenInstance, ScreenLookupError>]
  ) -> [Result<ScreenReading, ScreenLookupError>] {
    engine.atGate {
      found.map { result in
        result.flatMap { screen in
          screen.failure.map { .failure($0) }
            ?? .success(ScreenReading(screen: screen, revision: screen.current))
        }
      }
    }
  }
}
