public import CanonicalJSON
import OrderedCollections

/// The screens on offer. A screen is added by registering it; no route knows its name.
public struct ScreenRegistry: Sendable {
  private var hosts: OrderedDictionary<Text, any AnyScreenHost> = [:]
  private let environment: ScreenEnvironment
  private let epochs = EpochSource()
  private let keeper: ScreenKeeper

  /// No screens yet; all that will be registered run in this environment.
  public init(environment: ScreenEnvironment) {
    self.environment = environment
    keeper = ScreenKeeper(environment)
  }

  /// Offers a screen under its descriptor's name.
  ///
  /// - Precondition: no other screen has that name, and the opening command is one of the screen's
  ///   commands and requires no arguments.
  public mutating func register<S: Screen>(_ screen: S) {
    let descriptor = screen.descriptor
    let name = descriptor.name
    precondition(hosts[name] == nil, "two screens are named \(name)")
    precondition(
      descriptor.isOpeningComplete,
      "the opening command of \(name) is not one of its commands, or requires arguments")
    hosts[name] = ScreenHost(
      screen, environment: environment, epochs: epochs, keeper: keeper)
  }

  /// The screens, in the order of their registration.
  public var descriptors: [ScreenDescriptor] { hosts.values.map(\.descriptor) }

  /// The state machines of a screen; `nil` where there is no such screen.
  public func stateMachines(of screen: Text) -> [StateMachine]? { hosts[screen]?.stateMachines }

  /// The screen of a key, in its initial state where nobody has asked for it before.
  ///
  /// - Throws: `ScreenLookupError` where there is no such screen or key.
  /// - Complexity: O(1) expected.
  public func instance(
    screen: Text, key: Text
  ) throws(ScreenLookupError) -> any ScreenInstance {
    guard let host = hosts[screen] else { throw .unknownScreen }
    return try host.instance(for: key)
  }

  /// Whether a token with this epoch belongs to some screen and key of this process that is in use.
  ///
  /// - Complexity: O(n) expected, where n is the number of kinds of screens.
  public func contains(_ epoch: RevisionEpoch) -> Bool {
    hosts.values.contains { $0.contains(epoch) }
  }
}
