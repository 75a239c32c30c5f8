public import CanonicalJSON

/// A part of a screen that is loaded from one source, and fails and is retried on its own: its
/// commands, its reducer, its rows and its loads, for any number of screens.
///
/// The screen keeps a `LoadState` for each such part, wraps its actions, and hands on what concerns
/// it.
public struct LoadingChild<Value: Equatable & Sendable>: Sendable {
  /// The name of the source, as it stands in a view model's `states`.
  public let source: Text
  /// The command that loads it.
  public let load: CommandDescriptor
  /// The command that calls a running load off.
  public let cancel: CommandDescriptor
  /// What stays on the screen while it is loaded again.
  public let policy: RefreshPolicy
  /// How it looks.
  public let look: LoadingLook<Value>
  private let sample: Value

  /// - Parameter sample: any value, for the description of the state machine.
  public init(
    source: Text, load: CommandDescriptor, cancel: CommandDescriptor,
    policy: RefreshPolicy = .keepPrevious, look: LoadingLook<Value>, sample: Value
  ) {
    self.source = source
    self.load = load
    self.cancel = cancel
    self.policy = policy
    self.look = look
    self.sample = sample
  }
}

extension LoadingChild {
  /// The commands of this part.
  public var commands: [CommandDescriptor] { [load, cancel] }

  /// How this part moves.
  public var stateMachine: StateMachine { LoadState.machine(of: source.string, sample: sample) }

  /// What the command means to this part; `nil` where it is another's.
  public func action(for command: SentCommand) -> LoadAction<Value>? {
    switch command.type {
    case load.type: .load
    case cancel.type: .cancel
    default: nil
    }
  }
}
